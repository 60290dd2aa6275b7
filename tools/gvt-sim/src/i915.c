// SPDX-License-Identifier: GPL-2.0-only

#include "die.h"
#include "heap.h"
#include "i915.h"
#include "memory.h"
#include "world.h"

/* One request for each vGPU, a barrier, and the host's request */
#define QUEUE (GVT_MAX_VGPU + 2)

/**
 * struct sim_engine - an engine and i915's queue for it
 * @cs: the engine's i915 structure
 * @queue: waiting requests
 * @queued: number of requests in @queue
 * @starting: request that the engine is about to start
 * @running: request that executes
 * @host: the host's request, while queued
 * @ahead: stands for any request ahead of @host in execlists.pending
 * @since: when @running started, or when its remaining time was last updated
 * @slowdown_ppm: slowdown of @running since then
 * @leaves_at: remaining time of @running when preempted
 * @free_since: when the engine last became free
 * @stay: generation, changes when a request starts or leaves, or its end changes
 * @turns: number of requests started so far
 * @leaves: @running will be preempted at its next preemption point
 * @yields: that preemption ends a timeslice
 * @looks: submit() is scheduled: i915 is about to examine the queue, or to notify the engine
 */
struct sim_engine {
	struct intel_engine_cs cs;
	struct i915_sched_engine sched_engine;
	struct i915_request *queue[QUEUE];
	int queued;
	struct i915_request *starting;
	struct i915_request *running;
	struct i915_request *host;
	struct i915_request ahead;
	u64 since;
	u64 slowdown_ppm;
	u64 leaves_at;
	u64 free_since;
	u64 stay;
	u64 turns;
	bool leaves;
	bool yields;
	bool looks;
};

static const struct {
	const char *name;
	u16 class;
	u16 instance;
} kinds[I915_NUM_ENGINES] = {
	[RCS0] = { "rcs0", 0, 0 },
	[BCS0] = { "bcs0", 1, 0 },
	[VCS0] = { "vcs0", 2, 0 },
	[VCS1] = { "vcs1", 2, 1 },
	[VECS0] = { "vecs0", 3, 0 },
};

static struct sim_engine engines[I915_NUM_ENGINES];
static intel_engine_mask_t there = ALL_ENGINES & ~BIT(VCS1);
static u64 orders, contexts;
static struct list_head made_requests = { &made_requests, &made_requests };
static struct list_head made_contexts = { &made_contexts, &made_contexts };

/* A replay does not simulate the engines: the trace has their events */
static bool follows;

#define container_of_const(p, type, member) ((const type *)((const char *)(p) - offsetof(type, member)))

static struct sim_engine *engine_of(const struct i915_request *rq)
{
	return &engines[rq->engine->id];
}

/* --- which request is next ------------------------------------------------- */

static bool goes_first(const struct i915_request *a, const struct i915_request *b)
{
	if (a->sched.attr.priority != b->sched.attr.priority)
		return a->sched.attr.priority > b->sched.attr.priority;
	return a->order < b->order;
}

/* Index of the first request, or -1; skips requests that GVT-g has parked */
static int find_first(const struct sim_engine *e)
{
	int i, first = -1;

	for (i = 0; i < e->queued; i++) {
		if (i915_request_in_priority_queue(e->queue[i]) &&
		    (first < 0 || goes_first(e->queue[i], e->queue[first])))
			first = i;
	}

	return first;
}

static const struct i915_request *first_of(const struct sim_engine *e)
{
	int first = find_first(e);

	return first < 0 ? NULL : e->queue[first];
}

static void put(struct sim_engine *e, struct i915_request *rq)
{
	if (e->queued == QUEUE)
		die("more than %d requests for %s", QUEUE, e->cs.name);
	e->queue[e->queued++] = rq;
	set_bit(I915_FENCE_FLAG_PQUEUE, &rq->fence.flags);
}

static struct i915_request *take(struct sim_engine *e, int i)
{
	struct i915_request *rq = e->queue[i];

