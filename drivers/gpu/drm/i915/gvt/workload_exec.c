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

/* Time since @since_ns, which is reset */
static u64 take_time(u64 *since_ns, u64 now)
{
	u64 since = fetch_and_zero(since_ns);

	return since ? now - since : 0;
}

static void clock_start(struct intel_gvt_exec_clock *clock,
			struct intel_gvt_exec_slot *slot,
			enum intel_engine_id engine, u64 now)
{
	clock->engine[engine].off_ns += take_time(&slot->taken_off_ns, now);
	clock->engine[engine].handover_ns += take_time(&slot->handover_ns, now);
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
	clock->engine[engine].exec_ns += ran_ns;
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
				    rq->engine->id, ktime_get_ns());
		trace_gvt_workload_start(gvt_dev_index(gvt), slot, rq);
	}
	spin_unlock_irqrestore(&exec->lock, flags);
}

static void stop(struct intel_gvt_exec_clock *clock, struct intel_gvt_exec_slot *slot,
		 const struct i915_request *rq, u64 now)
{
	clock_stop(clock, slot, rq->engine->id, now);
	if (i915_request_completed(rq))
		return;

	clock->engine[rq->engine->id].taken_off++;
	slot->taken_off_ns = now;
}

/**
 * intel_gvt_exec_stop - a vGPU's context has left the engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was given, or whose place
 *   another one takes
 *
 * Does nothing if that is known already.
 */
void intel_gvt_exec_stop(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	struct intel_gvt_exec_slot *slot;
	unsigned long flags;

	spin_lock_irqsave(&exec->lock, flags);
	slot = find_slot(exec, rq);
	if (slot && slot->running_since_ns) {
		stop(&exec->clock[slot->vgpu_id], slot, rq, ktime_get_ns());
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
 * intel_gvt_exec_running - whether a vGPU is on an engine
 * @gvt: the GVT device
 * @engine: the engine
 * @vgpu_id: the vGPU's id
 *
 * Return: true if its context has gone onto the engine and has not left it.
 */
bool intel_gvt_exec_running(struct intel_gvt *gvt, enum intel_engine_id engine, int vgpu_id)
{
	return READ_ONCE(gvt->exec.slot[engine][vgpu_id].running_since_ns);
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
