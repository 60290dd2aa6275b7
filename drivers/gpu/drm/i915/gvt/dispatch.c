// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "i915_scheduler.h"
#include "gt/intel_context.h"
#include "gt/intel_engine.h"
#include "gvt.h"
#include "dispatch.h"
#include "dispatch_order.h"

static struct intel_gvt_dispatch *dispatch_of(struct intel_gvt *gvt,
					      enum intel_engine_id engine)
{
	return &gvt->scheduler.dispatch[engine];
}

static struct intel_gvt_dispatch *workload_dispatch(const struct intel_vgpu_workload *workload)
{
	return dispatch_of(workload->vgpu->gvt, workload->engine->id);
}

static void count_in_flight(const struct intel_vgpu *vgpu, int difference)
{
	struct intel_gvt_dispatch_total *total = &vgpu->gvt->scheduler.total;

	total->in_flight += difference;
	total->of_vgpu[vgpu->id] += difference;
}

/**
 * intel_gvt_dispatch_begin - record a workload as in flight before it goes to i915
 * @workload: the workload, whose vGPU has no other workload in flight on the engine
 *
 * Called by the engine's thread, with sched_lock held.
 */
void intel_gvt_dispatch_begin(struct intel_vgpu_workload *workload)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;

	lockdep_assert_held(&gvt->sched_lock);

	count_in_flight(workload->vgpu, 1);
	spin_lock_irq(&gvt->scheduler.mmio_context_lock);
	workload_dispatch(workload)->workload[workload->vgpu->id] = workload;
	workload_dispatch(workload)->in_flight++;
	spin_unlock_irq(&gvt->scheduler.mmio_context_lock);
}

/**
 * intel_gvt_dispatch_end - record that a workload is no longer in flight
 * @workload: the workload, whose context has left the engine
 *
 * Called by the engine's thread, with sched_lock held.
 */
void intel_gvt_dispatch_end(struct intel_vgpu_workload *workload)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;

	lockdep_assert_held(&gvt->sched_lock);

	count_in_flight(workload->vgpu, -1);
	spin_lock_irq(&gvt->scheduler.mmio_context_lock);
	workload_dispatch(workload)->workload[workload->vgpu->id] = NULL;
	__clear_bit(workload->vgpu->id, workload_dispatch(workload)->parked);
	workload_dispatch(workload)->in_flight--;
	if (workload_dispatch(workload)->held == workload)
		workload_dispatch(workload)->held = NULL;
	spin_unlock_irq(&gvt->scheduler.mmio_context_lock);

	if (workload->cancelled) {
		workload_dispatch(workload)->cancelled--;
		intel_gvt_update_preempt_timeout(workload_dispatch(workload),
						 gvt->gt->engine[workload->engine->id]);
	}
}

/**
 * intel_gvt_dispatch_add - add a workload's request to i915
 * @workload: the workload
 *
 * Called by the engine's thread. If other vGPUs have workloads in flight on the engine, the new
 * workload waits behind them until the scheduler sets the order.
 */
void intel_gvt_dispatch_add(struct intel_vgpu_workload *workload)
{
	struct intel_vgpu *vgpu = workload->vgpu;
	struct intel_engine_cs *engine = vgpu->gvt->gt->engine[workload->engine->id];
	bool alone = workload_dispatch(workload)->in_flight == 1;
	int priority = alone ? intel_gvt_gate_run_priority(workload_dispatch(workload)) :
			       PRIORITY_NEW - vgpu->id;

	/* New requests have this priority by default */
	if (priority == PRIORITY_RUN) {
		i915_request_add(workload->req);
		return;
	}

	intel_gvt_gate_close(engine);
	i915_request_add(workload->req);
	intel_gvt_gate_set_priority(workload->req, priority);
	intel_gvt_gate_open(engine);
}

/**
 * intel_gvt_dispatch_find - find the workload of a request
 * @gvt: the GVT device
 * @rq: a request of a shadow context
 *
 * Call with mmio_context_lock held.
 *
 * Return: the workload, or NULL if the request's context has no workload in flight.
 */
struct intel_vgpu_workload *intel_gvt_dispatch_find(struct intel_gvt *gvt,
						    const struct i915_request *rq)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, rq->engine->id);
	struct intel_vgpu_workload *workload;
	int id;

	lockdep_assert_held(&gvt->scheduler.mmio_context_lock);

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		workload = dispatch->workload[id];
		if (workload &&
		    workload->vgpu->submission.shadow[rq->engine->id] == rq->context)
			return workload;
	}

	return NULL;
}

/**
 * intel_gvt_dispatch_started - note that i915 gives a workload to its engine
 * @workload: the workload
 *
 * Call with mmio_context_lock held. If i915 holds back another workload after a hang, the service
 * thread puts this one first, so that i915 does not preempt this one later.
 */