	e->queue[i] = e->queue[--e->queued];
	clear_bit(I915_FENCE_FLAG_PQUEUE, &rq->fence.flags);
	return rq;
}

/* --- engines that share the memory --------------------------------------------- */

static void finish(void *subject, u64 stay);
static void preempt(void *subject, u64 stay);

static const struct sim_stream *stream_of(const struct sim_engine *e)
{
	return e->running && e->running->workload ? e->running->workload->stream : NULL;
}

/* Memory demand of other vGPUs; the curve already includes the own vGPU's other engines */
static u64 mbps_beside(const struct sim_engine *e)
{
	u64 mbps = 0;
	int i;

	for (i = 0; i < I915_NUM_ENGINES; i++) {
		const struct sim_stream *s = stream_of(&engines[i]);

		if (s && s->vgpu != e->running->workload->vgpu)
			mbps += s->mbps;
	}

	return mbps;
}

static u64 slowdown_ppm(const struct sim_engine *e)
{
	const struct sim_stream *s = stream_of(e);

	return s && s->points ? memory_slowdown_ppm(s, mbps_beside(e)) : MEMORY_ALONE_PPM;
}

/* Updates the remaining time of the request */
static void work_out_rest(struct sim_engine *e)
{
	u64 done = memory_does_ns(ktime_get_ns() - e->since, e->slowdown_ppm);

	e->running->rest_ns -= min(done, e->running->rest_ns);
	e->since = ktime_get_ns();
}

static void plan_end(struct sim_engine *e)
{
	u64 rest_ns = e->running->rest_ns;

	if (e->leaves)
		sim_after(memory_takes_ns(rest_ns - min(e->leaves_at, rest_ns), e->slowdown_ppm),
			  preempt, e, e->stay);
	sim_after(memory_takes_ns(rest_ns, e->slowdown_ppm), finish, e, e->stay);
}

/* Recomputes slowdowns, as a request on one engine affects those on others */
static void share_memory(void)
{
	int i;

	for (i = 0; i < I915_NUM_ENGINES; i++) {
		struct sim_engine *e = &engines[i];
		u64 ppm = slowdown_ppm(e);

		if (!stream_of(e) || ppm == e->slowdown_ppm)
			continue;
		work_out_rest(e);
		e->slowdown_ppm = ppm;
		e->stay++;
		plan_end(e);
	}
}

/* --- the host's request beside others --------------------------------------------- */

static void make_way(struct sim_engine *e);

/* Sets execlists.pending, from which GVT-g sees whether the host's request is the first */
static void show_host(struct sim_engine *e)
{
	struct i915_request **pending = e->cs.execlists.pending;
	bool first = first_of(e) == e->host;

	if (!e->host)
		return;
	e->ahead = (struct i915_request) {
		.engine = &e->cs, .context = sim_own_context(e->cs.id),
	};
	pending[0] = first ? e->host : &e->ahead;
	pending[1] = first ? NULL : e->host;
}

/* Linux guests disable arbitration, and GVT-g enables it only under preemptive dispatch */
static bool yields_to_host(const struct i915_request *rq)
{
	const struct intel_vgpu_workload *workload = rq->workload;

	return workload && (workload->stream->always || sim_sched_preempts(workload->vgpu));
}

/* i915 alternates between requests of equal priority, if they can be preempted */
static void end_timeslice(void *subject, u64 turn)
{
	struct sim_engine *e = subject;

	if (turn != e->turns || !e->running || !e->host || e->leaves ||
	    !yields_to_host(e->running) ||
	    e->running->sched.attr.priority > e->host->sched.attr.priority)
		return;
	make_way(e);
	e->yields = e->leaves;
}

/*
 * i915 uses a timer of the timer wheel, which counts ticks and rounds up: at 250 Hz, a timeslice of
 * 1 ms takes 4 to 8 ms.
 */
static u64 end_of_timeslice(void)
{
	u64 tick = sim_latency.tick;

	if (!tick)
		return ktime_get_ns() + sim_latency.timeslice;
	return (ktime_get_ns() / tick + (sim_latency.timeslice + tick - 1) / tick + 1) * tick;
}

