/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle engines, for rules: whose work waited, and whose turn it was.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_IDLE_PRIVATE_H
#define GVTTRACE_IDLE_PRIVATE_H

#include <stdint.h>

#include "idle.h"

/* whose turn it was while the engine was idle */
enum idle_turn {
	IDLE_TURN_NONE,			/* no vGPU's, or unknown */
	IDLE_TURN_OWN,			/* the vGPU whose work waited */
	IDLE_TURN_AT_WORK,		/* another vGPU, which had work for another engine */
	IDLE_TURN_VACANT,		/* another vGPU, which had no work at all */
	IDLE_TURNS
};

/**
 * idle_in_turn - an engine's time with @reason during such a turn, in ns
 * @reason: one with waiting work: neither IDLE_BUSY, IDLE_HOST nor IDLE_EMPTY
 */
int64_t idle_in_turn(struct idle *idle, const struct gpu_engine *engine,
		     enum idle_reason reason, enum idle_turn turn);

/**
 * idle_for - for how long an engine was idle while work in @queue waited, in ns
 * @reasons: bits 1 << enum idle_reason
 * @turns: bits 1 << enum idle_turn
 *
 * If work of several vGPUs waited at once, the time counts for the vGPU that used the
 * engine first.
 */
int64_t idle_for(struct idle *idle, const struct vgpu_engine *queue, unsigned int reasons,
		 unsigned int turns);

/**
 * idle_whose - the vGPU with the longest idle_for(); NULL: none
 */
const struct vgpu *idle_whose(struct idle *idle, const struct gpu_engine *engine,
			      unsigned int reasons, unsigned int turns);

#endif
