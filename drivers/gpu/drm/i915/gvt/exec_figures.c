// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "workload_exec.h"

/**
 * intel_vgpu_exec_reset - reset a vGPU's execution counters
 * @vgpu: a new vGPU, whose id may have belonged to an earlier vGPU
 */
void intel_vgpu_exec_reset(struct intel_vgpu *vgpu)
{
	struct intel_gvt_exec *exec = &vgpu->gvt->exec;
	unsigned long flags;

	/* The idle vGPU has the host's id, and the host may already be executing */
	if (vgpu->id == GVT_EXEC_HOST)
		return;

	spin_lock_irqsave(&exec->lock, flags);
	exec->clock[vgpu->id] = (struct intel_gvt_exec_clock) {};
	spin_unlock_irqrestore(&exec->lock, flags);
}

/**
 * intel_vgpu_exec_any_ns - how long a vGPU has executed on at least one engine
 * @vgpu: the vGPU
 *
 * Return: the total from the vGPU's creation up to now, in ns.
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
 * intel_vgpu_exec_engine_ns - how long a vGPU has executed on an engine
 * @vgpu: the vGPU
 * @engine: the engine
 *
 * Return: the total from the vGPU's creation up to now, in ns.
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
 * intel_gvt_exec_had_ns - how long an engine has worked for the host or a vGPU
 * @exec: the table of workloads at i915; its lock need not be held
 * @engine: the engine
 * @id: %GVT_EXEC_HOST or the vGPU's id
 * @now: the time
 *
 * Return: the total up to @now since kvmgt was loaded, of all vGPUs that have had the id.
 */
u64 intel_gvt_exec_had_ns(const struct intel_gvt_exec *exec, enum intel_engine_id engine,
			  int id, u64 now)
{
	s64 had_ns = READ_ONCE(exec->had_ns[engine][id]);

	return had_ns + (had_ns < 0 ? now : 0);
}

/**
 * intel_gvt_exec_had - who has had an engine for how long
 * @exec: the table of workloads at i915
 * @engine: the engine
 * @now: the time
 *
 * Return: intel_gvt_exec_had_ns() of all.
 */
struct gvt_exec_had intel_gvt_exec_had(const struct intel_gvt_exec *exec,
				       enum intel_engine_id engine, u64 now)
{
	struct gvt_exec_had had;
	int id;

	for (id = 0; id < GVT_EXEC_VGPUS; id++)
		had.ns[id] = intel_gvt_exec_had_ns(exec, engine, id, now);

	return had;
}

/**
 * intel_vgpu_exec_engine - a vGPU's execution counters for an engine
 * @vgpu: the vGPU
 * @engine: the engine
 *
 * Return: counters from the vGPU's creation until it last left the engine.
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
 * intel_gvt_exec_host_now - the host's execution counters for an engine
 * @exec: the table of workloads at i915, with its lock held
 * @engine: the engine
 *
 * Return: counters from the loading of kvmgt up to now. %handover_ns is how long the engine
 * had contexts of the host while other contexts had yet to leave the engine.
 */
struct intel_gvt_exec_engine intel_gvt_exec_host_now(struct intel_gvt_exec *exec,
						     enum intel_engine_id engine)
{
	const struct intel_gvt_exec_slot *slot = &exec->slot[engine][GVT_EXEC_HOST];
	struct intel_gvt_exec_engine figures = exec->clock[GVT_EXEC_HOST].engine[engine];

	lockdep_assert_held(&exec->lock);

	/* Do not read the clock if the host is idle */
	if (slot->running_since_ns)
		figures.exec_ns += ktime_get_ns() - slot->running_since_ns;
	if (slot->handover_ns)
		figures.handover_ns += ktime_get_ns() - slot->handover_ns;
	return figures;
}

/**
 * intel_gvt_exec_host - the host's execution counters for an engine
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
 * intel_gvt_exec_host_alone_ns - how long the host has executed on any engine, and no vGPU did
 * @gvt: the GVT device
 *
 * Return: the total up to now, in ns; time on several engines at once counts once.
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
 * Return: true if the engine has the context, even if another context has yet to leave the
 * engine.
 */
bool intel_gvt_exec_is_given(struct intel_gvt *gvt, enum intel_engine_id engine, int vgpu_id)
{
	return READ_ONCE(gvt->exec.slot[engine][vgpu_id].rq);
}

/**
 * intel_gvt_exec_handover - note that a hand-over to a vGPU's workload begins
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
