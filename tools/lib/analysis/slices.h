/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The turns of vGPUs on a GPU, or on each engine where engines have their own turns,
 * from gvt_sched_switch.
 */
#ifndef GVTTRACE_SLICES_H
#define GVTTRACE_SLICES_H

#include <stdint.h>

#include "follow/follow.h"
#include "trace/events.h"
#include "trace/timespan.h"

/* one vGPU's turns inside the window, summed over engines */
struct slices_row {
	int64_t dev, vgpu_id;
	int64_t turns;			/* turns that began inside the window */
	int64_t scheduled_ns;		/* length of turns inside the window; lower bound */
	int64_t whole_turns;		/* traced from begin to end, begun in the window */
	int64_t whole_turns_ns;
	int64_t drains;			/* number of drains */
	int64_t drain_max_ns, drain_max_at_ns;	/* longest drain, and its end */
	int64_t drain_ns;		/* total, each from the decision to switch until drained */
	int64_t left_min_ns;		/* minimum left of a slice; negative: debt; or UNKNOWN */
	int64_t reasons[SWITCH_REASONS];	/* why its turns ended */
	int64_t boosted_from_ns, boosted_to_ns;	/* longest turn by a start boost; 0: none */
};

struct slices;

/**
 * slices_new - no turns yet; slices_free() frees
 * @window: its end need not be known yet
 */
struct slices *slices_new(struct window window);
void slices_free(struct slices *slices);

/**
 * slices_follow - count turns while @follow runs
 */
void slices_follow(struct slices *slices, struct follow *follow);

/**
 * slices_finish - the trace ended: clip the last turns
 * @window: as in slices_new(), with its end
 */
void slices_finish(struct slices *slices, struct window window);

/**
 * slices_of - the row of one vGPU; NULL if it had no turn
 */
const struct slices_row *slices_of(const struct slices *slices, int64_t dev, int64_t vgpu_id);

/**
 * slices_unknown_ns - for how many ns lost events hide which vGPU of a GPU had the turn
 * @engines: of all GPUs, of struct gpu_engine; summed over engines with their own turns
 */
int64_t slices_unknown_ns(const struct slices *slices, int64_t dev, const GPtrArray *engines);

#endif
