// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "i915_scheduler.h"
#include "gt/intel_context.h"
#include "gt/intel_engine.h"
#include "gvt.h"
#include "dispatch.h"
#include "dispatch_barrier.h"
#include "dispatch_cancel.h"
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

/* Like i915_request_cancel(), but reports a hang to the guest */
static void set_cancelled(struct intel_vgpu_workload *workload)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;
	struct i915_request *rq = workload->req;

	/* From now on the notifier need not load registers for the workload */
	spin_lock_irq(&gvt->scheduler.mmio_context_lock);
	workload->cancelled = true;
	spin_unlock_irq(&gvt->scheduler.mmio_context_lock);

	/* Overwrite -EAGAIN, which marks an innocent victim of a reset */
	if (cmpxchg(&rq->fence.error, 0, -EIO) == -EAGAIN)
		cmpxchg(&rq->fence.error, -EAGAIN, -EIO);
	set_bit(I915_FENCE_FLAG_SENTINEL, &rq->fence.flags);
}

static void cancel_workload(struct intel_vgpu_workload *workload)
{
	struct intel_gvt_dispatch *dispatch = workload_dispatch(workload);
	struct intel_engine_cs *engine = dispatch->gvt->gt->engine[workload->engine->id];

	if (i915_request_completed(workload->req))
		return;

	if (!workload->cancelled)
		dispatch->cancelled++;
	intel_gvt_update_preempt_timeout(dispatch, engine);

	/* While the gate is closed, i915 gives the engine no request */
	intel_gvt_gate_close(engine);
	set_cancelled(workload);
	intel_gvt_gate_unpark(dispatch, workload->vgpu);
	if (engine->sched_engine->schedule)
		intel_gvt_gate_set_priority(workload->req, PRIORITY_RUN + 1);
	intel_gvt_gate_open(engine);

	queue_work(system_unbound_wq, &dispatch->cancel_work);
}

/* All waiters for a workload check again, in case a notification was lost */
static void wake_up_waiters(struct intel_vgpu_workload *workload)
{
	wake_up(&workload->vgpu->gvt->scheduler.waitq[workload->engine->id]);
	wake_up(&workload->shadow_ctx_status_wq);
}

/**
 * intel_gvt_dispatch_cancel - cancel the workloads in flight of a vGPU
 * @vgpu: the vGPU, which is being stopped
 *
 * The guest sees its workloads hang. Call without sched_lock, and again after a while if
 * workloads remain: those that are about to go to i915 are not cancelled.
 */
void intel_gvt_dispatch_cancel(struct intel_vgpu *vgpu)
{
	struct intel_gvt *gvt = vgpu->gvt;
	struct intel_vgpu_workload *workload;
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	mutex_lock(&gvt->sched_lock);
	for_each_engine(engine, gvt->gt, id) {
		workload = dispatch_of(gvt, id)->workload[vgpu->id];
		if (!workload || !intel_gvt_dispatch_is_added(workload))
			continue;
		cancel_workload(workload);
		wake_up_waiters(workload);
	}
	mutex_unlock(&gvt->sched_lock);
}

/* Log all the state that decides whether a workload is finished */
static void log_workload(const struct intel_vgpu_workload *workload)
{
	const struct intel_vgpu *vgpu = workload->vgpu;
	const struct intel_gvt_dispatch *dispatch = workload_dispatch(workload);
	const struct i915_request *rq = workload->req;
	const struct tasklet_struct *tasklet;

	if (!intel_gvt_dispatch_is_added(workload)) {
		gvt_vgpu_err("%s: workload %llu is about to go to i915\n",
			     workload->engine->name, workload->id);
		return;
	}

	tasklet = &rq->engine->sched_engine->tasklet;
	gvt_vgpu_err("%s: workload %llu: cancelled %d, shared %d, parked %d, on hold %d, queued %d, active %d, prio %d, completed %d, signaled %d, error %d, context active %d, in flight %lu; engine: in flight %d, barrier %d, held %d, tasklet state %lx count %d\n",
		     workload->engine->name, workload->id, workload->cancelled,
		     workload->shared, test_bit(vgpu->id, dispatch->parked),
		     i915_request_on_hold(rq), i915_request_in_priority_queue(rq),
		     i915_request_is_active(rq), READ_ONCE(rq->sched.attr.priority),
		     i915_request_completed(rq),
		     test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &rq->fence.flags),
		     READ_ONCE(rq->fence.error),
		     atomic_read(&workload->shadow_ctx_active),
		     intel_context_inflight_count(rq->context), dispatch->in_flight,
		     !!dispatch->barrier, !!dispatch->held, tasklet->state,
		     atomic_read(&tasklet->count));
}

/**
 * intel_gvt_dispatch_log - log the workloads in flight of a vGPU
 * @vgpu: the vGPU, which takes too long to stop
 */
void intel_gvt_dispatch_log(struct intel_vgpu *vgpu)
{
	struct intel_gvt *gvt = vgpu->gvt;
	const struct intel_vgpu_workload *workload;
	struct intel_engine_cs *engine;
	enum intel_engine_id id;

	mutex_lock(&gvt->sched_lock);
	gvt_vgpu_err("its stop takes longer than it may; %d workloads are not completed\n",
		     atomic_read(&vgpu->submission.running_workload_num));
	for_each_engine(engine, gvt->gt, id) {
		workload = dispatch_of(gvt, id)->workload[vgpu->id];
		if (workload)
			log_workload(workload);
	}
	mutex_unlock(&gvt->sched_lock);
}

static int get_cancelled(struct intel_gvt_dispatch *dispatch, struct i915_request **rq)
{
	struct intel_vgpu_workload *workload;
	int id, n = 0;

	mutex_lock(&dispatch->gvt->sched_lock);
	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		workload = dispatch->workload[id];
		if (workload && workload->cancelled)
			rq[n++] = i915_request_get(workload->req);
	}
	mutex_unlock(&dispatch->gvt->sched_lock);

	return n;
}

/**
 * intel_gvt_drop_cancelled - make an engine drop cancelled workloads
 * @work: the engine's cancel_work
 *
 * Runs as a work item because i915's cancel_request() may sleep and must not be interrupted: on
 * a signal, i915 would reset the engine at once, whichever context is on the engine by then.
 */
void intel_gvt_drop_cancelled(struct work_struct *work)
{
	struct intel_gvt_dispatch *dispatch =
		container_of(work, struct intel_gvt_dispatch, cancel_work);
	struct i915_request *rq[GVT_EXEC_VGPUS];
	int n = get_cancelled(dispatch, rq);

	while (n--) {
		if (rq[n]->context->ops->cancel_request)
			rq[n]->context->ops->cancel_request(rq[n]->context, rq[n]);
		i915_request_put(rq[n]);
	}
}
