// SPDX-License-Identifier: GPL-2.0-only

#include "die.h"
#include "guest.h"
#include "heap.h"
#include "host.h"
#include "i915.h"
#include "thread.h"
#include "workload_trace.h"
#include "world.h"

/* State of a thread: sleeping, woken up, working, or waiting for the engine */
enum doing {
	SLEEPS,
	WAKES,
	WORKS,
	WAITS,
};

struct sim_thread {
	struct intel_gvt *gvt;
	const struct intel_engine_cs *engine;
	enum doing doing;
	struct intel_vgpu_workload *workload;
	const struct intel_vgpu *last;		/* vGPU of the last submission */
	u64 acts;				/* generation: invalidates pending callbacks */
};

static struct sim_thread threads[I915_NUM_ENGINES];

static void look_for_work(void *subject, u64 act);

static void work_for(struct sim_thread *t, u64 ns, sim_action then)
{
	t->doing = WORKS;
	sim_after(ns, then, t, ++t->acts);
}

/* --- from the queue to i915 --------------------------------------------------- */

static void make_request(struct intel_vgpu_workload *workload)
{
	struct intel_vgpu *vgpu = workload->vgpu;
	struct i915_request *rq =
		i915_request_create(vgpu->submission.shadow[workload->engine->id]);

	rq->workload = workload;
	rq->rest_ns = workload->exec_ns;
	rq->piece_ns = workload->piece_ns;
	workload->req = rq;
}

/* Runs after i915 has given the workload to a free engine */
static void tell_scheduler(void *subject, u64 act)
{
	struct sim_thread *t = subject;

	sim_sched_added(t->gvt, t->engine->id);
	if (act == t->acts)
		look_for_work(t, act);
}

static void submit(void *subject, u64 act)
{
	struct sim_thread *t = subject;
	struct intel_vgpu_workload *workload = t->workload;

	make_request(workload);
	trace_gvt_workload_submit(workload);
	intel_gvt_exec_submit(workload);
	if (workload->shared)
		intel_gvt_dispatch_add(workload);
	else
		i915_request_add(workload->req);
	workload->dispatched = true;
	if (!workload->shared) {
		t->doing = WAITS;
		return;
	}

	work_for(t, sim_latency.added, tell_scheduler);
}

static void begin(struct sim_thread *t, struct intel_vgpu *vgpu)
{
	struct intel_vgpu_workload *workload =
		list_first_entry(workload_q_head(vgpu, t->engine), struct intel_vgpu_workload,
				 list);
	bool same = t->last == vgpu;

	workload->shared = sim_sched_is_shared(t->gvt);
	intel_gvt_dispatch_begin(workload);
	t->workload = workload;
	t->last = vgpu;
	work_for(t, same ? sim_latency.same : sim_latency.submit, submit);
}

/* --- completion ------------------------------------------------------------------ */

static void complete(void *subject, u64 act)
{
	struct sim_thread *t = subject;
	struct intel_vgpu_workload *workload = t->workload;

	trace_gvt_workload_complete(workload);
	intel_gvt_dispatch_end(workload);
	list_del_init(&workload->list);
	sim_sched_complete(workload);
	i915_request_put(workload->req);
	guest_completed(workload);
	sim_sched_drained(t->gvt, t->engine->id);
	work_for(t, sim_latency.next, look_for_work);
}

static void look_for_work(void *subject, u64 act)
{
	struct sim_thread *t = subject;
	struct intel_vgpu *vgpu;

	if (act != t->acts)
		return;
	t->workload = intel_gvt_dispatch_finished(t->gvt, t->engine->id);
	if (t->workload) {
		work_for(t, sim_latency.shared_finish, complete);
		return;
	}

	vgpu = sim_sched_dispatch(t->gvt, t->engine);
	if (vgpu)
		begin(t, vgpu);
	else
		t->doing = SLEEPS;
}

void wake_up(wait_queue_head_t *waitq)
{
	struct sim_thread *t = &threads[waitq->engine];

	if (t->doing != SLEEPS)
		return;
	t->doing = WAKES;
	sim_after(sim_latency.wake, look_for_work, t, ++t->acts);
}

struct intel_context *sim_own_context(enum intel_engine_id engine)
{
	return threads[engine].gvt->scheduler.dispatch[engine].barrier_ce;
}

/* --- the notifier of context status ------------------------------------------------ */

void sim_context_in(struct i915_request *rq)
{
	struct intel_vgpu_workload *workload = rq->workload;

	intel_gvt_exec_given(threads[rq->engine->id].gvt, rq);
	if (!workload)
		return;
	workload->shadow_ctx_active = 1;
	intel_gvt_dispatch_started(workload);
}

void sim_context_out(struct i915_request *rq)
{
	struct intel_vgpu_workload *workload = rq->workload;
	struct sim_thread *t = &threads[rq->engine->id];

	intel_gvt_exec_left(t->gvt, rq);
	if (rq->host) {
		host_left(rq);
		return;
	}
	if (!workload) {
		intel_gvt_request_service(t->gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
		return;
	}
	workload->shadow_ctx_active = 0;
	if (workload->shared)
		intel_gvt_dispatch_left(workload, rq);
	else if (rq->fence.signaled)
		work_for(t, sim_latency.finish, complete);
}

void thread_init(struct intel_gvt *gvt)
{
	int i;

	for (i = 0; i < I915_NUM_ENGINES; i++) {
		threads[i].gvt = gvt;
		threads[i].engine = gvt->gt->engine[i];
		gvt->scheduler.waitq[i].engine = i;
	}
}
