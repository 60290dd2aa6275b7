// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "workload_exec.h"

/**
 * intel_vgpu_exec_reset - begin to count a vGPU's execution time from 0
 * @vgpu: a new vGPU, whose id may have been another one's
 */
void intel_vgpu_exec_reset(struct intel_vgpu *vgpu)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	unsigned long flags;

	/* The idle vGPU's id is the host's, who may be executing by now */
	if (vgpu->id == GVT_EXEC_HOST)
		return;

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
	exec_ns = exec->clock[vgpu->id].engine[engine].exec_ns;
	if (slot->running_since_ns)
		exec_ns += ktime_get_ns() - slot->running_since_ns;
	spin_unlock_irqrestore(&exec->lock, flags);

	return exec_ns;
}

/**
 * intel_vgpu_exec_engine - what a vGPU did on an engine
 * @vgpu: the vGPU
 * @engine: the engine
 *
 * Return: counters since the vGPU was created, as of when it last left the engine.
 */
struct intel_gvt_exec_engine intel_vgpu_exec_engine(struct intel_vgpu *vgpu,
						    enum intel_engine_id engine)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	struct intel_gvt_exec_engine figures;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	figures = exec->clock[vgpu->id].engine[engine];
	spin_unlock_irqrestore(&exec->lock, flags);

	return figures;
}

/**
 * intel_gvt_exec_host_now - what the host did on an engine
 * @exec: the table of workloads at i915, with its lock held
 * @engine: the engine
 *
 * Return: counters since kvmgt was loaded, including up to now. %handover_ns is for how long
 * the host's contexts were with the engine while others had to make way.
 */
struct intel_gvt_exec_engine intel_gvt_exec_host_now(struct intel_gvt_exec *exec,
						     enum intel_engine_id engine)
{
	const struct intel_gvt_exec_slot *slot = &exec->slot[engine][GVT_EXEC_HOST];
	struct intel_gvt_exec_engine figures = exec->clock[GVT_EXEC_HOST].engine[engine];

	lockdep_assert_held(&exec->lock);

	/* An idle host costs no look at the clock */
	if (slot->running_since_ns)
		figures.exec_ns += ktime_get_ns() - slot->running_since_ns;
	if (slot->handover_ns)
		figures.handover_ns += ktime_get_ns() - slot->handover_ns;
	return figures;
}

/**
 * intel_gvt_exec_host - what the host did on an engine
 * @gvt: the GVT device
 * @engine: the engine
 *
 * Return: as intel_gvt_exec_host_now().
 */
struct intel_gvt_exec_engine intel_gvt_exec_host(struct intel_gvt *gvt,
						 enum intel_engine_id engine)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	struct intel_gvt_exec_engine figures;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	figures = intel_gvt_exec_host_now(exec, engine);
	spin_unlock_irqrestore(&exec->lock, flags);

	return figures;
}

/**
 * intel_gvt_exec_host_alone_ns - for how long the host executed and no vGPU did
 * @gvt: the GVT device
 *
 * Return: the time on all engines together, in ns, including up to now.
 */
u64 intel_gvt_exec_host_alone_ns(struct intel_gvt *gvt)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	unsigned long flags;
	u64 alone_ns;

	spin_lock_irqsave(&exec->lock, flags);
	alone_ns = exec->host_alone_ns;
	if (exec->host_alone_since_ns)
		alone_ns += ktime_get_ns() - exec->host_alone_since_ns;
	spin_unlock_irqrestore(&exec->lock, flags);

	return alone_ns;
}

/**
 * intel_gvt_exec_is_given - whether i915 has given a vGPU's context to an engine
 * @gvt: the GVT device
 * @engine: the engine
 * @vgpu_id: the vGPU's id
 *
 * Return: true if it has, and the context has not left the engine; it may yet have to wait
 * there until another one makes way.
 */
bool intel_gvt_exec_is_given(struct intel_gvt *gvt, enum intel_engine_id engine, int vgpu_id)
{
	return READ_ONCE(gvt->exec.slot[engine][vgpu_id].rq);
}

/**
 * intel_gvt_exec_handover - others begin to make way for a vGPU's workload
 * @vgpu: the vGPU
 * @engine: the engine
 * @now: the time
 */
void intel_gvt_exec_handover(struct intel_vgpu *vgpu, enum intel_engine_id engine,
			     u64 now)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	exec->slot[engine][vgpu->id].handover_ns = now;
	spin_unlock_irqrestore(&exec->lock, flags);
}
