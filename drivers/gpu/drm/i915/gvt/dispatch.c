// SPDX-License-Identifier: GPL-2.0-only

#include <linux/interrupt.h>

#include "i915_drv.h"
#include "i915_scheduler.h"
#include "gt/intel_context.h"
#include "gt/intel_engine.h"
#include "gt/intel_ring.h"
#include "gvt.h"
#include "dispatch.h"

/* Priority of the workload that executes or is to, which is the host's, too */
#define PRIORITY_RUN I915_PRIORITY_NORMAL

/*
 * The first of those that wait; the others follow below. i915's heartbeat, at the least
 * of its priorities, goes before them when the engine changes over, rather than being
 * raised until it takes a workload off the engine by itself.
 */
#define PRIORITY_WAIT (I915_PRIORITY_MIN - 1)

/* A workload that was added waits here, each vGPU's apart, until its place is known */
#define PRIORITY_NEW (PRIORITY_WAIT - GVT_EXEC_VGPUS)

/* Below all others, so that a parked workload is sorted in when it gets its place again */
#define PRIORITY_PARKED (PRIORITY_NEW - GVT_EXEC_VGPUS)

/*
 * Without GVT-g's doing i915's heartbeat resets an engine on which a workload executes
 * for so long without a point at which it can be taken off: at the earliest one
 * interval of 2.5 s after the first beat, and 640 ms after its own attempt.
 */
#define PREEMPT_TIMEOUT_MS 3000

static struct intel_gvt_dispatch *dispatch_of(struct intel_gvt *gvt,
					      enum intel_engine_id engine)
{
	return &gvt->scheduler.dispatch[engine];
}

static struct intel_gvt_dispatch *workload_dispatch(const struct intel_vgpu_workload *workload)
{
	return dispatch_of(workload->vgpu->gvt, workload->engine->id);
}

/*
 * Keep i915 from looking at the engine's requests. Waits for it to finish if it is
 * doing so.
 *
 * Soft interrupts stay disabled until the gate opens. One that found the tasklet
 * disabled would leave it to ksoftirqd, and that would try again and again until the
 * scheduler stops it, on the very CPU that is to open the gate.
 */
static void close_gate(struct intel_engine_cs *engine)
{
	local_bh_disable();
	tasklet_disable_in_atomic(&engine->sched_engine->tasklet);
}

static void open_gate(struct intel_engine_cs *engine)
{
	struct tasklet_struct *tasklet = &engine->sched_engine->tasklet;

	tasklet_enable(tasklet);
	/* A reset that ended while the gate was closed could not start the tasklet */
	if (!atomic_read(&tasklet->count))
		tasklet_hi_schedule(tasklet);
	/* What was put off is done at the end of this */
	local_bh_enable();
}

/* With the gate closed */
static void set_priority(struct i915_request *rq, int priority)
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

/* The priority of the request at a place in the order */
static int place_priority(int place)
{
	return place ? PRIORITY_WAIT - place + 1 : PRIORITY_RUN;
}

/* Keep i915 from a request, with the gate closed. What is on the engine stays there. */
static void park(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu)
{
	struct i915_request *rq = dispatch->workload[vgpu->id]->req;
	struct i915_sched_engine *sched_engine = rq->engine->sched_engine;

	if (intel_gvt_exec_running(vgpu->gvt, rq->engine->id, vgpu->id))
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

/* With the gate closed, and before it has a new priority: that sorts it in again */
static void unpark(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu)
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
	bool has_priority = READ_ONCE(rq->sched.attr.priority) == place_priority(place);

	if (place < order->ready)
		return !parked && has_priority;

	/* What i915 holds back itself, after a hang, cannot be parked */
	return parked || (has_priority && i915_request_on_hold(rq));
}

static bool in_order(const struct intel_gvt_dispatch *dispatch,
		     const struct gvt_dispatch_order *order)
{
	int i;

	for (i = 0; i < order->n; i++) {
		if (!in_place(dispatch, order, i))
			return false;
	}

	return true;
}

