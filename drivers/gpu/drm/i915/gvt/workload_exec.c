// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "i915_request.h"
#include "gt/intel_context.h"
#include "gt/intel_engine.h"
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
	enum intel_engine_id engine;

	spin_lock_init(&exec->lock);
	for (engine = 0; engine < I915_NUM_ENGINES; engine++)
		exec->occupant[engine] = GVT_EXEC_NOBODY;
}

/* Time since @since_ns, which is reset */
static u64 take_time(u64 *since_ns, u64 now)
{
	u64 since = fetch_and_zero(since_ns);

	return since ? now - since : 0;
}

/* Call after the host or a vGPU has begun or ceased to execute on an engine */
static void count_host_alone(struct intel_gvt_exec *exec, u64 now)
{
	exec->host_alone_ns += take_time(&exec->host_alone_since_ns, now);
	if (exec->clock[GVT_EXEC_HOST].running && !exec->vgpus)
		exec->host_alone_since_ns = now;
}

static void clock_start(struct intel_gvt_exec *exec, enum intel_engine_id engine, int id,
			u64 now)
{
	struct intel_gvt_exec_slot *slot = &exec->slot[engine][id];
	struct intel_gvt_exec_clock *clock = &exec->clock[id];
	s64 *had_ns = &exec->had_ns[engine][id];

	WRITE_ONCE(*had_ns, *had_ns - now);
	clock->engine[engine].off_ns += take_time(&slot->preempted_ns, now);
	clock->engine[engine].handover_ns += take_time(&slot->handover_ns, now);
	slot->running_since_ns = now;
	if (!slot->started_ns) {
		slot->started_ns = now;
		slot->had = intel_gvt_exec_had(exec, engine, now);
	}
	if (!clock->running++)
		clock->any_since_ns = now;
	exec->vgpus += id != GVT_EXEC_HOST;
	exec->occupant[engine] = id;
	count_host_alone(exec, now);
}

static void clock_stop(struct intel_gvt_exec *exec, enum intel_engine_id engine, int id,
		       u64 now)
{
	struct intel_gvt_exec_slot *slot = &exec->slot[engine][id];
	struct intel_gvt_exec_clock *clock = &exec->clock[id];
	u64 ran_ns = take_time(&slot->running_since_ns, now);
	s64 *had_ns = &exec->had_ns[engine][id];

	WRITE_ONCE(*had_ns, *had_ns + now);
	slot->exec_ns += ran_ns;
	clock->engine[engine].exec_ns += ran_ns;
	if (!--clock->running)
		clock->any_ns += now - clock->any_since_ns;
	exec->vgpus -= id != GVT_EXEC_HOST;
	exec->host_stays += id == GVT_EXEC_HOST;
	exec->occupant[engine] = GVT_EXEC_NOBODY;
	count_host_alone(exec, now);
}

/**
 * intel_gvt_exec_submit - record a workload for the context-status notifier
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

static int who_executes(struct intel_gvt_exec *exec, const struct i915_request *rq)
{
	const struct intel_gvt_exec_slot *slot;

	if (!rq)
		return GVT_EXEC_NOBODY;
	if (rq->context == exec->own_ce[rq->engine->id])
		return GVT_EXEC_OTHER;
	if (!intel_context_force_single_submission(rq->context))
		return GVT_EXEC_HOST;

	slot = find_slot(exec, rq);
	return slot ? (int)slot->vgpu_id : GVT_EXEC_OTHER;
}

/*
 * The request that an engine executed last: i915 advances @active past a finished request before
 * it calls the notifier, and only then drops its reference. NULL if newly submitted requests have
 * replaced those in @inflight instead.
 */
static const struct i915_request *last_executed(const struct intel_engine_cs *engine)
{
	const struct intel_engine_execlists *execlists = &engine->execlists;
	ptrdiff_t port = execlists->active - execlists->inflight;

	return port > 0 && port < ARRAY_SIZE(execlists->inflight) ?
	       execlists->inflight[port - 1] : NULL;
}

