// SPDX-License-Identifier: GPL-2.0-only

#include <linux/sched/mm.h>

#include "i915_drv.h"
#include "i915_scheduler.h"
#include "gt/intel_context.h"
#include "gt/intel_engine.h"
#include "gt/intel_ring.h"
#include "gvt.h"
#include "dispatch_barrier.h"
#include "dispatch_order.h"

/*
 * About as long as a workload without preemption points can execute before i915's heartbeat
 * resets the engine, even without GVT-g: at the earliest one interval of 2.5 s after the first
 * beat, plus 640 ms after the heartbeat's own attempt to preempt.
 */
#define PREEMPT_TIMEOUT_MS 3000

static struct intel_gvt_dispatch *dispatch_of(struct intel_gvt *gvt,
					      enum intel_engine_id engine)
{
	return &gvt->scheduler.dispatch[engine];
}

static void raise_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				  struct intel_engine_cs *engine)
{
	unsigned long timeout_ms = READ_ONCE(engine->props.preempt_timeout_ms);

	dispatch->raised = true;
	dispatch->preempt_timeout_ms = timeout_ms;
	/* A time-out of 0 disables resets, even those that cancelled workloads need */
	if ((timeout_ms || dispatch->cancelled) && timeout_ms < PREEMPT_TIMEOUT_MS)
		WRITE_ONCE(engine->props.preempt_timeout_ms, PREEMPT_TIMEOUT_MS);
}

static void restore_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				    struct intel_engine_cs *engine)
{
	dispatch->raised = false;
	/* Keep a value that was set meanwhile */
	if (READ_ONCE(engine->props.preempt_timeout_ms) == PREEMPT_TIMEOUT_MS)
		WRITE_ONCE(engine->props.preempt_timeout_ms,
			   dispatch->preempt_timeout_ms);
}

/**
 * intel_gvt_update_preempt_timeout - raise or restore i915's preempt_timeout_ms
 * @dispatch: the engine, with its barrier and number of cancelled workloads
 * @engine: the same engine
 */
void intel_gvt_update_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				      struct intel_engine_cs *engine)
{
	bool needed = dispatch->barrier || dispatch->cancelled;

	if (needed && !dispatch->raised)
		raise_preempt_timeout(dispatch, engine);
	else if (!needed && dispatch->raised)
		restore_preempt_timeout(dispatch, engine);
}

/**
 * intel_gvt_dispatch_is_barrier - whether a request is one of GVT-g's barriers
 * @gvt: the GVT device
 * @rq: the request
 *
 * Return: true if the request is a barrier.
 */
bool intel_gvt_dispatch_is_barrier(struct intel_gvt *gvt, const struct i915_request *rq)
{
	return rq->context == dispatch_of(gvt, rq->engine->id)->barrier_ce;
}

/**
 * intel_gvt_dispatch_can_preempt - whether an engine supports preemption
 * @gvt: the GVT device
 * @engine: the engine
 *
 * Return: true if workloads on the engine can be preempted.
 */
bool intel_gvt_dispatch_can_preempt(struct intel_gvt *gvt, enum intel_engine_id engine)
{
	return dispatch_of(gvt, engine)->barrier_ce;
}

/* Move the vGPU whose workload is on the engine to the front of the order */
static void executing_first(enum intel_engine_id engine, struct gvt_dispatch_order *order)
{
	struct intel_vgpu **vgpu = order->vgpu, *first;
	int i;

	for (i = 0; i < order->n; i++) {
		if (!intel_gvt_exec_is_given(vgpu[i]->gvt, engine, vgpu[i]->id))
			continue;
		first = vgpu[i];
		memmove(vgpu + 1, vgpu, i * sizeof(*vgpu));
		vgpu[0] = first;
		order->ready += i >= order->ready;
		return;
	}
}

/*
 * Have another workload follow the barrier. i915 gives the engine no workload behind the barrier
 * before the barrier has executed, and nothing at all while the gate is closed.
 */
static void follow_barrier(struct intel_gvt_dispatch *dispatch, struct intel_engine_cs *engine,
			   const struct gvt_dispatch_order *order)
{
	if (dispatch->held || intel_gvt_gate_in_order(dispatch, order))
		return;

	intel_gvt_gate_close(engine);
	if (!i915_request_completed(dispatch->barrier)) {
		intel_gvt_exec_handover(order->vgpu[0], engine->id, dispatch->barrier_since);
		intel_gvt_gate_set_order(dispatch, order);
	}
	intel_gvt_gate_open(engine);
}