/* With the gate closed */
static void set_order(struct intel_gvt_dispatch *dispatch,
		      const struct gvt_dispatch_order *order)
{
	int i;

	for (i = 0; i < order->n; i++) {
		if (i < order->ready)
			unpark(dispatch, order->vgpu[i]);
		if (!test_bit(order->vgpu[i]->id, dispatch->parked))
			set_priority(dispatch->workload[order->vgpu[i]->id]->req,
				     place_priority(i));
		if (i >= order->ready)
			park(dispatch, order->vgpu[i]);
	}
}

static void raise_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				  struct intel_engine_cs *engine)
{
	unsigned long timeout_ms = READ_ONCE(engine->props.preempt_timeout_ms);

	dispatch->raised = true;
	dispatch->preempt_timeout_ms = timeout_ms;
	/* Without a time-out i915 resets nothing, not even what is cancelled */
	if ((timeout_ms || dispatch->cancelled) && timeout_ms < PREEMPT_TIMEOUT_MS)
		WRITE_ONCE(engine->props.preempt_timeout_ms, PREEMPT_TIMEOUT_MS);
}

static void restore_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				    struct intel_engine_cs *engine)
{
	dispatch->raised = false;
	/* Somebody else may have set it meanwhile */
	if (READ_ONCE(engine->props.preempt_timeout_ms) == PREEMPT_TIMEOUT_MS)
		WRITE_ONCE(engine->props.preempt_timeout_ms,
			   dispatch->preempt_timeout_ms);
}

