/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of a queue of a vGPU, as it was and as it would be.
 */
#ifndef GVT_STAT_MEASURE_H
#define GVT_STAT_MEASURE_H

#include "tally.h"

/* in the order in which they are told */
enum measure_id {
	MEASURE_SHARE,			/* per cent of the engine's time */
	MEASURE_COMPLETED,		/* workloads per second */
	MEASURE_MEAN,			/* of the latency, in ns, as the following ones */
	MEASURE_P50,
	MEASURE_P95,
	MEASURE_P99,
	MEASURE_WORST,
	MEASURES
};

/* how each is told */
struct measure {
	const char *name;		/* to programs */
	const char *title;		/* to people, with its unit, */
	double shown;			/* for which it is multiplied by this */
};

extern const struct measure measures[MEASURES];

/**
 * measure_all - all of a queue in a window
 * @cell: of the queue
 * @window_ns: length of the window
 * @values: filled; NAN: unknown
 */
void measure_all(const struct tally_cell *cell, int64_t window_ns, double values[MEASURES]);

#endif