/**
 * intel_gvt_dispatch_arrange - set the order in which workloads run
 * @gvt: the GVT device
 * @engine: the engine
 * @order: the order, of at least one vGPU
 *
 * Call with sched_lock held. The executing workload is not preempted.
 */
void intel_gvt_dispatch_arrange(struct intel_gvt *gvt, enum intel_engine_id engine,
				struct gvt_dispatch_order *order)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);

	lockdep_assert_held(&gvt->sched_lock);

	if (dispatch->barrier) {
		follow_barrier(dispatch, gvt->gt->engine[engine], order);
		return;
	}

	executing_first(engine, order);
	if (intel_gvt_gate_in_order(dispatch, order))
		return;

	/* Another workload may begin until the gate is closed, hence executing_first() again */
	intel_gvt_gate_close(gvt->gt->engine[engine]);
	executing_first(engine, order);
	intel_gvt_gate_set_order(dispatch, order);
	intel_gvt_gate_open(gvt->gt->engine[engine]);
}

/**
 * intel_gvt_dispatch_unpark - return all parked workloads of an engine to i915
 * @gvt: the GVT device
 * @engine: the engine, whose lane is about to change
 *
 * Call with sched_lock held.
 */
void intel_gvt_dispatch_unpark(struct intel_gvt *gvt, enum intel_engine_id engine)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);
	struct intel_vgpu *vgpu;
	int id;

	lockdep_assert_held(&gvt->sched_lock);

	if (bitmap_empty(dispatch->parked, GVT_EXEC_VGPUS))
		return;

	intel_gvt_gate_close(gvt->gt->engine[engine]);
	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (!test_bit(id, dispatch->parked))
			continue;
		vgpu = dispatch->workload[id]->vgpu;
		intel_gvt_gate_unpark(dispatch, vgpu);
		intel_gvt_gate_set_priority(dispatch->workload[id]->req, PRIORITY_NEW - id);
	}
	intel_gvt_gate_open(gvt->gt->engine[engine]);
}

/*
 * On the signalling path of fences: those of the workloads behind the one that is to be
 * preempted depend on this function. See add_barrier_without_reclaim().
 */
static struct i915_request *create_barrier(struct intel_context *ce)
{
	struct i915_request *rq = i915_request_create(ce);
	int err;

	if (IS_ERR(rq))
		return rq;

	i915_request_get(rq);
	err = rq->engine->emit_init_breadcrumb ? rq->engine->emit_init_breadcrumb(rq) : 0;
	if (!err)
		return rq;

	/* A request, once created, must be added; an empty one does nothing */
	i915_request_add(rq);
	i915_request_put(rq);
	return ERR_PTR(err);
}

/**
 * intel_gvt_dispatch_barrier_init - prepare an engine for barriers
 * @dispatch: the engine
 * @engine: the same engine
 *
 * Return: 0 or a negative error number.
 */
int intel_gvt_dispatch_barrier_init(struct intel_gvt_dispatch *dispatch,
				    struct intel_engine_cs *engine)
{
	static struct lock_class_key timeline_key;
	struct intel_context *ce = intel_context_create(engine);
	int err;

	if (IS_ERR(ce))
		return PTR_ERR(ce);

	/* Pinning creates the timeline */
	err = intel_context_pin(ce);
	if (err) {
		intel_context_put(ce);
		return err;
	}

	/* Own lock class: allocations under other timelines' locks may reclaim memory */
	lockdep_set_class_and_name(&ce->timeline->mutex, &timeline_key, "gvt_barrier");
	intel_context_unpin(ce);
	dispatch->barrier_ce = ce;
	return 0;
}

