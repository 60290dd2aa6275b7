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
 * intel_gvt_dispatch_begin - a workload is about to go to i915
 * @workload: the workload, whose vGPU has no other in flight on its engine
 *
 * To be called by the engine's thread, with sched_lock held.
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
 * intel_gvt_dispatch_end - a workload is done with
 * @workload: the workload, whose context has left the engine
 *
 * To be called by the engine's thread, with sched_lock held.
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
 * intel_gvt_dispatch_add - give a workload's request to i915
 * @workload: the workload
 *
 * To be called by the engine's thread. If other vGPUs have something in flight there,
 * the workload waits behind them until the scheduler gives it its place.
 */
void intel_gvt_dispatch_add(struct intel_vgpu_workload *workload)
{
	struct intel_vgpu *vgpu = workload->vgpu;
	struct intel_engine_cs *engine = vgpu->gvt->gt->engine[workload->engine->id];
	bool alone = workload_dispatch(workload)->in_flight == 1;
	int priority = alone ? intel_gvt_gate_run_priority(workload_dispatch(workload)) :
			       PRIORITY_NEW - vgpu->id;

	/* What i915 gives it by itself */
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
 * intel_gvt_dispatch_find - the workload of a request
 * @gvt: the GVT device
 * @rq: a request of a shadow context
 *
 * Call with mmio_context_lock held.
 *
 * Return: the workload in flight, NULL if it is done with.
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
 * intel_gvt_dispatch_started - a workload goes onto its engine
 * @workload: the workload
 *
 * Call with mmio_context_lock held. If it is there for another one that is held back,
 * the service thread sees to it that it can stay.
 */
void intel_gvt_dispatch_started(struct intel_vgpu_workload *workload)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;

	lockdep_assert_held(&gvt->scheduler.mmio_context_lock);

	/* What is skipped leaves in the engine's registers what it finds there */
	if (!intel_gvt_dispatch_is_skipped(workload))
		workload_dispatch(workload)->on_engine = workload;
	if (workload->shared && workload_dispatch(workload)->held)
		intel_gvt_request_service(gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/**
 * intel_gvt_dispatch_left - a workload has left its engine
 * @workload: the workload
 * @rq: its request
 *
 * Call with mmio_context_lock held. Tells who waits for that: the engine's thread if
 * the workload is finished.
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
 * Return: true if it has a request, which i915 has got.
 */
bool intel_gvt_dispatch_is_added(const struct intel_vgpu_workload *workload)
{
	/* Pairs with the release in dispatch_workload() */
	return smp_load_acquire(&workload->dispatched);
}

/**
 * intel_gvt_dispatch_is_skipped - whether a workload executes nothing of its guest's
 * @workload: a workload whose request i915 gives to the engine
 *
 * Return: true if it was cancelled and i915 has taken out what it was to do.
 */
bool intel_gvt_dispatch_is_skipped(const struct intel_vgpu_workload *workload)
{
	return workload->cancelled && workload->req->infix == workload->req->postfix;
}

/**
 * intel_gvt_dispatch_on_engine - whether a workload's context is on its engine
 * @workload: a workload with a request that has been added
 *
 * i915 tells when the context goes there and when it has left, and whoever waits is woken
 * up then. Should that have been missed, what i915 knows itself decides.
 *
 * Return: true if i915 has to be waited for.
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
 * intel_gvt_dispatch_finished - a workload that only has to be completed
 * @gvt: the GVT device
 * @engine: its engine, whose thread asks
 *
 * Return: a workload that has executed and for which nobody waits, or NULL.
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
 * @gvt: the GVT device, zeroed as far as this is concerned
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
		INIT_WORK(&dispatch_of(gvt, id)->cancel_work, intel_gvt_take_off_cancelled);
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
