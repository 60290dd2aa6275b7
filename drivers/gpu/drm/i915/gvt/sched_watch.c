// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "sched_trace.h"
#include "sched_watch.h"

/**
 * intel_gvt_sched_decided - note when and why a switch was decided
 * @data: the scheduler's data
 * @choice: who shall run next
 * @now: the time
 *
 * Call with sched_lock held. While engines drain, the vGPU to switch to may change;
 * the decision to switch stays that of the first time.
 */
void intel_gvt_sched_decided(struct gvt_sched_data *data,
			     const struct gvt_sched_choice *choice, u64 now)
{
	struct gvt_sched_decision *decision = &data->decision;

	lockdep_assert_held(&data->gvt->sched_lock);

	if (!decision->made)
		decision->at_ns = now;
	decision->reason = choice->reason;
	decision->made = true;
}

/**
 * intel_gvt_sched_switch - trace a switch
 * @data: the scheduler's data
 * @now: the time
 *
 * Call with sched_lock held, after the previous vGPU's slice was charged and
 * before scheduler->next_vgpu becomes the current one.
 */
void intel_gvt_sched_switch(struct gvt_sched_data *data, u64 now)
{
	struct intel_gvt *gvt = data->gvt;
	struct intel_vgpu *next = gvt->scheduler.next_vgpu;
	/* Nobody is current after a stop; the stop was traced as a switch to idle */
	struct intel_vgpu *prev = gvt->scheduler.current_vgpu ?: gvt->idle_vgpu;

	lockdep_assert_held(&gvt->sched_lock);

	if (prev != next)
		trace_gvt_sched_switch(gvt_dev_index(gvt), prev->sched_data,
				       next->sched_data,
				       now - data->decision.at_ns,
				       data->decision.reason);
	data->decision.made = false;
}

/**
 * intel_gvt_sched_stop - trace that a vGPU is stopped
 * @data: the scheduler's data
 * @vgpu: the vGPU
 *
 * Call with sched_lock held, while scheduler->current_vgpu and next_vgpu may still
 * be @vgpu.
 */
void intel_gvt_sched_stop(struct gvt_sched_data *data, struct intel_vgpu *vgpu)
{
	struct intel_gvt *gvt = data->gvt;

	lockdep_assert_held(&gvt->sched_lock);

	if (gvt->scheduler.current_vgpu == vgpu)
		trace_gvt_sched_switch(gvt_dev_index(gvt), vgpu->sched_data,
				       gvt->idle_vgpu->sched_data, 0,
				       GVT_SWITCH_STOP);
	if (gvt->scheduler.current_vgpu == vgpu || gvt->scheduler.next_vgpu == vgpu)
		data->decision.made = false;
}

static struct intel_gvt *rq_to_gvt(struct gvt_sched_rq *rq)
{
	return container_of(rq, struct gvt_sched_data, rq)->gvt;
}

static void balanced(struct gvt_sched_rq *rq, int stage)
{
	u32 dev = gvt_dev_index(rq_to_gvt(rq));
	struct gvt_sched_entity *e;

	if (!trace_gvt_sched_balance_enabled())
		return;

	list_for_each_entry(e, &rq->entities, link)
		trace_gvt_sched_balance(dev, entity_to_sched_data(e), stage);
}

static void hold_ended(struct gvt_sched_rq *rq, const struct gvt_sched_hold *hold,
		       u64 now, enum gvt_hold_result result)
{
	trace_gvt_sched_hold(gvt_dev_index(rq_to_gvt(rq)), hold, now, result);
}

const struct gvt_sched_rq_ops gvt_sched_watch_ops = {
	.balanced = balanced,
	.hold_ended = hold_ended,
};