/*
 * When an engine finished its last request, or @left if last_executed() finds none. i915 processes
 * the engine's reports in a softirq, which other work of the CPU may delay, but the interrupt at
 * the end of a request, which is enabled if there are waiters for the request, is not delayed.
 * Counters cannot use this time, as they have already counted beyond it.
 */
static u64 done_at(const struct intel_engine_cs *engine, const struct i915_request *left,
		   u64 since, u64 now)
{
	const struct i915_request *rq = last_executed(engine) ?: left;
	u64 done;

	if (!rq || !test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &rq->fence.flags))
		return now;

	done = ktime_to_ns(rq->fence.timestamp);
	return done > since && done < now ? done : now;
}

static void start(struct intel_gvt *gvt, struct intel_engine_cs *engine,
		  const struct i915_request *rq, int id, u64 now)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	u64 changed_ns = exec->changed_ns[engine->id];
	struct intel_gvt_exec_slot *slot;
	u64 waited_ns;

	exec->occupant[engine->id] = id;
	if (id < 0)
		return;

	slot = &exec->slot[engine->id][id];
	waited_ns = slot->handover_ns ? now - slot->handover_ns : 0;
	clock_start(exec, engine->id, id, now);
	if (id == GVT_EXEC_HOST) {
		/*
		 * The engine continued with the host's context as soon as the last one was done,
		 * except after a barrier, which occupies the engine until i915 has seen its end.
		 */
		slot->started_ns = execlists_active(&engine->execlists) ?
				   max(done_at(engine, NULL, 0, now), changed_ns) : now;
		trace_gvt_host_start(gvt_dev_index(gvt), engine, rq,
				     waited_ns ? slot->vgpu_id : 0, waited_ns);
		return;
	}
	slot->rq = rq;
	slot->began = true;
	slot->lrca = lower_32_bits(rq->context->lrc.desc);
	trace_gvt_workload_start(gvt_dev_index(gvt), engine, slot);
}

static void stop(struct intel_gvt *gvt, struct intel_engine_cs *engine,
		 const struct i915_request *left, u64 now)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	int id = exec->occupant[engine->id];
	struct intel_gvt_exec_slot *slot;
	bool completed;
	u64 done_ns;

	exec->occupant[engine->id] = GVT_EXEC_NOBODY;
	if (id < 0)
		return;

	slot = &exec->slot[engine->id][id];
	clock_stop(exec, engine->id, id, now);
	if (id == GVT_EXEC_HOST) {
		done_ns = done_at(engine, left, slot->started_ns, now);
		trace_gvt_host_stop(gvt_dev_index(gvt), engine, done_ns - slot->started_ns);
		return;
	}
	completed = i915_request_completed(slot->rq);
	if (!completed) {
		exec->clock[id].engine[engine->id].preempted++;
		slot->preempted_ns = now;
	}
	trace_gvt_workload_stop(gvt_dev_index(gvt), engine, slot, completed);
}

/* The first request that an engine was given and has not reported as started yet */
static const struct i915_request *first_given(const struct intel_engine_cs *engine)
{
	return READ_ONCE(engine->execlists.pending[0]);
}

static void set_occupant(struct intel_gvt *gvt, struct intel_engine_cs *engine,
			 const struct i915_request *rq, const struct i915_request *left, u64 now)
{
	int id = who_executes(&gvt->exec, rq);

	if (id == gvt->exec.occupant[engine->id])
		return;

	stop(gvt, engine, left, now);
	start(gvt, engine, rq, id, now);
	gvt->exec.changed_ns[engine->id] = now;
}

/* Update the occupant. If no context is active, the engine is free to start the first given one */
static void look(struct intel_gvt *gvt, struct intel_engine_cs *engine,
		 const struct i915_request *left, u64 now)
{
	const struct i915_request *rq = execlists_active(&engine->execlists);

	set_occupant(gvt, engine, rq ? rq : first_given(engine), left, now);
}