static void update_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				   struct intel_engine_cs *engine)
{
	bool needed = dispatch->barrier || dispatch->cancelled;

	if (needed && !dispatch->raised)
		raise_preempt_timeout(dispatch, engine);
	else if (!needed && dispatch->raised)
		restore_preempt_timeout(dispatch, engine);
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
		update_preempt_timeout(workload_dispatch(workload),
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

	if (workload_dispatch(workload)->in_flight == 1) {
		i915_request_add(workload->req);
		return;
	}

	close_gate(engine);
	i915_request_add(workload->req);
	set_priority(workload->req, PRIORITY_NEW - vgpu->id);
	open_gate(engine);
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

/* Others were on the engine before; of their end i915 may tell later */
static void others_stop(struct intel_gvt *gvt, const struct intel_vgpu_workload *workload)
{
	const struct intel_gvt_dispatch *dispatch = workload_dispatch(workload);
	int id;

	if (dispatch->in_flight == 1)
		return;

	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (id == workload->vgpu->id ||
		    !intel_gvt_exec_running(gvt, workload->engine->id, id) ||
		    !dispatch->workload[id])
			continue;
		intel_gvt_exec_stop(gvt, dispatch->workload[id]->req);
	}
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

	others_stop(gvt, workload);
	/* What is cancelled leaves in the engine's registers what it finds there */
	if (!workload->cancelled)
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

static bool is_finished(const struct intel_vgpu_workload *workload)
{
	return workload->shared && workload->dispatched &&
	       dma_fence_is_signaled(&workload->req->fence) &&
	       !atomic_read(&workload->shadow_ctx_active);
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
 * intel_gvt_dispatch_is_barrier - whether a request is one of GVT-g's barriers
 * @gvt: the GVT device
 * @rq: the request
 *
 * Return: true if it is.
 */
bool intel_gvt_dispatch_is_barrier(struct intel_gvt *gvt, const struct i915_request *rq)
{
	return rq->context == dispatch_of(gvt, rq->engine->id)->barrier_ce;
}

/**
 * intel_gvt_dispatch_can_preempt - whether an engine can hand over
 * @gvt: the GVT device
 * @engine: the engine
 *
 * Return: true if a workload can be taken off it.
 */
bool intel_gvt_dispatch_can_preempt(struct intel_gvt *gvt, enum intel_engine_id engine)
{
	return dispatch_of(gvt, engine)->barrier_ce;
}

/* The vGPU whose workload is on the engine goes first */
static void executing_first(enum intel_engine_id engine, struct gvt_dispatch_order *order)
{
	struct intel_vgpu **vgpu = order->vgpu, *first;
	int i;

	for (i = 0; i < order->n; i++) {
		if (!intel_gvt_exec_running(vgpu[i]->gvt, engine, vgpu[i]->id))
			continue;
		first = vgpu[i];
		memmove(vgpu + 1, vgpu, i * sizeof(*vgpu));
		vgpu[0] = first;
		order->ready += i >= order->ready;
		return;
	}
}

/*
 * Have another workload follow the barrier. Until that has executed i915 has given the
 * engine nothing that comes after it, and with the gate closed it gives it nothing.
 */
static void follow_barrier(struct intel_gvt_dispatch *dispatch, struct intel_engine_cs *engine,
			   const struct gvt_dispatch_order *order)
{
	if (dispatch->held || in_order(dispatch, order))
		return;

	close_gate(engine);
	if (!i915_request_completed(dispatch->barrier)) {
		intel_gvt_exec_handover(order->vgpu[0], engine->id, dispatch->barrier_since);
		set_order(dispatch, order);
	}
	open_gate(engine);
}

/**
 * intel_gvt_dispatch_arrange - say in which order workloads are to run
 * @gvt: the GVT device
 * @engine: the engine
 * @order: the order, of one vGPU at least
 *
 * Call with sched_lock held. A workload that executes stays where it is.
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
	if (in_order(dispatch, order))
		return;

	/* Another workload may begin until i915 is kept from that */
	close_gate(gvt->gt->engine[engine]);
	executing_first(engine, order);
	set_order(dispatch, order);
	open_gate(gvt->gt->engine[engine]);
}

/**
 * intel_gvt_dispatch_unpark - let i915 have all that it was kept from
 * @gvt: the GVT device
 * @engine: the engine, whose lane is about to be another one
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

	close_gate(gvt->gt->engine[engine]);
	for (id = 0; id < GVT_EXEC_VGPUS; id++) {
		if (!test_bit(id, dispatch->parked))
			continue;
		vgpu = dispatch->workload[id]->vgpu;
		unpark(dispatch, vgpu);
		set_priority(dispatch->workload[id]->req, PRIORITY_NEW - id);
	}
	open_gate(gvt->gt->engine[engine]);
}

static struct i915_request *new_barrier(struct intel_context *ce)
{
	struct i915_request *rq;
	int err;

	/* The request keeps a pin of its own */
	err = intel_context_pin(ce);
	if (err)
		return ERR_PTR(err);
	rq = i915_request_create(ce);
	intel_context_unpin(ce);
	if (IS_ERR(rq))
		return rq;

	i915_request_get(rq);
	err = rq->engine->emit_init_breadcrumb ? rq->engine->emit_init_breadcrumb(rq) : 0;
	if (!err)
		return rq;

	/* It does nothing as it is, and i915 takes back no request */
	i915_request_add(rq);
	i915_request_put(rq);
	return ERR_PTR(err);
}

static void barrier_executed(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct intel_gvt_dispatch *dispatch =
		container_of(cb, struct intel_gvt_dispatch, barrier_cb);

	intel_gvt_request_service(dispatch->gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/**
 * intel_gvt_dispatch_hand_over - take a workload off its engine
 * @gvt: the GVT device
 * @engine: the engine
 * @from: the vGPU whose workload executes
 * @order: the order afterwards, of one vGPU at least
 *
 * Call with sched_lock held. When the workload has left the engine, or is finished,
 * the service thread looks at the engine again.
 *
 * Return: true if the hand-over is under way.
 */
bool intel_gvt_dispatch_hand_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				  struct intel_vgpu *from, struct gvt_dispatch_order *order)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);
	struct intel_engine_cs *cs = gvt->gt->engine[engine];
	struct i915_request *rq;

	lockdep_assert_held(&gvt->sched_lock);

	if (dispatch->barrier)
		return true;

	rq = new_barrier(dispatch->barrier_ce);
	if (IS_ERR(rq))
		return false;

	dispatch->barrier = rq;
	gvt->scheduler.total.hand_overs++;
	dispatch->barrier_since = ktime_get_ns();
	dispatch->from_id = from->id;
	intel_gvt_exec_handover(order->vgpu[0], engine, dispatch->barrier_since);
	update_preempt_timeout(dispatch, cs);

	close_gate(cs);
	i915_request_add(rq);
	set_priority(rq, PRIORITY_RUN + 1);
	set_order(dispatch, order);
	open_gate(cs);

	if (dma_fence_add_callback(&rq->fence, &dispatch->barrier_cb, barrier_executed))
		intel_gvt_request_service(gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
	return true;
}

static void end_hand_over(struct intel_gvt_dispatch *dispatch, struct intel_engine_cs *engine)
{
	dma_fence_remove_callback(&dispatch->barrier->fence, &dispatch->barrier_cb);
	i915_request_put(fetch_and_zero(&dispatch->barrier));
	dispatch->gvt->scheduler.total.hand_overs--;
	update_preempt_timeout(dispatch, engine);
}

/**
 * intel_gvt_dispatch_handed_over - look after the hand-over under way
 * @gvt: the GVT device
 * @engine: the engine
 * @took_ns: receives the time since it was begun
 *
 * Call with sched_lock held.
 *
 * Return: the id of the vGPU whose workload had to make way if that has happened, 0 if
 * not or if there is no hand-over.
 */
int intel_gvt_dispatch_handed_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				   u64 *took_ns)
{
	struct intel_gvt_dispatch *dispatch = dispatch_of(gvt, engine);

	lockdep_assert_held(&gvt->sched_lock);

	if (!dispatch->barrier || !dma_fence_is_signaled(&dispatch->barrier->fence))
		return 0;

	/* Only when i915 has taken note of its end has it of all that was before */
	if (intel_context_inflight_count(dispatch->barrier_ce))
		return 0;

	*took_ns = ktime_get_ns() - dispatch->barrier_since;
	end_hand_over(dispatch, gvt->gt->engine[engine]);
	return dispatch->from_id;
}