/*
 * The host's request counts as given to the engine once queued, so that the simulation includes the
 * wait in i915's queue, which the driver cannot see
 */
static void give_host(struct sim_engine *e)
{
	if (!e->host || !e->running)
		return;
	show_host(e);
	sim_context_in(e->host);
	sim_at(end_of_timeslice(), end_timeslice, e, e->turns);
}

static void host_begins(struct sim_engine *e)
{
	if (e->running != e->host)
		return;
	e->host = NULL;
	memset(e->cs.execlists.pending, 0, sizeof(e->cs.execlists.pending));
}

/* --- the engine -------------------------------------------------------------- */

static void look(struct sim_engine *e);

static void runs(struct sim_engine *e, struct i915_request *rq)
{
	e->running = rq;
	e->cs.execlists.inflight[0] = rq;
}

static void leave(struct sim_engine *e)
{
	struct i915_request *rq = e->running;

	runs(e, NULL);
	e->leaves = false;
	e->yields = false;
	e->stay++;
	e->free_since = ktime_get_ns();
	e->looks = false;
	rq->context->inflight--;
	share_memory();
	show_host(e);
	sim_context_out(rq);
	look(e);
}

static void finish(void *subject, u64 stay)
{
	struct sim_engine *e = subject;
	struct i915_request *rq = e->running;

	if (stay != e->stay)
		return;
	rq->rest_ns = 0;
	rq->fence.signaled = true;
	if (rq->fence.cb)
		rq->fence.cb->func(&rq->fence, rq->fence.cb);
	leave(e);
}

static void preempt(void *subject, u64 stay)
{
	struct sim_engine *e = subject;

	if (stay != e->stay)
		return;
	work_out_rest(e);
	e->running->rest_ns += sim_latency.resume;
	if (e->yields)
		e->running->order = ++orders;
	put(e, e->running);
	leave(e);
}

static void start(void *subject, u64 stay)
{
	struct sim_engine *e = subject;

	if (stay != e->stay || !e->starting)
		return;
	runs(e, e->starting);
	e->starting = NULL;
	e->turns++;
	host_begins(e);
	e->since = ktime_get_ns();
	e->slowdown_ppm = slowdown_ppm(e);
	e->running->context->inflight++;
	plan_end(e);
	share_memory();
	sim_context_in(e->running);
	give_host(e);
	look(e);
}

static void start_first(struct sim_engine *e)
{
	/* A request that directly follows another has no latency: the engine already has both */
	u64 latency_ns = e->free_since == ktime_get_ns() ? 0 : sim_latency.start;

	e->starting = take(e, find_first(e));
	sim_after(latency_ns, start, e, e->stay);
}

static void make_way(struct sim_engine *e)
{
	struct i915_request *rq = e->running;
	u64 to_point_ns;

	if (!rq->piece_ns)
		return;
	work_out_rest(e);
	/* The last piece ends with the request */
	to_point_ns = rq->rest_ns % rq->piece_ns;
	if (to_point_ns == rq->rest_ns)
		return;

	e->leaves = true;
	e->leaves_at = rq->rest_ns - to_point_ns;
	sim_after(memory_takes_ns(to_point_ns, e->slowdown_ppm), preempt, e, e->stay);
}

static void submit(void *subject, u64 token)
{
	struct sim_engine *e = subject;
	const struct i915_request *first = first_of(e);

	e->looks = false;
	if (!first || e->starting || e->leaves)
		return;
	if (!e->running)
		start_first(e);
	else if (first->sched.attr.priority > e->running->sched.attr.priority &&
		 (!first->host || yields_to_host(e->running)))
		make_way(e);
}

/*
 * Stands for i915's tasklet: runs after the current callback. A busy engine learns of a new request
 * as late as a free engine would start it.
 */
static void look(struct sim_engine *e)
{
	if (e->looks || follows)
		return;
	e->looks = true;
	sim_after(e->running ? sim_latency.start : 0, submit, e, 0);
}

/* --- i915's interface to GVT-g ------------------------------------------------- */

