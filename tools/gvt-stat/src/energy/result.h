/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of 'gvt-stat energy', for all forms of output.
 */
#ifndef GVT_STAT_ENERGY_RESULT_H
#define GVT_STAT_ENERGY_RESULT_H

#include <stdint.h>

#include <glib.h>

#include "output/column.h"
#include "fit.h"
#include "portions.h"
#include "share.h"
#include "timeline.h"

/* energy of somebody; unknown reals are NAN */
struct energy_row {
	const char *kind;		/* "vgpu", "host", "idle", "unknown" or "total" */
	int64_t dev;
	int64_t vgpu_id;		/* 0: the host; UNKNOWN: nobody */
	const char *vm;
	const char *who;		/* "1 (name of its VM)", "host", or the kind */
	const char *engine;		/* NULL: several, or none */
	int64_t exec_ns;		/* summed over engines; UNKNOWN: nobody */
	double joules;
	double bound_joules;		/* off by no more, with 95 % confidence */
	double bound_percent;		/* of @joules */
	double watts;			/* mean of the covered time */
	double percent;			/* of the counter's joules */
	double running_watts;		/* mean while executing */
};

/* for rows with an engine, and for sums over engines */
extern const struct column energy_columns[];
extern const struct column energy_sum_columns[];

struct energy_result {
	const struct timeline *timeline;
	struct portions *portions;
	struct fit *fit;
	struct shares *shares;
	double *equal;			/* by consumer: see shares_new() */
	GArray *engines;		/* struct energy_row: a consumer each, idle, unknown, total */
	GArray *sums;			/* the same, summed over engines */
	GPtrArray *same;		/* of char *: those that are indistinguishable, in words */
	bool powers_known;		/* were powers fitted? */
};

/**
 * energy_result_new - share the energy of a timeline; energy_result_free() frees
 * @timeline: complete; must outlive the result
 *
 * Rows are those of the selection, sums of vGPUs and of the host as far as they are selected.
 */
struct energy_result *energy_result_new(const struct timeline *timeline, enum static_rule rule);

/**
 * energy_result_of - the same from shares that are known otherwise
 * @portions, @fit, @shares: freed with the result
 */
struct energy_result *energy_result_of(const struct timeline *timeline, struct portions *portions, struct fit *fit,
				       struct shares *shares);
void energy_result_free(struct energy_result *result);

#endif
