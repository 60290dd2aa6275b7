/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The power of each consumer, from the counter's increments in intervals in which they executed
 * for different times.
 */
#ifndef GVT_STAT_ENERGY_FIT_H
#define GVT_STAT_ENERGY_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "timeline/portions.h"

/* how often the fit is repeated without a part of the intervals */
#define FIT_GROUPS	20

struct fit {
	unsigned int quantities;
	int *columns;			/* by quantity: which power; negative: none */
	unsigned int powers;		/* number of powers that were fitted */
	double *watts;			/* by quantity; of "together": what two need less than alone */
	double *unsure_nj;		/* by quantity, of "together": how much each of the two may be off, */
					/* as the counter does not show what both need less; NULL: none is */
	double *without[FIT_GROUPS];	/* the same without each of @groups parts of the intervals */
	unsigned int groups;		/* 0: too few intervals, nothing is fitted */
	unsigned int used;		/* intervals without lost events */
	double condition;		/* of the powers' columns, each of length 1 */
	double residual;		/* root of the mean square of what powers do not explain, relative */
					/* to that of the energies; NAN: nothing was fitted */
};

/**
 * fit_new - fit powers that are not negative, interval by interval
 *
 *   counter's increment = idle + awake + sum over consumers of power x busy
 *                         - sum over pairs of saving x together
 *
 * with each interval's square weighted by 1 / its length, and outliers by less. Consumers whose times are so nearly
 * proportional that the counter does not distinguish them get one power. fit_free() frees.
 */
struct fit *fit_new(const struct portions *portions);
void fit_free(struct fit *fit);

/**
 * fit_same - have two quantities one power, as they are indistinguishable?
 */
bool fit_same(const struct fit *fit, unsigned int a, unsigned int b);

#endif
