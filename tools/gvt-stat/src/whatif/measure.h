/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of a vGPU's queue, recorded or simulated.
 */
#ifndef GVT_STAT_MEASURE_H
#define GVT_STAT_MEASURE_H

#include "tally.h"

/* in output order */
enum measure_id {
	MEASURE_SHARE,			/* per cent of the engine's time */
	MEASURE_COMPLETED,		/* workloads per second */
	MEASURE_MEAN,			/* of the latency, in ns, as all that follow */
	MEASURE_P50,
	MEASURE_P95,
	MEASURE_P99,
	MEASURE_WORST,
	MEASURES
};

/* how output shows a measure */
struct measure {
	const char *name;		/* for programs */
	const char *title;		/* for people, with unit */
	double shown;			/* factor from the value to the title's unit */
};

extern const struct measure measures[MEASURES];

/**
 * measure_all - all measures of a queue in a window
 * @cell: of the queue
 * @window_ns: length of the window
 * @values: filled; NAN: unknown
 */
void measure_all(const struct tally_cell *cell, int64_t window_ns, double values[MEASURES]);

/**
 * measure_reach - prediction interval for one more window
 * @values: of @count windows, at least one, none of them NAN; sorted on return
 *
 * The range of n windows contains the value of another one with a probability of (n - 1) / (n + 1)
 * (Wilks, Annals of Mathematical Statistics, 1941), 0.82 for ten. This extends each end by the
 * mean distance of the values, by which the range of evenly distributed ones falls short, but not
 * below 0.
 */
void measure_reach(double *values, unsigned int count, double *least, double *most);

/**
 * measure_blur - widen ranges by a workload more or less, as the bounds of windows are arbitrary
 * @values: what is expected of a window; @least, @most: by measure
 */
void measure_blur(const double values[MEASURES], int64_t window_ns, double least[MEASURES],
		  double most[MEASURES]);

#endif
