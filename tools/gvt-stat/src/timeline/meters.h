/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples by the counter that they say they are of. Of all counters that a trace names, one is
 * believed: that of most samples. A damaged sample must not decide which one that is.
 */
#ifndef GVT_STAT_TIMELINE_METERS_H
#define GVT_STAT_TIMELINE_METERS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "trace/energy-sample.h"

/* so many different counters are remembered; more are damage */
#define METERS_MAX	16

/* the counter at a time, since the first sample */
struct level {
	int64_t at_ns;			/* ascends strictly */
	uint64_t counts;
	bool broken;			/* what was counted since the level before is not known: */
					/* the counter began anew */
	bool vague;			/* not at an update: may be of up to an update ago */
};

/* i915's counters at a time; any may be UNKNOWN */
struct gpu_level {
	int64_t at_ns;
	struct energy_gpu gpu;
};

struct meter {
	struct energy_counter counter;
	uint64_t last;			/* its value in the last sample */
	int64_t on_edges;		/* samples at an update of the counter */
	int64_t broken;			/* how often it began anew */
	GArray *levels;			/* struct level */
	GArray *gpu;			/* struct gpu_level, where samples have any */
};

/**
 * meters_new - no samples yet; meters_free() frees
 *
 * Returns an array of struct meter.
 */
GArray *meters_new(void);
void meters_free(GArray *meters);

/**
 * meters_add - add a sample; one that is not after the last one of its counter is left out
 * @at_ns: when the counter came to its value
 *
 * Returns false if there are too many counters.
 */
bool meters_add(GArray *meters, const struct energy_sample *sample, int64_t at_ns);

/**
 * meters_best - the one with most samples, of several the first; NULL: there is none
 */
const struct meter *meters_best(const GArray *meters);

#endif
