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
 * Waits for i915 to finish if it is doing so.
 *
 * The gate has the tasklet's lock, as i915 itself does to run the tasklet's function directly.
 * To disable the tasklet would not do: a reset that finds it disabled takes it that whoever
 * did that has waited for the tasklet to end, while the gate still waits.
 *
 * Soft interrupts stay disabled until the gate opens. One that found the tasklet locked would
 * leave it to ksoftirqd, and that would try again and again until the scheduler stops it, on
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
	/* Or the reset that has disabled it starts it at its end */
	if (__tasklet_is_enabled(tasklet))
		tasklet_hi_schedule(tasklet);
	/* What was put off is done at the end of this */
	local_bh_enable();
}

/**
 * intel_gvt_gate_set_priority - change a request's priority, also to a lower one
 * @rq: the request, with the gate of its engine closed
 * @priority: the priority
 */
void intel_gvt_gate_set_priority(struct i915_request *rq, int priority)
{
	struct i915_sched_engine *sched_engine = rq->engine->sched_engine;
	const struct i915_sched_attr attr = { .priority = priority };

	if (rq->sched.attr.priority == priority || i915_request_completed(rq))
		return;

	/* schedule() sorts the request in, but never lowers its priority */
	spin_lock_irq(&sched_engine->lock);
	if (rq->sched.attr.priority > priority)
		WRITE_ONCE(rq->sched.attr.priority, priority - 1);
	spin_unlock_irq(&sched_engine->lock);

	sched_engine->schedule(rq, &attr);
}

/**
 * intel_gvt_gate_run_priority - the priority of the workload that executes or is to
 * @dispatch: the engine
 *
 * Return: the host's, or below that if the host goes first.
 */
int intel_gvt_gate_run_priority(const struct intel_gvt_dispatch *dispatch)
{
	return READ_ONCE(dispatch->gvt->scheduler.total.host_first) ?
	       PRIORITY_AFTER_HOST : PRIORITY_RUN;
}

/* The priority of the request at a place in the order */
static int place_priority(const struct intel_gvt_dispatch *dispatch, int place)
{
	return place ? PRIORITY_WAIT - place + 1 : intel_gvt_gate_run_priority(dispatch);
}

/* Keep i915 from a request, with the gate closed. What is on the engine stays there. */
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
 * intel_gvt_gate_unpark - let i915 have a request that it was kept from
 * @dispatch: the engine, with the gate closed
 * @vgpu: whose request
 *
 * Call before the request has a new priority: that sorts it in again.
 */
void intel_gvt_gate_unpark(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu)
{
	struct i915_request *rq = dispatch->workload[vgpu->id]->req;
	struct i915_sched_engine *sched_engine = rq->engine->sched_engine;

	if (!__test_and_clear_bit(vgpu->id, dispatch->parked))
		return;

	spin_lock_irq(&sched_engine->lock);
	/* A GPU that is wedged completes all that i915 has */
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

	/* What i915 holds back itself, after a hang, cannot be parked */
	return parked || (has_priority && i915_request_on_hold(rq));
}

/**
 * intel_gvt_gate_in_order - whether i915 has an engine's requests in an order
 * @dispatch: the engine
 * @order: the order
 *
 * Return: true if there is nothing to change.
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
