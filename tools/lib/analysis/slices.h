/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The turns that vGPUs get on a GPU, or where engines have turns of their own on
 * each of them, from gvt_sched_switch.
 */
#ifndef GVTTRACE_SLICES_H
#define GVTTRACE_SLICES_H

#include <stdint.h>

#include "follow/follow.h"
#include "trace/events.h"
#include "trace/timespan.h"

/* one vGPU's turns inside the window; those on several engines at once are summed */
struct slices_row {
	int64_t dev, vgpu_id;
	int64_t turns;			/* that began inside the window */
	int64_t scheduled_ns;		/* being the current vGPU inside the window; at least */
	int64_t whole_turns;		/* begin and end seen, begun inside the window */
	int64_t whole_turns_ns;
	int64_t drains;			/* how often @drain_ns was told */
	int64_t drain_max_ns, drain_max_at_ns;	/* the longest one, and when it ended */
	int64_t drain_ns;		/* from each decision to switch away until drained */
	int64_t left_min_ns;		/* least left of a slice; negative is debt; or UNKNOWN */
	int64_t reasons[SWITCH_REASONS];	/* why its turns ended */
	int64_t boosted_from_ns, boosted_to_ns;	/* its longest turn by a start boost; 0: none */
};

struct slices;

/**
 * slices_new - nothing seen yet; slices_free() frees
 * @window: its end need not be known yet
 */
struct slices *slices_new(struct window window);
void slices_free(struct slices *slices);

/**
 * slices_analysis - to be added to the followers of the trace
 */
struct analysis slices_analysis(struct slices *slices);

/**
 * slices_finish - the trace is over: the last turns are clipped
 * @window: as in slices_new(), with its end
 */
void slices_finish(struct slices *slices, struct window window);

/**
 * slices_of - the turns of one vGPU; NULL if it had none
 */
const struct slices_row *slices_of(const struct slices *slices, int64_t dev, int64_t vgpu_id);

/**
 * slices_unknown_ns - so many ns lost events leave it unknown which vGPU of a GPU was current
 * @engines: of all GPUs, of struct gpu_engine; summed over those that have turns of their own
 */
int64_t slices_unknown_ns(const struct slices *slices, int64_t dev, const GPtrArray *engines);

#endif
