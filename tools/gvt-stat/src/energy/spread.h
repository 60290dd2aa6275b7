/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where within the time between two samples energy was drawn: by which workload, in which interval.
 */
#ifndef GVT_STAT_ENERGY_SPREAD_H
#define GVT_STAT_ENERGY_SPREAD_H

#include <stdint.h>

#include "timeline/portions.h"
#include "timeline/timeline.h"
#include "fit.h"
#include "share.h"

/* energy that a workload drew */
struct work_energy {
	double nj;
	int64_t ns;			/* of its execution that is between samples */
	double spread;			/* in nJ^2: as in struct shares */
	double stint_nj;		/* of the interval at hand, while it is divided */
};

struct spread {
	struct work_energy *works;	/* by number in the timeline's works */
	int64_t from_ns;		/* when the first interval begins */
	int64_t length_ns;		/* of each interval */
	unsigned int intervals;
	unsigned int shares;
	double *nj;			/* by interval x @shares + whose: sums up to the struct shares' */
	double *covered_ns;		/* by interval: its part that is between samples */
};

/* what a spread is made from */
struct spread_source {
	const struct timeline *timeline;
	const struct portions *portions;	/* of the timeline, as the next two of these */
	const struct fit *fit;
	const struct shares *shares;
	const double *equal;		/* as for shares_new(); NULL unless static energy is of all vGPUs */
};

/**
 * spread_new - divide what each had between two samples among its legs, by fitted powers
 * @from_ns: when the first interval begins: before the first sample
 * @length_ns: of an interval, above 0
 * @intervals: their number; 0: only of workloads
 *
 * A consumer draws in a leg its power, less half of what it saves together with each other one that
 * executes. The sum over legs, of any error, is scaled to what shares_split() gives it.
 *
 * Of static energy (STATIC_NONE, STATIC_EQUAL), each consumer's legs yield the same part, and
 * workloads have none. spread_free() frees.
 */
struct spread *spread_new(const struct spread_source *source, int64_t from_ns, int64_t length_ns,
			  unsigned int intervals);
void spread_free(struct spread *spread);

#endif
