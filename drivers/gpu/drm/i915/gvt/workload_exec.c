// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "i915_request.h"
#include "gvt.h"
#include "workload_exec.h"

static_assert(GVT_EXEC_VGPUS == GVT_MAX_VGPU);

/**
 * intel_gvt_exec_init - prepare the table of workloads at i915
 * @exec: the table, zeroed
 *
 * Call before the context-status notifier is registered.
 */
void intel_gvt_exec_init(struct intel_gvt_exec *exec)
{
	spin_lock_init(&exec->lock);
}

void __intel_gvt_exec_submit(const struct intel_vgpu_workload *workload)
{
	const struct intel_vgpu *vgpu = workload->vgpu;
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	unsigned long flags;

	lockdep_assert_held(&vgpu->vgpu_lock);

	spin_lock_irqsave(&exec->lock, flags);
	exec->slot[workload->engine->id][vgpu->id] =
		(struct intel_gvt_exec_slot) {
			.ctx = workload->req->fence.context,
			.seqno = workload->req->fence.seqno,
			.workload_id = workload->id,
			.vgpu_id = vgpu->id,
		};
	spin_unlock_irqrestore(&exec->lock, flags);
}

/* Return: whether the request's workload was found and copied to *found */
static bool find_slot(struct intel_gvt_exec *exec, const struct i915_request *rq,
		      struct intel_gvt_exec_slot *found)
{
	const struct intel_gvt_exec_slot *slot = exec->slot[rq->engine->id];
	const struct intel_gvt_exec_slot *end = slot + GVT_EXEC_VGPUS;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	while (slot < end && (slot->ctx != rq->fence.context ||
			      slot->seqno != lower_32_bits(rq->fence.seqno)))
		slot++;
	if (slot < end)
		*found = *slot;
	spin_unlock_irqrestore(&exec->lock, flags);

	return slot < end;
}

void __intel_gvt_exec_start(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec_slot slot;

	if (find_slot(&gvt->exec, rq, &slot))
		trace_gvt_workload_start(gvt_dev_index(gvt), &slot, rq);
}

void __intel_gvt_exec_stop(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec_slot slot;

	if (find_slot(&gvt->exec, rq, &slot))
		trace_gvt_workload_stop(gvt_dev_index(gvt), &slot, rq);
}
