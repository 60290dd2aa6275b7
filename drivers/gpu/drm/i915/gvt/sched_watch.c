// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "lane_trace.h"
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

u32 gvt_lane_turn_id(const struct gvt_sched_lane *lane)
{
	return lane->state.turn ? entity_to_vgpu(lane->state.turn)->id : 0;
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
 * intel_gvt_sched_trace_switch - trace the passing of a turn
 * @lane: the lane
 * @prev: the vGPU whose turn ends, or the idle vGPU
 * @next: the vGPU whose turn begins, or the idle vGPU
 * @since_ns: time since the decision
 * @reason: reason for the switch
 *
 * Call with sched_lock held, after the previous vGPU's slice was charged.
 */
void intel_gvt_sched_trace_switch(const struct gvt_sched_lane *lane,
				  const struct vgpu_sched_lane *prev,
				  const struct vgpu_sched_lane *next, u64 since_ns,
				  enum gvt_switch_reason reason)
{
	lockdep_assert_held(&lane->data->gvt->sched_lock);

	trace_gvt_sched_switch(lane, prev, next, since_ns, reason);
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

/**
 * gvt_lane_look - collect the state of a lane's vGPUs
 * @lane: the lane
 *
 * Return: the state, one bit for each vGPU.
 */
struct gvt_lane_look gvt_lane_look(const struct gvt_sched_lane *lane)
{
	struct gvt_lane_look look = {};
	struct gvt_sched_entity *e;
	u16 bit;

	list_for_each_entry(e, &lane->rq.entities, link) {
		bit = BIT(entity_to_vgpu(e)->id);
		look.busy |= e->busy ? bit : 0;
		look.in_flight |= e->in_flight ? bit : 0;
		look.offered |= e->offered ? bit : 0;
		look.executes |= e->executes ? bit : 0;
		look.preemptible |= e->preemptible ? bit : 0;
	}

	return look;
}
