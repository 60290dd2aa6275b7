// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "sched_trace.h"
#include "sched_watch.h"

u32 gvt_lane_dev(const struct gvt_sched_lane *lane)
{
	return gvt_dev_index(lane->data->gvt);
}

static const struct intel_engine_cs *only_engine(const struct gvt_sched_lane *lane)
{
	return is_power_of_2(lane->engines) ?
		lane->data->gvt->gt->engine[gvt_lane_index(lane)] : NULL;
}

s16 gvt_lane_class(const struct gvt_sched_lane *lane)
{
	const struct intel_engine_cs *engine = only_engine(lane);

	return engine ? engine->uabi_class : I915_ENGINE_CLASS_INVALID;
}

s16 gvt_lane_instance(const struct gvt_sched_lane *lane)
{
	const struct intel_engine_cs *engine = only_engine(lane);

	return engine ? engine->uabi_instance : I915_ENGINE_CLASS_INVALID_NONE;
}

/**
 * intel_gvt_sched_decided - note when and why a switch was decided
 * @lane: the lane
 * @reason: why
 * @now: the time
 *
 * Call with sched_lock held. While engines drain, the vGPU to switch to may change;
 * the decision to switch stays that of the first time.
 */
void intel_gvt_sched_decided(struct gvt_sched_lane *lane, enum gvt_switch_reason reason,
			     u64 now)
{
	struct gvt_sched_decision *decision = &lane->decision;

	lockdep_assert_held(&lane->data->gvt->sched_lock);

	if (!decision->made)
		decision->at_ns = now;
	decision->reason = reason;
	decision->made = true;
}

/**
 * intel_gvt_sched_switch - trace a switch
 * @lane: the lane
 * @now: the time
 *
 * Call with sched_lock held, after the previous vGPU's slice was charged and
 * before @next_vgpu of the lane becomes the current one.
 */
void intel_gvt_sched_switch(struct gvt_sched_lane *lane, u64 now)
{
	struct intel_gvt *gvt = lane->data->gvt;
	struct intel_vgpu *next = lane->next_vgpu;
	/* Nobody is current after a stop; the stop was traced as a switch to idle */
	struct intel_vgpu *prev = lane->current_vgpu ?: gvt->idle_vgpu;

	lockdep_assert_held(&gvt->sched_lock);

	if (prev != next)
		trace_gvt_sched_switch(lane, gvt_lane_member(lane, prev),
				       gvt_lane_member(lane, next),
				       now - lane->decision.at_ns,
				       lane->decision.reason);
	lane->decision.made = false;
}

/**
 * intel_gvt_sched_stop - trace that a vGPU is stopped
 * @lane: the lane
 * @vgpu: the vGPU
 *
 * Call with sched_lock held, while the lane's @current_vgpu and @next_vgpu may still
 * be @vgpu.
 */
void intel_gvt_sched_stop(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu)
{
	struct intel_gvt *gvt = lane->data->gvt;

	lockdep_assert_held(&gvt->sched_lock);

	if (lane->current_vgpu == vgpu)
		trace_gvt_sched_switch(lane, gvt_lane_member(lane, vgpu),
				       gvt_lane_member(lane, gvt->idle_vgpu), 0,
				       GVT_SWITCH_STOP);
	if (lane->current_vgpu == vgpu || lane->next_vgpu == vgpu)
		lane->decision.made = false;
}

static const struct gvt_sched_lane *rq_to_lane(const struct gvt_sched_rq *rq)
{
	return container_of(rq, struct gvt_sched_lane, rq);
}

static void balanced(struct gvt_sched_rq *rq, int stage)
{
	struct gvt_sched_entity *e;

	if (!trace_gvt_sched_balance_enabled())
		return;

	list_for_each_entry(e, &rq->entities, link)
		trace_gvt_sched_balance(rq_to_lane(rq), e, stage);
}

static void hold_ended(struct gvt_sched_rq *rq, const struct gvt_sched_hold *hold,
		       u64 now, enum gvt_hold_result result)
{
	trace_gvt_sched_hold(rq_to_lane(rq), hold, now, result);
}

const struct gvt_sched_rq_ops gvt_sched_watch_ops = {
	.balanced = balanced,
	.hold_ended = hold_ended,
};
