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

static void clock_start(struct intel_gvt_exec_clock *clock,
			struct intel_gvt_exec_slot *slot, u64 now)
{
	slot->running_since_ns = now;
	if (!slot->started_ns)
		slot->started_ns = now;
	if (!clock->running++)
		clock->any_since_ns = now;
}

static void clock_stop(struct intel_gvt_exec_clock *clock,
		       struct intel_gvt_exec_slot *slot,
		       enum intel_engine_id engine, u64 now)
{
	u64 ran_ns = now - slot->running_since_ns;

	slot->running_since_ns = 0;
	slot->exec_ns += ran_ns;
	clock->engine_ns[engine] += ran_ns;
	if (!--clock->running)
		clock->any_ns += now - clock->any_since_ns;
}

/**
 * intel_gvt_exec_submit - remember a workload for the context-status notifier
 * @workload: a workload with a request that is about to be added
 *
 * Call before i915_request_add(), which may start the context at once, with the
 * vGPU's vgpu_lock held.
 */
void intel_gvt_exec_submit(const struct intel_vgpu_workload *workload)
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

/* Return: the slot of the request's workload, or NULL */
static struct intel_gvt_exec_slot *find_slot(struct intel_gvt_exec *exec,
					     const struct i915_request *rq)
{
	struct intel_gvt_exec_slot *slot = exec->slot[rq->engine->id];
	const struct intel_gvt_exec_slot *end = slot + GVT_EXEC_VGPUS;

	lockdep_assert_held(&exec->lock);

	for (; slot < end; slot++) {
		if (slot->ctx == rq->fence.context &&
		    slot->seqno == lower_32_bits(rq->fence.seqno))
			return slot;
	}

	return NULL;
}

/**
 * intel_gvt_exec_start - a vGPU's context goes onto the engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was given
 */
void intel_gvt_exec_start(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	struct intel_gvt_exec_slot *slot;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	slot = find_slot(exec, rq);
	if (slot) {
		if (!slot->running_since_ns)
			clock_start(&exec->clock[slot->vgpu_id], slot,
				    ktime_get_ns());
		trace_gvt_workload_start(gvt_dev_index(gvt), slot, rq);
	}
	spin_unlock_irqrestore(&exec->lock, flags);
}

/**
 * intel_gvt_exec_stop - a vGPU's context has left the engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was given
 */
void intel_gvt_exec_stop(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	struct intel_gvt_exec_slot *slot;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	slot = find_slot(exec, rq);
	if (slot) {
		if (slot->running_since_ns)
			clock_stop(&exec->clock[slot->vgpu_id], slot,
				   rq->engine->id, ktime_get_ns());
		trace_gvt_workload_stop(gvt_dev_index(gvt), slot, rq);
	}
	spin_unlock_irqrestore(&exec->lock, flags);
}

/**
 * intel_gvt_exec_finish - forget a workload that has left i915
 * @workload: a workload that was submitted and whose context has left the engine
 * @slot: receives what was known of it
 */
void intel_gvt_exec_finish(const struct intel_vgpu_workload *workload,
			   struct intel_gvt_exec_slot *slot)
{
	struct intel_vgpu *vgpu = workload->vgpu;
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	enum intel_engine_id engine = workload->engine->id;
	struct intel_gvt_exec_slot *own = &exec->slot[engine][vgpu->id];
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	if (own->running_since_ns)
		clock_stop(&exec->clock[vgpu->id], own, engine, ktime_get_ns());
	*slot = *own;
	*own = (struct intel_gvt_exec_slot) {};
	spin_unlock_irqrestore(&exec->lock, flags);
}

/**
 * intel_vgpu_exec_reset - begin to count a vGPU's execution time from 0
 * @vgpu: a new vGPU, whose id may have been another one's
 */
void intel_vgpu_exec_reset(struct intel_vgpu *vgpu)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	exec->clock[vgpu->id] = (struct intel_gvt_exec_clock) {};
	spin_unlock_irqrestore(&exec->lock, flags);
}

/**
 * intel_vgpu_exec_any_ns - for how long a vGPU was on at least one engine
 * @vgpu: the vGPU
 *
 * Return: the time since the vGPU was created, in ns, including up to now.
 */
u64 intel_vgpu_exec_any_ns(struct intel_vgpu *vgpu)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	const struct intel_gvt_exec_clock *clock = &exec->clock[vgpu->id];
	unsigned long flags;
	u64 exec_ns;

	spin_lock_irqsave(&exec->lock, flags);
	exec_ns = clock->any_ns;
	if (clock->running)
		exec_ns += ktime_get_ns() - clock->any_since_ns;
	spin_unlock_irqrestore(&exec->lock, flags);

	return exec_ns;
}

/**
 * intel_vgpu_exec_engine_ns - for how long a vGPU was on an engine
 * @vgpu: the vGPU
 * @engine: the engine
 *
 * Return: the time since the vGPU was created, in ns, including up to now.
 */
u64 intel_vgpu_exec_engine_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	const struct intel_gvt_exec_slot *slot = &exec->slot[engine][vgpu->id];
	unsigned long flags;
	u64 exec_ns;

	spin_lock_irqsave(&exec->lock, flags);
	exec_ns = exec->clock[vgpu->id].engine_ns[engine];
	if (slot->running_since_ns)
		exec_ns += ktime_get_ns() - slot->running_since_ns;
	spin_unlock_irqrestore(&exec->lock, flags);

	return exec_ns;
}