static void barrier_executed(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct intel_gvt_dispatch *dispatch =
		container_of(cb, struct intel_gvt_dispatch, barrier_cb);

	intel_gvt_request_service(dispatch->gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

static bool add_barrier(struct intel_gvt_dispatch *dispatch, struct intel_engine_cs *cs,
			struct intel_vgpu *from, const struct gvt_dispatch_order *order)
{
	struct i915_request *rq = create_barrier(dispatch->barrier_ce);

	if (IS_ERR(rq))
		return false;

	dispatch->barrier = rq;
	dispatch->gvt->scheduler.total.hand_overs++;
	dispatch->barrier_since = ktime_get_ns();
	dispatch->from_id = from->id;
	intel_gvt_exec_handover(order->vgpu[0], cs->id, dispatch->barrier_since);
	intel_gvt_update_preempt_timeout(dispatch, cs);

	intel_gvt_gate_close(cs);
	i915_request_add(rq);
	intel_gvt_gate_set_priority(rq, PRIORITY_RUN + 1);
	intel_gvt_gate_set_order(dispatch, order);
	intel_gvt_gate_open(cs);
	return true;
}

/*
 * i915 allocates memory for a request, and reclaim may wait for the very fences that depend on
 * the barrier. Therefore forbid reclaim: if no memory is free, the allocation fails, and the
 * workload stays on the engine for now.
 */
static bool add_barrier_without_reclaim(struct intel_gvt_dispatch *dispatch,
					struct intel_engine_cs *cs, struct intel_vgpu *from,
					const struct gvt_dispatch_order *order)
{
	unsigned int flags = memalloc_noreclaim_save();
	bool cookie, added = false;

	/* Only barriers use the context's objects and their locks; the request holds a pin */
	if (!intel_context_pin(dispatch->barrier_ce)) {
		cookie = dma_fence_begin_signalling();
		added = add_barrier(dispatch, cs, from, order);
		dma_fence_end_signalling(cookie);
		intel_context_unpin(dispatch->barrier_ce);
	}
	memalloc_noreclaim_restore(flags);
	return added;
}

/**
 * intel_gvt_dispatch_hand_over - preempt a workload
 * @gvt: the GVT device
 * @engine: the engine
 * @from: the vGPU whose workload executes
 * @order: the order afterwards, of at least one vGPU
 *
 * Call with sched_lock held. When the workload has left the engine, or is finished,
 * the service thread decides again.
 *
 * Return: true if the hand-over is under way.
 */
bool intel_gvt_dispatch_hand_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				  struct intel_vgpu *from, struct gvt_dispatch_order *order)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);

	lockdep_assert_held(&gvt->sched_lock);

	if (dispatch->barrier)
		return true;

	if (!add_barrier_without_reclaim(dispatch, gvt->gt->engine[engine], from, order))
		return false;

	if (dma_fence_add_callback(&dispatch->barrier->fence, &dispatch->barrier_cb,
				   barrier_executed))
		intel_gvt_request_service(gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
	return true;
}

/**
 * intel_gvt_dispatch_end_hand_over - release the barrier of the hand-over under way
 * @dispatch: the engine, whose barrier has executed
 * @engine: the same engine
 */
void intel_gvt_dispatch_end_hand_over(struct intel_gvt_dispatch *dispatch,
				      struct intel_engine_cs *engine)
{
	dma_fence_remove_callback(&dispatch->barrier->fence, &dispatch->barrier_cb);
	i915_request_put(fetch_and_zero(&dispatch->barrier));
	dispatch->gvt->scheduler.total.hand_overs--;
	intel_gvt_update_preempt_timeout(dispatch, engine);
}

/**
 * intel_gvt_dispatch_handed_over - end the hand-over under way if it has completed
 * @gvt: the GVT device
 * @engine: the engine
 * @took_ns: receives the duration of the hand-over
 *
 * Call with sched_lock held.
 *
 * Return: the id of the vGPU that has left the engine, or 0 if no hand-over has completed.
 */
int intel_gvt_dispatch_handed_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				   u64 *took_ns)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);

	lockdep_assert_held(&gvt->sched_lock);

	if (!dispatch->barrier || !dma_fence_is_signaled(&dispatch->barrier->fence))
		return 0;

	/* Once i915 has processed the barrier's end, it has processed all earlier events, too */
	if (intel_context_inflight_count(dispatch->barrier_ce))
		return 0;

	*took_ns = ktime_get_ns() - dispatch->barrier_since;
	intel_gvt_dispatch_end_hand_over(dispatch, gvt->gt->engine[engine]);
	return dispatch->from_id;
}