/* The host's contexts count as one: the wait begins with the first of them */
static void host_given(struct intel_gvt_exec *exec, enum intel_engine_id engine, u64 now)
{
	struct intel_gvt_exec_slot *host = &exec->slot[engine][GVT_EXEC_HOST];

	if (exec->occupant[engine] == GVT_EXEC_HOST || host->handover_ns)
		return;

	host->handover_ns = now;
	host->vgpu_id = max(exec->occupant[engine], 0);
}

static bool has_hosts(struct intel_gvt_exec *exec, struct i915_request * const *port)
{
	for (; *port; port++) {
		if (who_executes(exec, *port) == GVT_EXEC_HOST)
			return true;
	}

	return false;
}

/* False after a reset, when the engine has no contexts, so the host no longer waits */
static bool host_is_given(struct intel_gvt_exec *exec, const struct intel_engine_cs *engine)
{
	return has_hosts(exec, engine->execlists.active) ||
	       has_hosts(exec, engine->execlists.pending);
}

/**
 * intel_gvt_exec_given - record that i915 gives a context to an engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was called with
 *
 * Call after the context's registers have been loaded.
 */
void intel_gvt_exec_given(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	enum intel_engine_id engine = rq->engine->id;
	unsigned long flags;
	u64 now;
	int id;

	spin_lock_irqsave(&exec->lock, flags);
	now = ktime_get_ns();
	id = who_executes(exec, rq);
	if (id > GVT_EXEC_HOST) {
		exec->slot[engine][id].rq = rq;
		exec->slot[engine][id].began = false;
	}
	look(gvt, rq->engine, NULL, now);
	if (id == GVT_EXEC_HOST)
		host_given(exec, engine, now);
	spin_unlock_irqrestore(&exec->lock, flags);
}

/* Account for a workload that began and ended since i915 last processed the engine's reports */
static void has_been(struct intel_gvt *gvt, const struct i915_request *rq, int id, u64 now)
{
	int occupant = gvt->exec.occupant[rq->engine->id];

	start(gvt, rq->engine, rq, id, now);
	stop(gvt, rq->engine, rq, now);
	gvt->exec.occupant[rq->engine->id] = occupant;
}

/**
 * intel_gvt_exec_left - record that a context has left its engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was called with
 */
void intel_gvt_exec_left(struct intel_gvt *gvt, const struct i915_request *rq)
{
	struct intel_gvt_exec *exec = &gvt->exec;
	enum intel_engine_id engine = rq->engine->id;
	struct intel_gvt_exec_slot *slot, *host;
	unsigned long flags;
	u64 now;
	int id;

	spin_lock_irqsave(&exec->lock, flags);
	now = ktime_get_ns();
	look(gvt, rq->engine, rq, now);
	id = who_executes(exec, rq);
	if (id > GVT_EXEC_HOST) {
		slot = &exec->slot[engine][id];
		if (slot->rq && !slot->began && i915_request_completed(rq))
			has_been(gvt, rq, id, now);
		slot->rq = NULL;
	}
	host = &exec->slot[engine][GVT_EXEC_HOST];
	if (host->handover_ns && !host_is_given(exec, rq->engine))
		exec->clock[GVT_EXEC_HOST].engine[engine].handover_ns +=
			take_time(&host->handover_ns, now);
	spin_unlock_irqrestore(&exec->lock, flags);
}

/**
 * intel_gvt_exec_finish - remove a finished workload from the table
 * @workload: a workload that was submitted and whose context has left the engine
 * @slot: receives the workload's entry
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
		clock_stop(exec, engine, vgpu->id, ktime_get_ns());
	*slot = *own;
	*own = (struct intel_gvt_exec_slot) {};
	spin_unlock_irqrestore(&exec->lock, flags);
}
