// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/inside.h"
#include "trace/util.h"
#include "idle-time-private.h"

const char *idle_reason_name(enum idle_reason reason)
{
	static const char *const names[IDLE_REASONS] = {
		[IDLE_BUSY] = "busy", [IDLE_HOST] = "host", [IDLE_I915] = "i915", [IDLE_COMPLETION] = "completion",
		[IDLE_DISPATCH] = "dispatch", [IDLE_SWITCHING] = "switching",
		[IDLE_HELD] = "held", [IDLE_STRANDED] = "stranded",
		[IDLE_THROTTLED] = "throttled", [IDLE_CAPPED] = "capped", [IDLE_EMPTY] = "empty",
		[IDLE_UNKNOWN] = "unknown",
	};

	return names[reason];
}

bool idle_reason_needs_turns(enum idle_reason reason)
{
	return reason >= IDLE_DISPATCH && reason <= IDLE_CAPPED;
}

/* why one queue's work does not run on its idle engine */
static enum idle_reason reason_of_queue(const struct vgpu_engine *queue)
{
	static const enum idle_reason reasons[WAIT_CLASSES] = {
		[WAIT_NONE] = IDLE_EMPTY, [WAIT_UNKNOWN] = IDLE_UNKNOWN,
		[WAIT_THROTTLED] = IDLE_THROTTLED, [WAIT_CAPPED] = IDLE_CAPPED,
		[WAIT_SWITCHING] = IDLE_SWITCHING, [WAIT_HELD] = IDLE_HELD,
		[WAIT_PREEMPTED] = IDLE_SWITCHING, [WAIT_CURRENT] = IDLE_DISPATCH,
	};
	int64_t left_ns;

	if (queue->class != WAIT_OTHER)
		return reasons[queue->class];
	if (queue->vgpu->gpu->lends)
		return IDLE_STRANDED;
	left_ns = vgpu_slice(queue->vgpu, queue->engine)->left_ns;
	if (!known(left_ns))
		return IDLE_UNKNOWN;
	if (left_ns > 0)
		return IDLE_STRANDED;
	return queue->vgpu->gpu->policy_lost ? IDLE_UNKNOWN : IDLE_THROTTLED;
}

/* the reason that counts: the first in the order of the enumeration */
static enum idle_reason least(enum idle_reason a, enum idle_reason b)
{
	if (a == IDLE_UNKNOWN && b > IDLE_STRANDED)
		return a;
	if (b == IDLE_UNKNOWN && a > IDLE_STRANDED)
		return b;
	return MIN(a, b);
}

/* Preempted work makes way for submitted work of the vGPU that has the turn. */
static bool is_handed_over(const struct gpu_engine *engine)
{
	const struct turn *turn = &engine->turn;

	if (!turn->known || !turn->current || engine->submitted == engine->preempted)
		return false;
	for (unsigned int nr = 0; engine->preempted && nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->preempted && queue->vgpu != turn->current)
			return true;
	}
	return false;
}

/* If no vGPU has the engine's own turn, i915 may still have its vGPUs' work. */
static bool is_kept_out(const struct gpu_engine *engine)
{
	if (!engine->turn.known || engine->turn.current)
		return false;
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if ((queue->ahead || queue->preempted) &&
		    (queue->class == WAIT_THROTTLED || queue->class == WAIT_CAPPED))
			return true;
	}
	return false;
}

enum idle_reason idle_reason_of(const struct gpu_engine *engine)
{
	enum idle_reason reason = IDLE_EMPTY;

	if (host_runs(engine))
		return IDLE_HOST;
	if (engine->doubtful)
		return IDLE_UNKNOWN;
	if (engine->running)
		return IDLE_BUSY;
	if (host_unsure(engine))
		return IDLE_UNKNOWN;
	if (is_handed_over(engine))
		return IDLE_SWITCHING;
	if (engine->submitted && !is_kept_out(engine))
		return IDLE_I915;
	if (engine->finishing)
		return IDLE_COMPLETION;
	/* IDLE_DISPATCH precedes all reasons of queues */
	for (unsigned int nr = 0; reason != IDLE_DISPATCH && nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->class != WAIT_NONE)
			reason = least(reason, reason_of_queue(queue));
	}
	return reason;
}

/* the first queue with work that does not run, and did not finish, on the engine */
static const struct vgpu_engine *queue_of(const struct gpu_engine *engine,
					  enum idle_reason reason)
{
	bool submitted = reason == IDLE_I915 || reason == IDLE_COMPLETION;

	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		const struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (submitted ? queue->in_flight : queue->class != WAIT_NONE &&
		    reason_of_queue(queue) == reason)
			return queue;
	}
	return NULL;
}

/* With exclusive dispatch, only this vGPU's work can be on the other engines. */
static bool is_at_work(const struct vgpu *vgpu, const struct gpu_engine *but)
{
	const struct gpu *gpu = but->gpu;

	for (unsigned int nr = 0; nr < gpu->engines->len; nr++) {
		const struct gpu_engine *engine = gpu->engines->pdata[nr];

		if (engine != but && (engine->running || engine->submitted || engine->finishing))
			return true;
	}
	return vgpu->pending;
}

enum idle_turn idle_turn_of(const struct gpu_engine *engine, const struct vgpu_engine *queue)
{
	const struct turn *turn = &engine->turn;

	if (!turn->known || !turn->current)
		return IDLE_TURN_NONE;
	if (queue && turn->current == queue->vgpu)
		return IDLE_TURN_OWN;
	return !engine->gpu->per_engine && is_at_work(turn->current, engine) ?
	       IDLE_TURN_AT_WORK : IDLE_TURN_VACANT;
}

/* Preempted work does not resume while another vGPU is expected, or has ended. */
static void park(struct engine_time *time, const struct gpu_engine *engine)
{
	time->now.several = engine->submitted > 1;
	time->now.off = engine->preempted == engine->submitted;
	if (!time->now.off || time->parked)
		return;
	time->parked = true;
	time->parked_ns = time->now.from_ns;
}

void idle_begin(struct engine_time *time, const struct gpu_engine *engine,
		enum idle_reason reason)
{
	struct segment *now = &time->now;

	now->reason = reason;
	now->queue = NULL;
	now->turn = IDLE_TURN_NONE;
	now->several = false;
	if (time->parked && !engine->preempted)
		time->parked = false;
	if (!idle_is_wait(reason))
		return;
	/* if events are missing, perhaps nothing waited */
	if (!engine->doubtful)
		now->queue = queue_of(engine, reason);
	now->turn = idle_turn_of(engine, now->queue);
	if (reason == IDLE_I915)
		park(time, engine);
	else if (reason == IDLE_COMPLETION)
		now->alone = !engine->gpu->per_engine;
}
