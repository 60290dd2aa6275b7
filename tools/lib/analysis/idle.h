/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why each engine was idle: every moment of the window is either busy or has one
 * reason, so that the times sum to the window.
 *
 * The reasons take the view of a work-conserving scheduler: could the engine have
 * run something, and why did it not? (A. Fiorini's thesis, Polytechnique
 * Montreal 2020, 4.4.1, found idle GPUs by eye; this counts them.) If several
 * apply, the first one counts.
 */
#ifndef GVTTRACE_IDLE_H
#define GVTTRACE_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "follow/follow.h"

/* use of an engine's time */
enum idle_reason {
	IDLE_BUSY,			/* not idle: a vGPU's work ran */
	IDLE_HOST,			/* not idle: the host's own work ran */
	IDLE_I915,			/* submitted work was not yet, or no longer, running */
	IDLE_COMPLETION,		/* work had finished, but the CPU had yet to notice */
	IDLE_DISPATCH,			/* the current vGPU's work had yet to be submitted */
	IDLE_SWITCHING,			/* engines drained for a switch, or the scheduler had */
					/* yet to make one; or one vGPU's workload made */
					/* way for another vGPU's */
	IDLE_HELD,			/* held idle for an expected vGPU */
	IDLE_STRANDED,			/* an eligible vGPU had work for it, but another */
					/* vGPU without work for it had the turn */
	IDLE_THROTTLED,			/* only vGPUs without slice had work for it */
	IDLE_CAPPED,			/* only those or vGPUs at their cap had work for it */
	IDLE_EMPTY,			/* no vGPU had work for it */
	IDLE_UNKNOWN,			/* events are missing */
	IDLE_REASONS
};

/* one engine's time by use */
struct idle_row {
	int64_t time_ns[IDLE_REASONS];	/* sums to the window */
	int64_t longest_ns[IDLE_REASONS];
	int64_t longest_at_ns[IDLE_REASONS];
	/* a vGPU whose work waited then; NULL: none */
	const struct vgpu *longest_vgpu[IDLE_REASONS];
};

struct idle;

/**
 * idle_new, idle_free - begin to analyse all engines of @follow
 *
 * Adds an analysis to @follow, which must outlive the idle.
 */
struct idle *idle_new(struct follow *follow);
void idle_free(struct idle *idle);

/**
 * idle_finish - complete the rows, after reading the trace and with a final window
 */
void idle_finish(struct idle *idle);

/**
 * idle_of - an engine's time by use
 */
const struct idle_row *idle_of(struct idle *idle, const struct gpu_engine *engine);

/**
 * idle_reason_needs_turns - is the reason unknown without knowing whose turn it was?
 */
bool idle_reason_needs_turns(enum idle_reason reason);

/**
 * idle_reason_name - name of a reason, as in columns: "throttled"
 */
const char *idle_reason_name(enum idle_reason reason);

#endif
