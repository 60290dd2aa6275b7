/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the fit.
 *
 * Private to this room.
 */
#ifndef GVT_STAT_ENERGY_FIT_PRIVATE_H
#define GVT_STAT_ENERGY_FIT_PRIVATE_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "fit.h"

/* sums of squares of a group of intervals */
struct sums {
	gsl_matrix *gram;
	gsl_vector *right;
};

struct fitting {
	struct fit *fit;
	const struct portions *portions;
	unsigned int columns;
	double *trust;			/* by interval that can be used: 1, less for outliers */
	double *drift;			/* by the same: how much more than elsewhere all powers are */
	struct sums groups[FIT_GROUPS], total;
	gsl_matrix *scaled;		/* the total's gram with columns of length 1 */
};

/**
 * fit_choose_columns - one for each quantity that occurs; rare pairs have one together, the last
 */
void fit_choose_columns(struct fitting *f);

/**
 * fit_merge_columns - sum up, and merge columns until all are distinguishable
 */
void fit_merge_columns(struct fitting *f);

/**
 * fit_sum_up - sum up all intervals, by trust and drift; fit_forget_sums() frees
 */
void fit_sum_up(struct fitting *f);
void fit_forget_sums(struct fitting *f);

/**
 * fit_length_of - of a column of the total
 */
double fit_length_of(const struct fitting *f, unsigned int column);

/**
 * fit_watts_of - by quantity, fitted to all intervals but a group's; the caller frees
 * @without: NULL: all
 */
double *fit_watts_of(const struct fitting *f, const struct sums *without);

/**
 * fit_robustly - set the fit's watts, the trust in each interval, and its drift; sums are of these
 */
void fit_robustly(struct fitting *f);

/**
 * fit_find_unsure - set the fit's unsure_nj; its powers are set
 */
void fit_find_unsure(struct fitting *f);

/**
 * fit_residual - as in struct fit, of all intervals without lost events
 */
double fit_residual(const struct fitting *f);

#endif
