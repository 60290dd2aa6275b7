// SPDX-License-Identifier: GPL-2.0-only

#include "die.h"
#include "heap.h"
#include "i915.h"
#include "memory.h"
#include "world.h"

/* One request of each vGPU, a barrier, and the host's */
#define QUEUE (GVT_MAX_VGPU + 2)

/**
 * struct sim_engine - an engine and i915's queue for it
 * @cs: as i915 has it
 * @queue: what waits
 * @queued: how many of these there are
 * @starting: what the engine is about to begin
 * @running: what it executes
 * @host: the host's request, while it is queued
 * @ahead: stands for what goes before that one
 * @since: since when, or when its rest was worked out last
 * @slowdown_ppm: how many times as long as alone it takes since then
 * @leaves_at: what will be left of it when it leaves
 * @free_since: when it last became free
 * @stay: counts the stays of requests on the engine, and changes of when one ends
 * @turns: counts the stays of requests on the engine
 * @leaves: @running leaves at its next point
 * @yields: it does as its timeslice is over
 * @looks: i915 is about to look at the queue, or to tell the engine what it found
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

/* The engines are not simulated: whoever follows a trace knows what they do */
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

/* The place of the first in the queue, or -1; GVT-g keeps i915 from those that it parks */
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

/* What other vGPUs ask of the memory: its own were beside it when its curve was made */
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

/* What is left of the request now */
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

/* Something begins or ends on an engine: others are faster or slower from now on */
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

/* GVT-g looks at what the engine was given: whether the host's goes first, or is behind another */
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

/* A Linux guest has arbitration off, and GVT-g puts it on only where dispatch is preemptive */
static bool yields_to_host(const struct i915_request *rq)
{
	const struct intel_vgpu_workload *workload = rq->workload;

	return workload && (workload->stream->always || sim_sched_preempts(workload->vgpu));
}

/* i915 lets requests of the same priority take turns, as far as they can be preempted */
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
 * i915 uses a timer of the timer wheel, which counts in ticks and rounds up: with 250 ticks per
 * second a timeslice of 1 ms takes 4 to 8.
 */
static u64 end_of_timeslice(void)
{
	u64 tick = sim_latency.tick;

	if (!tick)
		return ktime_get_ns() + sim_latency.timeslice;
	return (ktime_get_ns() / tick + (sim_latency.timeslice + tick - 1) / tick + 1) * tick;
}

/*
 * It counts as given to the engine once it is queued: its wait in i915's queue, which the driver
 * does not see, is to be known here
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
	/* Where one request follows another the engine has both */
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
	/* Its last piece ends when it does */
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
 * What a tasklet does in i915: when whoever runs now is done. An engine that executes gets to know of
 * it as late as one that is free begins.
 */
static void look(struct sim_engine *e)
{
	if (e->looks || follows)
		return;
	e->looks = true;
	sim_after(e->running ? sim_latency.start : 0, submit, e, 0);
}

/* --- what i915 offers to GVT-g ------------------------------------------------ */

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

/* Who holds a request holds it alone; the barrier's creator gives up one of two */
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

/* A replay begins again with each state after something that it does not follow */
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
