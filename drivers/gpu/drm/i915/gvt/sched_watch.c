// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "sched_watch.h"

void __intel_gvt_sched_decided(struct gvt_sched_data *data)
{
	struct intel_gvt *gvt = data->gvt;
	struct intel_vgpu *prev = gvt->scheduler.current_vgpu;
	struct vgpu_sched_data *next_data = gvt->scheduler.next_vgpu->sched_data;
	struct vgpu_sched_data *prev_data = prev ? prev->sched_data : NULL;

	lockdep_assert_held(&gvt->sched_lock);

	/* Engines are still draining. need_reschedule also stays set after a stop. */
	if (gvt->scheduler.need_reschedule &&
	    data->decision.state != GVT_DECISION_VOID)
		return;

	data->decision = (struct gvt_sched_decision) {
		.at = ktime_get(),
		.reason = gvt_switch_reason(prev && vgpu_has_pending_workload(prev),
					    prev ? ktime_to_ns(prev_data->left_ts) : 0,
					    next_data->pri_sched),
		.state = GVT_DECISION_KNOWN,
	};
}

void __intel_gvt_sched_switch(struct gvt_sched_data *data, ktime_t now)
{
	struct intel_gvt *gvt = data->gvt;
	struct intel_vgpu *next = gvt->scheduler.next_vgpu;
	/* Nobody is current after a stop; the stop was traced as a switch to idle */
	struct intel_vgpu *prev = gvt->scheduler.current_vgpu ?: gvt->idle_vgpu;

	lockdep_assert_held(&gvt->sched_lock);

	if (data->decision.state == GVT_DECISION_KNOWN && prev != next)
		trace_gvt_sched_switch(gvt_dev_index(gvt), prev->sched_data,
				       next->sched_data,
				       ktime_to_ns(ktime_sub(now, data->decision.at)),
				       data->decision.reason);
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
		data->decision.state = GVT_DECISION_VOID;
}

void __intel_gvt_sched_balanced(const struct gvt_sched_data *data, int stage)
{
	const struct vgpu_sched_data *vgpu_data;

	lockdep_assert_held(&data->gvt->sched_lock);

	list_for_each_entry(vgpu_data, &data->lru_runq_head, lru_list)
		trace_gvt_sched_balance(gvt_dev_index(data->gvt), vgpu_data, stage);
}
