// SPDX-License-Identifier: GPL-2.0-only

#include <linux/interrupt.h>

#include "i915_drv.h"
#include "i915_scheduler.h"
#include "i915_tasklet.h"
#include "gt/intel_engine.h"
#include "gvt.h"
#include "dispatch_order.h"

/**
 * intel_gvt_gate_close - keep i915 from looking at an engine's requests
 * @engine: the engine
 *
 * Waits until i915 has finished, if i915 is looking at the requests.
 *
 * The gate takes the tasklet's lock, as i915 itself does to run the tasklet's function directly.
 * Disabling the tasklet is not enough: a reset that finds the tasklet disabled assumes that the
 * tasklet has ended, while the gate still waits for that end.
 *
 * Softirqs stay disabled until the gate opens. A softirq that found the tasklet locked would
 * leave the tasklet to ksoftirqd, which would then spin, until the CPU scheduler preempts it, on
 * the very CPU that is to open the gate.
 */
void intel_gvt_gate_close(struct intel_engine_cs *engine)
{
	local_bh_disable();
	tasklet_lock(&engine->sched_engine->tasklet);
}

/**
 * intel_gvt_gate_open - let i915 look at an engine's requests again
 * @engine: the engine
 */
void intel_gvt_gate_open(struct intel_engine_cs *engine)
{
	struct tasklet_struct *tasklet = &engine->sched_engine->tasklet;

	tasklet_unlock(tasklet);
	/* If a reset has disabled the tasklet, the reset schedules it at its end */
	if (__tasklet_is_enabled(tasklet))
		tasklet_hi_schedule(tasklet);
	/* Runs the softirqs that are pending */
	local_bh_enable();
}

/**
 * intel_gvt_gate_set_priority - raise or lower a request's priority
 * @rq: the request, with the gate of its engine closed
 * @priority: the priority
 */
void intel_gvt_gate_set_priority(struct i915_request *rq, int priority)
{
	struct i915_sched_engine *sched_engine = rq->engine->sched_engine;
	const struct i915_sched_attr attr = { .priority = priority };

	if (rq->sched.attr.priority == priority || i915_request_completed(rq))
		return;

	/* schedule() moves the request in the queue, but never lowers its priority */
	spin_lock_irq(&sched_engine->lock);
	if (rq->sched.attr.priority > priority)
		WRITE_ONCE(rq->sched.attr.priority, priority - 1);
	spin_unlock_irq(&sched_engine->lock);

	sched_engine->schedule(rq, &attr);
}

/**
 * intel_gvt_gate_run_priority - priority of the workload that executes or is to execute
 * @dispatch: the engine
 *
 * Return: the host's priority, or one less if the host goes first.
 */
int intel_gvt_gate_run_priority(const struct intel_gvt_dispatch *dispatch)
{
	return READ_ONCE(dispatch->gvt->scheduler.total.host_first) ?
	       PRIORITY_AFTER_HOST : PRIORITY_RUN;
}

/* Priority of the request at a place in the order */
static int place_priority(const struct intel_gvt_dispatch *dispatch, int place)
{
	return place ? PRIORITY_WAIT - place + 1 : intel_gvt_gate_run_priority(dispatch);
}

/* Hide a request from i915, with the gate closed, unless the engine has the request already */
static void park(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu)
{
	struct i915_request *rq = dispatch->workload[vgpu->id]->req;
	struct i915_sched_engine *sched_engine = rq->engine->sched_engine;

	if (intel_gvt_exec_is_given(vgpu->gvt, rq->engine->id, vgpu->id))
		return;

	spin_lock_irq(&sched_engine->lock);
	if (i915_request_in_priority_queue(rq) && !i915_request_completed(rq)) {
		clear_bit(I915_FENCE_FLAG_PQUEUE, &rq->fence.flags);
		list_move_tail(&rq->sched.link, &sched_engine->hold);
		i915_request_set_hold(rq);
		__set_bit(vgpu->id, dispatch->parked);
	}
	spin_unlock_irq(&sched_engine->lock);
}

/**
 * intel_gvt_gate_unpark - return a parked request to i915
 * @dispatch: the engine, with the gate closed
 * @vgpu: the vGPU of the request
 *
 * Call before setting a new priority, which puts the request into i915's queue again.
 */
void intel_gvt_gate_unpark(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu)
{
	struct i915_request *rq = dispatch->workload[vgpu->id]->req;
	struct i915_sched_engine *sched_engine = rq->engine->sched_engine;

	if (!__test_and_clear_bit(vgpu->id, dispatch->parked))
		return;

	spin_lock_irq(&sched_engine->lock);
	/* The request may be complete, since a wedged GPU completes all requests */
	if (!i915_request_completed(rq)) {
		i915_request_clear_hold(rq);
		set_bit(I915_FENCE_FLAG_PQUEUE, &rq->fence.flags);
		WRITE_ONCE(rq->sched.attr.priority, PRIORITY_PARKED);
	}
	spin_unlock_irq(&sched_engine->lock);
}

static bool in_place(const struct intel_gvt_dispatch *dispatch,
		     const struct gvt_dispatch_order *order, int place)
{
	const struct intel_vgpu *vgpu = order->vgpu[place];
	const struct i915_request *rq = dispatch->workload[vgpu->id]->req;
	bool parked = test_bit(vgpu->id, dispatch->parked);
	bool has_priority = READ_ONCE(rq->sched.attr.priority) == place_priority(dispatch, place);

	if (place < order->ready)
		return !parked && has_priority;

	/* Requests that i915 itself holds back after a hang cannot be parked */
	return parked || (has_priority && i915_request_on_hold(rq));
}

/**
 * intel_gvt_gate_in_order - whether i915 has an engine's requests in an order
 * @dispatch: the engine
 * @order: the order
 *
 * Return: true if intel_gvt_gate_set_order() would change nothing.
 */
bool intel_gvt_gate_in_order(const struct intel_gvt_dispatch *dispatch,
			     const struct gvt_dispatch_order *order)
{
	int i;

	for (i = 0; i < order->n; i++) {
		if (!in_place(dispatch, order, i))
			return false;
	}

	return true;
}

/**
 * intel_gvt_gate_set_order - have i915 run an engine's requests in an order
 * @dispatch: the engine, with the gate closed
 * @order: the order
 */
void intel_gvt_gate_set_order(struct intel_gvt_dispatch *dispatch,
			      const struct gvt_dispatch_order *order)
{
	int i;

	for (i = 0; i < order->n; i++) {
		if (i < order->ready)
			intel_gvt_gate_unpark(dispatch, order->vgpu[i]);
		if (!test_bit(order->vgpu[i]->id, dispatch->parked))
			intel_gvt_gate_set_priority(dispatch->workload[order->vgpu[i]->id]->req,
						    place_priority(dispatch, i));
		if (i >= order->ready)
			park(dispatch, order->vgpu[i]);
	}
}