static void schedule(struct i915_request *rq, const struct i915_sched_attr *attr)
{
	if (i915_request_in_priority_queue(rq))
		list_del_init(&rq->sched.link);
	if (attr->priority > rq->sched.attr.priority) {
		rq->sched.attr.priority = attr->priority;
		rq->order = ++orders;
	}
	look(engine_of(rq));
}

struct intel_context *intel_context_create(struct intel_engine_cs *engine)
{
	static const struct intel_context_ops ops;
	struct intel_context *ce = calloc(1, sizeof(*ce));

	if (!ce)
		die("out of memory");
	ce->engine = engine;
	ce->ops = &ops;
	ce->lrc.desc = ++contexts << I915_GTT_PAGE_SHIFT;
	list_add_tail(&ce->made, &made_contexts);
	return ce;
}

void i915_context_free(struct intel_context *ce)
{
	if (!ce)
		return;
	list_del_init(&ce->made);
	free(ce);
}

struct i915_request *i915_request_create(struct intel_context *ce)
{
	struct i915_request *rq = calloc(1, sizeof(*rq));

	if (!rq)
		die("out of memory");
	rq->engine = ce->engine;
	rq->context = ce;
	rq->fence.context = ce->lrc.desc >> I915_GTT_PAGE_SHIFT;
	rq->fence.seqno = ++orders;
	rq->rest_ns = sim_latency.barrier;
	INIT_LIST_HEAD(&rq->sched.link);
	list_add_tail(&rq->made, &made_requests);
	return rq;
}

/* No reference counts: each request has one holder, as the barrier's creator drops its reference */
struct i915_request *i915_request_get(struct i915_request *rq)
{
	return rq;
}

void i915_request_put(struct i915_request *rq)
{
	list_del_init(&rq->made);
	free(rq);
}

void i915_request_add(struct i915_request *rq)
{
	if (follows)
		return;
	rq->order = ++orders;
	put(engine_of(rq), rq);
	if (rq->host) {
		engine_of(rq)->host = rq;
		give_host(engine_of(rq));
	}
	look(engine_of(rq));
}

void i915_follow(void)
{
	follows = true;
}

enum intel_engine_id i915_engine_id(const struct intel_engine_cs *engine)
{
	return container_of_const(engine, struct sim_engine, cs) - engines;
}

void i915_needs(const struct intel_engine_cs *engine)
{
	there |= BIT(i915_engine_id(engine));
}

/* A replay restarts with a new state after each input that it cannot follow */
static void forget_all(void)
{
	struct i915_request *rq, *next_rq;
	struct intel_context *ce, *next_ce;

	list_for_each_entry_safe(rq, next_rq, &made_requests, made)
		i915_request_put(rq);
	list_for_each_entry_safe(ce, next_ce, &made_contexts, made)
		i915_context_free(ce);
}

void i915_init(struct intel_gt *gt)
{
	int i;

	forget_all();
	for (i = 0; i < I915_NUM_ENGINES; i++) {
		engines[i].sched_engine.schedule = schedule;
		INIT_LIST_HEAD(&engines[i].sched_engine.hold);
		engines[i].cs = (struct intel_engine_cs) {
			.id = i,
			.name = kinds[i].name,
			.uabi_class = kinds[i].class,
			.uabi_instance = kinds[i].instance,
			.sched_engine = &engines[i].sched_engine,
			.execlists.active = engines[i].cs.execlists.inflight,
		};
		if (there & BIT(i))
			gt->engine[i] = &engines[i].cs;
	}
}

struct intel_engine_cs *i915_engine(const char *name)
{
	int i;

	for (i = 0; i < I915_NUM_ENGINES; i++) {
		if (!strcmp(kinds[i].name, name))
			return &engines[i].cs;
	}

	return NULL;
}

struct intel_engine_cs *i915_engine_of_class(s64 class, s64 instance)
{
	int i;

	for (i = 0; i < I915_NUM_ENGINES; i++) {
		if (kinds[i].class == class && kinds[i].instance == instance)
			return &engines[i].cs;
	}

	return NULL;
}
