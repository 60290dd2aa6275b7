// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "info.h"
#include "info_trace.h"

/**
 * intel_gvt_exec_trace_state - emit gvt_workload_state of a workload
 * @workload: a workload in its vGPU's queue
 *
 * Call with sched_lock held. The table's lock prevents execution events between the reading
 * of the state and this event.
 */
void intel_gvt_exec_trace_state(const struct intel_vgpu_workload *workload)
{
	const struct intel_vgpu *vgpu = workload->vgpu;
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	const struct intel_gvt_exec_slot *slot =
		&exec->slot[workload->engine->id][vgpu->id];
	unsigned long flags;

	lockdep_assert_held(&vgpu->gvt->sched_lock);

	spin_lock_irqsave(&exec->lock, flags);
	trace_gvt_workload_state(workload,
				 slot->workload_id == workload->id ? slot : NULL,
				 ktime_get_ns());
	spin_unlock_irqrestore(&exec->lock, flags);
}

/* Emit gvt_host_state of an engine, likewise under the table's lock */
void intel_gvt_exec_trace_host(struct intel_gvt *gvt, const struct intel_engine_cs *engine)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	struct intel_gvt_exec_engine figures;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	figures = intel_gvt_exec_host_now(exec, engine->id);
	trace_gvt_host_state(gvt_dev_index(gvt), engine, &figures,
			     exec->occupant[engine->id] == GVT_EXEC_HOST);
	spin_unlock_irqrestore(&exec->lock, flags);
}