/* As i915_request_cancel(), but what the guest is told of is a hang */
static void set_cancelled(struct intel_vgpu_workload *workload)
{
	struct intel_gvt *gvt = workload->vgpu->gvt;
	struct i915_request *rq = workload->req;

	/* The notifier need not load registers for it from now on */
	spin_lock_irq(&gvt->scheduler.mmio_context_lock);
	workload->cancelled = true;
	spin_unlock_irq(&gvt->scheduler.mmio_context_lock);

	/* -EAGAIN is no error: a reset met the request although another one had hung */
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
	update_preempt_timeout(dispatch, engine);

	/* While the gate is closed i915 gives the engine nothing */
	close_gate(engine);
	set_cancelled(workload);
	unpark(dispatch, workload->vgpu);
	if (engine->sched_engine->schedule)
		set_priority(workload->req, PRIORITY_RUN + 1);
	open_gate(engine);

	queue_work(system_unbound_wq, &dispatch->cancel_work);
}

/**
 * intel_gvt_dispatch_cancel - take what a vGPU has in flight off the engines
 * @vgpu: the vGPU, which is being stopped
 *
 * Its workloads end as those that hang do. Call without sched_lock, and again
 * after a while if that was not enough: what is about to go to i915 is left alone.
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
		if (workload && READ_ONCE(workload->dispatched))
			cancel_workload(workload);
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

/*
 * i915 makes the engine take off what is on it, which may sleep, and does not like to be
 * interrupted: a signal makes it reset the engine at once, whoever is on it by then.
 */
static void take_off_cancelled(struct work_struct *work)
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
	struct intel_context *ce;

	for_each_engine(engine, gvt->gt, id) {
		dispatch_of(gvt, id)->gvt = gvt;
		INIT_WORK(&dispatch_of(gvt, id)->cancel_work, take_off_cancelled);
		if (!intel_engine_has_preemption(engine) ||
		    !engine->sched_engine->schedule)
			continue;

		ce = intel_context_create(engine);
		if (IS_ERR(ce)) {
			intel_gvt_dispatch_clean(gvt);
			return PTR_ERR(ce);
		}
		dispatch_of(gvt, id)->barrier_ce = ce;
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
			end_hand_over(dispatch, engine);
		}
		if (dispatch->barrier_ce)
			intel_context_put(fetch_and_zero(&dispatch->barrier_ce));
	}
}
