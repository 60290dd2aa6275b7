/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why each engine was idle: every moment of the window is either busy or has one
 * reason, so that the times sum to the window.
 *
 * The reasons are those of a work-conserving scheduler's view: could the engine
 * have run something, and what kept it? (A. Fiorini's thesis, Polytechnique
 * Montreal 2020, 4.4.1, found idle GPUs by eye; this counts them.) When several
 * apply, the first one counts.
 */
#ifndef GVTTRACE_IDLE_H
#define GVTTRACE_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "follow/follow.h"

/* what an engine's time went to */
enum idle_reason {
	IDLE_BUSY,			/* it was not idle: work of a vGPU executed */
	IDLE_HOST,			/* nor then: the host's own work did */
	IDLE_I915,			/* submitted work was not yet, or no longer, on it */
	IDLE_COMPLETION,		/* the CPU had yet to notice that work was finished */
	IDLE_DISPATCH,			/* the current vGPU's work was yet to be submitted */
	IDLE_SWITCHING,			/* engines were drained for, or the scheduler had */
					/* yet to make, a switch; or one vGPU's workload */
					/* made way for another one's */
	IDLE_HELD,			/* kept idle for an expected vGPU */
	IDLE_STRANDED,			/* a vGPU with a right to run had work for it, but it */
					/* was the turn of one without */
	IDLE_THROTTLED,			/* only vGPUs without slice had work for it */
	IDLE_CAPPED,			/* or whose cap was reached */
	IDLE_EMPTY,			/* there was no work for it */
	IDLE_UNKNOWN,			/* events are missing */
	IDLE_REASONS
};

/* one engine's time */
struct idle_row {
	int64_t time_ns[IDLE_REASONS];	/* sums to the window */
	int64_t longest_ns[IDLE_REASONS];
	int64_t longest_at_ns[IDLE_REASONS];
	/* whose work waited then, or one of them; NULL: nobody's */
	const struct vgpu *longest_vgpu[IDLE_REASONS];
};

struct idle;

/**
 * idle_new, idle_free - begin to look at all engines of @follow
 *
 * Adds itself to the followers. The follow must outlive it.
 */
struct idle *idle_new(struct follow *follow);
void idle_free(struct idle *idle);

/**
 * idle_finish - the trace was read to its end, and its window is known
 */
void idle_finish(struct idle *idle);

/**
 * idle_of - what an engine's time went to
 */
const struct idle_row *idle_of(struct idle *idle, const struct gpu_engine *engine);

/**
 * idle_reason_needs_turns - can it not be told without knowing whose turn it was?
 */
bool idle_reason_needs_turns(enum idle_reason reason);

/**
 * idle_reason_name - the name of a reason, as in columns: "throttled"
 */
const char *idle_reason_name(enum idle_reason reason);

#endif
