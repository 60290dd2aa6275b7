/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joules for each finished workload, under other settings than now.
 *
 * Settings change how much of whose work is done: of more small workloads each costs less, and nothing is
 * saved. So work counts by what it costs now: a workload of a vGPU on an engine counts as many as it
 * takes joules, relative to the mean of all.
 */
#ifndef GVT_STAT_GOAL_ENERGY_H
#define GVT_STAT_GOAL_ENERGY_H

#include "energy-use.h"

/* the settings as they are, in one case */
struct energy_now {
	double joules;			/* of a finished workload */
	double spread;			/* half of the range of windows, relative */
	double *price_nj;		/* of a workload, by stream; 0: none finishes */
	double nj_per_workload;		/* mean price */
	double *off;			/* by coefficient: as off_nj of struct energy_use, relative */
	unsigned int streams, terms;
};

/* unknown numbers are NAN; an unknown range is from 0 to INFINITY */
struct energy_each {
	double joules;			/* of a finished workload */
	double watts;			/* mean, of all */
	/*
	 * If now takes exactly what energy_now.joules says: of a window, if each coefficient is off by its bound to the
	 * worse side. What all settings have in common is not in it.
	 */
	double least, most;
};

/**
 * energy_now_new - from the simulated settings as they are; energy_now_free() frees
 */
struct energy_now *energy_now_new(const struct energy_use *use);
void energy_now_free(struct energy_now *now);

/**
 * energy_each - of other settings in the same case, or of the recording
 */
struct energy_each energy_each(const struct energy_now *now, const struct energy_use *use, int64_t window_ns);

#endif