void intel_gvt_dispatch_started(struct intel_vgpu_workload *workload)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;

	lockdep_assert_held(&gvt->scheduler.mmio_context_lock);

	/* A skipped workload leaves the engine's registers unchanged */
	if (!intel_gvt_dispatch_is_skipped(workload))
		workload_dispatch(workload)->on_engine = workload;
	if (workload->shared && workload_dispatch(workload)->held)
		intel_gvt_request_service(gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/**
 * intel_gvt_dispatch_left - note that a workload has left its engine
 * @workload: the workload
 * @rq: the workload's request
 *
 * Call with mmio_context_lock held. Wakes up the engine's thread if the workload is finished, the
 * service thread otherwise.
 */
void intel_gvt_dispatch_left(const struct intel_vgpu_workload *workload,
			     const struct i915_request *rq)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;

	lockdep_assert_held(&gvt->scheduler.mmio_context_lock);

	if (i915_request_completed(rq)) {
		wake_up(&gvt->scheduler.waitq[rq->engine->id]);
		return;
	}

	if (i915_request_on_hold(rq))
		workload_dispatch(workload)->held = workload;
	intel_gvt_request_service(gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/**
 * intel_gvt_dispatch_is_added - whether i915 has a workload
 * @workload: a workload in flight
 *
 * Return: true if the workload has a request and the request was added to i915.
 */
bool intel_gvt_dispatch_is_added(const struct intel_vgpu_workload *workload)
{
	/* Pairs with the release in dispatch_workload() */
	return smp_load_acquire(&workload->dispatched);
}

/**
 * intel_gvt_dispatch_is_skipped - whether a workload executes none of the guest's commands
 * @workload: a workload whose request i915 gives to the engine
 *
 * Return: true if the workload was cancelled and i915 has removed its commands from the ring.
 */
bool intel_gvt_dispatch_is_skipped(const struct intel_vgpu_workload *workload)
{
	return workload->cancelled && workload->req->infix == workload->req->postfix;
}

/**
 * intel_gvt_dispatch_on_engine - whether a workload's context is on its engine
 * @workload: a workload with a request that has been added
 *
 * i915 notifies GVT-g when the context goes to the engine and when it has left. In case a
 * notification was lost, i915's own state decides.
 *
 * Return: true if the context has yet to leave the engine.
 */
bool intel_gvt_dispatch_on_engine(const struct intel_vgpu_workload *workload)
{
	return atomic_read(&workload->shadow_ctx_active) &&
	       intel_context_inflight(workload->req->context);
}

static bool is_finished(const struct intel_vgpu_workload *workload)
{
	return workload->shared && intel_gvt_dispatch_is_added(workload) &&
	       dma_fence_is_signaled(&workload->req->fence) &&
	       !intel_gvt_dispatch_on_engine(workload);
}

/**
 * intel_gvt_dispatch_finished - find a workload that only has to be completed
 * @gvt: the GVT device
 * @engine: the engine, whose thread calls this function
 *
 * Return: a workload that has finished and has left the engine, or NULL. Never a workload of
 * exclusive dispatch, for which the engine's thread waits directly.
 */
struct intel_vgpu_workload *intel_gvt_dispatch_finished(struct intel_gvt *gvt,
							enum intel_engine_id engine)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);
	int id;

	if (!dispatch->in_flight)
		return NULL;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (dispatch->workload[id] && is_finished(dispatch->workload[id]))
			return dispatch->workload[id];
	}

	return NULL;
}

/**
 * intel_gvt_dispatch_init - prepare the engines
 * @gvt: the GVT device, with all dispatch data zeroed
 *
 * Return: 0 or a negative error number.
 */
int intel_gvt_dispatch_init(struct intel_gvt *gvt)
{
	struct intel_engine_cs *engine;
	enum intel_engine_id id;
	int err;

	for_each_engine(engine, gvt->gt, id) {
		dispatch_of(gvt, id)->gvt = gvt;
		INIT_WORK(&dispatch_of(gvt, id)->cancel_work, intel_gvt_drop_cancelled);
		if (!intel_engine_has_preemption(engine) ||
		    !engine->sched_engine->schedule)
			continue;

		err = intel_gvt_dispatch_barrier_init(dispatch_of(gvt, id), engine);
		if (err) {
			intel_gvt_dispatch_clean(gvt);
			return err;
		}
		gvt->exec.own_ce[id] = dispatch_of(gvt, id)->barrier_ce;
	}

	return 0;
}

/**
 * intel_gvt_dispatch_clean - undo intel_gvt_dispatch_init()
 * @gvt: the GVT device, without vGPUs
 */
void intel_gvt_dispatch_clean(struct intel_gvt *gvt)
{
	struct intel_gvt_dispatch *dispatch;
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	for_each_engine(engine, gvt->gt, id) {
		dispatch = dispatch_of(gvt, id);
		if (dispatch->gvt)
			cancel_work_sync(&dispatch->cancel_work);
		if (dispatch->barrier) {
			i915_request_wait(dispatch->barrier, 0, MAX_SCHEDULE_TIMEOUT);
			intel_gvt_dispatch_end_hand_over(dispatch, engine);
		}
		if (dispatch->barrier_ce)
			intel_context_put(fetch_and_zero(&dispatch->barrier_ce));
	}
}
