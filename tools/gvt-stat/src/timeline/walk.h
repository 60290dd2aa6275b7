/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes along a timeline: who executes between one moment and the next, and where the samples are.
 */
#ifndef GVT_STAT_TIMELINE_WALK_H
#define GVT_STAT_TIMELINE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline.h"

/* a time, not empty, in which nobody begins or ends, and no sample is taken */
struct leg {
	int64_t from_ns, to_ns;
	const uint32_t *active;		/* consumers that execute, ascending */
	unsigned int nr_active;
	const uint32_t *work;		/* by consumer: of which of the timeline's works, or SPAN_NO_WORK */
	bool unsure;			/* events were lost: others may execute, too */
};

struct walker {
	void (*leg)(void *ctx, const struct leg *leg);
	/* @before: the one before it; NULL: what was counted since then is not known, or it is the first */
	void (*sample)(void *ctx, const struct level *before, const struct level *now);
	void *ctx;
};

/**
 * timeline_walk - call the walker for each leg and sample, in chronological order
 * @timeline: complete
 *
 * A sample that may be of up to an update ago, shortly after and before others that are not, is left out:
 * what was counted between those is known better than its two parts.
 */
void timeline_walk(const struct timeline *timeline, const struct walker *walker);

#endif
