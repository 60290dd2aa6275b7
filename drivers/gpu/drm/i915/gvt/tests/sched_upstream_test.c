// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compare the strict policy with the upstream scheduler that the policy replaces: both run
 * the same random history, and must agree after each step.
 *
 * The model of upstream below follows sched_policy.c of Linux 6.12, with the same names,
 * so that the comparison does not depend on the code under test.
 */

#include <linux/prandom.h>

#include "sched_test.h"

#define SEEDS		8
#define HISTORY_NS	(12 * NSEC_PER_SEC)

/* Linux 6.12 */

struct upstream_vgpu {
	struct list_head lru_list;
	int weight;
	bool pending;
	bool pri_sched;
	s64 pri_time;
	s64 sched_in_time;
	s64 left_ts;
	s64 allocated_ts;
};

struct upstream {
	struct list_head lru_runq_head;
	s64 expire_time;
	u64 stage_check;
	struct upstream_vgpu vgpu[SCHED_TEST_VGPUS];
	struct upstream_vgpu idle_vgpu;
	struct upstream_vgpu *current_vgpu;
	struct upstream_vgpu *next_vgpu;
	bool need_reschedule;
};

static void vgpu_update_timeslice(struct upstream *u, struct upstream_vgpu *vgpu, s64 now)
{
	if (!vgpu || vgpu == &u->idle_vgpu)
		return;

	vgpu->left_ts -= now - vgpu->sched_in_time;
	vgpu->sched_in_time = now;
}

static void allocate_timeslice(struct upstream *u)
{
	struct upstream_vgpu *vgpu;
	int total_weight = 0;

	list_for_each_entry(vgpu, &u->lru_runq_head, lru_list)
		total_weight += vgpu->weight;
	list_for_each_entry(vgpu, &u->lru_runq_head, lru_list)
		vgpu->allocated_ts = div_s64(MS(100), total_weight) * vgpu->weight;
}

static void gvt_balance_timeslice(struct upstream *u)
{
	int stage = u->stage_check++ % 10;
	struct upstream_vgpu *vgpu;

	if (stage == 0) {
		allocate_timeslice(u);
		list_for_each_entry(vgpu, &u->lru_runq_head, lru_list)
			vgpu->left_ts = vgpu->allocated_ts;
	} else {
		list_for_each_entry(vgpu, &u->lru_runq_head, lru_list)
			vgpu->left_ts += vgpu->allocated_ts;
	}
}

static void try_to_schedule_next_vgpu(struct upstream *u, bool executing, s64 now)
{
	if (u->next_vgpu == u->current_vgpu) {
		u->next_vgpu = NULL;
		return;
	}

	u->need_reschedule = true;
	if (executing)
		return;

	vgpu_update_timeslice(u, u->current_vgpu, now);
	u->next_vgpu->sched_in_time = now;
	u->current_vgpu = u->next_vgpu;
	u->next_vgpu = NULL;
	u->need_reschedule = false;
}

static struct upstream_vgpu *find_busy_vgpu(struct upstream *u, s64 now)
{
	struct upstream_vgpu *vgpu;

	list_for_each_entry(vgpu, &u->lru_runq_head, lru_list) {
		if (!vgpu->pending)
			continue;

		if (vgpu->pri_sched) {
			if (now < vgpu->pri_time)
				return vgpu;
			vgpu->pri_sched = false;
		}

		if (vgpu->left_ts > 0)
			return vgpu;
	}

	return NULL;
}

static void tbs_sched_func(struct upstream *u, bool executing, s64 now)
{
	struct upstream_vgpu *vgpu;

	if (!list_empty(&u->lru_runq_head) && !u->next_vgpu) {
		vgpu = find_busy_vgpu(u, now);
		if (vgpu) {
			u->next_vgpu = vgpu;
			if (!vgpu->pri_sched) {
				list_del_init(&vgpu->lru_list);
				list_add_tail(&vgpu->lru_list, &u->lru_runq_head);
			}
		} else {
			u->next_vgpu = &u->idle_vgpu;
		}
	}

	if (u->next_vgpu)
		try_to_schedule_next_vgpu(u, executing, now);
}

static void intel_gvt_schedule(struct upstream *u, bool tick, bool executing, s64 now)
{
	if (tick && now >= u->expire_time) {
		gvt_balance_timeslice(u);
		u->expire_time = now + MS(100);
	}

	vgpu_update_timeslice(u, u->current_vgpu, now);
	tbs_sched_func(u, executing, now);
}

static void tbs_sched_start_schedule(struct upstream *u, struct upstream_vgpu *vgpu, s64 now)
{
	vgpu->pri_time = now + 2 * NSEC_PER_SEC;
	vgpu->pri_sched = true;
	list_add(&vgpu->lru_list, &u->lru_runq_head);
}

static void intel_vgpu_stop_schedule(struct upstream *u, struct upstream_vgpu *vgpu)
{
	list_del_init(&vgpu->lru_list);
	if (u->next_vgpu == vgpu)
		u->next_vgpu = NULL;
	if (u->current_vgpu == vgpu) {
		u->need_reschedule = true;
		u->current_vgpu = NULL;
	}
}

/* The same steps with the code under test */

struct strict {
	struct sched_test *t;
	struct gvt_sched_entity *next;
	bool has_next;
	bool current_stopped;
	bool need_reschedule;
};

static void strict_schedule(struct strict *s, bool tick, bool executing, u64 now)
{
	struct gvt_sched_rq *rq = &s->t->rq;

	if (tick)
		gvt_sched_period(rq, now);
	gvt_sched_account(rq, now);

	if (!s->has_next) {
		s->next = gvt_sched_pick(rq, now).next;
		s->has_next = s->next != rq->current_entity || s->current_stopped;
	}
	if (!s->has_next)
		return;

	s->need_reschedule = true;
	if (executing)
		return;

	gvt_sched_switch(rq, s->next, now);
	s->has_next = false;
	s->current_stopped = false;
	s->need_reschedule = false;
}

static void strict_stop(struct strict *s, struct gvt_sched_entity *e, u64 now)
{
	if (s->has_next && s->next == e)
		s->has_next = false;
	/* after a stop of the current vGPU, upstream switches even to the idle vGPU */
	if (s->t->rq.current_entity == e) {
		s->need_reschedule = true;
		s->current_stopped = true;
	}
	gvt_sched_remove(&s->t->rq, e, now);
}

/* The history that both run */

/**
 * struct history - one engine, and the vGPUs' submissions
 * @test: the test
 * @rnd: state of the random numbers
 * @now: the time
 * @tick: time of the next tick
 * @ticks_stop: ticks of the code under test stop while there is no work
 * @stopped: ticks are stopped
 * @changes: vGPUs are removed and added
 * @vgpus: number of vGPUs
 * @queued: number of workloads of each vGPU, including the executing one
 * @arrival: when each vGPU queues its next workload
 * @pace_ns: mean time between two arrivals of each vGPU; single times are 0.5 to 1.5 of the mean
 * @executing: index of the vGPU whose workload executes, negative for none
 * @done_at: when the executing workload finishes
 * @upstream: the model of Linux 6.12
 * @strict: the code under test
 */
struct history {
	struct kunit *test;
	struct rnd_state rnd;
	u64 now;
	u64 tick;
	bool ticks_stop;
	bool stopped;
	bool changes;
	u32 vgpus;
	u32 queued[SCHED_TEST_VGPUS];
	u64 arrival[SCHED_TEST_VGPUS];
	u64 pace_ns[SCHED_TEST_VGPUS];
	int executing;
	u64 done_at;
	struct upstream upstream;
	struct strict strict;
};

static u64 random_below(struct history *h, u64 below)
{
	return (((u64)prandom_u32_state(&h->rnd) << 32 | prandom_u32_state(&h->rnd)) >> 8) % below;
}

static int upstream_index(const struct upstream *u, const struct upstream_vgpu *vgpu)
{
	return vgpu && vgpu != &u->idle_vgpu ? vgpu - u->vgpu : -1;
}

static int strict_index(const struct strict *s, const struct gvt_sched_entity *e)
{
	return e ? e - s->t->e : -1;
}

static int upstream_next(const struct upstream *u)
{
	return upstream_index(u, u->next_vgpu ? u->next_vgpu : u->current_vgpu);
}

static int strict_next(const struct strict *s)
{
	return strict_index(s, s->has_next ? s->next : s->t->rq.current_entity);
}

/* Upstream requeues a vGPU when choosing it, the code under test when its turn begins */
static void compare_turns(struct history *h)
{
	struct list_head *a = h->upstream.lru_runq_head.next;
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &h->strict.t->rq.entities, link) {
		KUNIT_ASSERT_PTR_EQ(h->test, a, &h->upstream.vgpu[e - h->strict.t->e].lru_list);
		a = a->next;
	}
	KUNIT_ASSERT_PTR_EQ(h->test, a, &h->upstream.lru_runq_head);
}

static void compare(struct history *h)
{
	struct gvt_sched_rq *rq = &h->strict.t->rq;
	struct upstream *u = &h->upstream;
	u32 i;

	KUNIT_ASSERT_EQ_MSG(h->test, strict_index(&h->strict, rq->current_entity),
			    upstream_index(u, u->current_vgpu), "current at %llu", h->now);
	KUNIT_ASSERT_EQ_MSG(h->test, strict_next(&h->strict), upstream_next(u),
			    "next at %llu", h->now);
	if (!h->strict.has_next)
		compare_turns(h);

	/* with ticks stopped, the code under test hands out slices later */
	if (h->stopped)
		return;
	for (i = 0; i < h->vgpus; i++)
		KUNIT_ASSERT_EQ_MSG(h->test, h->strict.t->e[i].left_ns, u->vgpu[i].left_ts,
				    "slice of vGPU %u at %llu", i, h->now);
}

static void schedule_both(struct history *h, bool tick)
{
	bool executing = h->executing >= 0;
	struct gvt_sched_rq *rq = &h->strict.t->rq;

	intel_gvt_schedule(&h->upstream, tick, executing, h->now);
	if (!tick || !h->stopped)
		strict_schedule(&h->strict, tick, executing, h->now);
	if (tick && h->ticks_stop)
		h->stopped = !rq->busy && !rq->current_entity && !h->strict.has_next;
	compare(h);
}

static void queue(struct history *h, u32 i)
{
	h->arrival[i] = h->now + h->pace_ns[i] / 2 + random_below(h, h->pace_ns[i]);
	if (h->queued[i] > 3)
		return;

	h->queued[i]++;
	h->upstream.vgpu[i].pending = true;
	/* hand out the slices of the skipped ticks */
	if (h->stopped)
		gvt_sched_period(&h->strict.t->rq, h->tick - NSEC_PER_MSEC);
	h->stopped = false;
	gvt_sched_enqueue(&h->strict.t->rq, &h->strict.t->e[i], h->now);
	schedule_both(h, false);
}

static void finish(struct history *h)
{
	u32 i = h->executing;

	h->executing = -1;
	h->queued[i]--;
	h->upstream.vgpu[i].pending = h->queued[i];
	gvt_sched_charge(&h->strict.t->rq, &h->strict.t->e[i], 1, h->now);
	if (!h->queued[i])
		gvt_sched_dequeue(&h->strict.t->rq, &h->strict.t->e[i], h->now);

	KUNIT_ASSERT_EQ(h->test, h->strict.need_reschedule, h->upstream.need_reschedule);
	if (h->upstream.need_reschedule)
		schedule_both(h, false);
}

/* Start the next workload of the current vGPU */
static void dispatch(struct history *h)
{
	int i = upstream_index(&h->upstream, h->upstream.current_vgpu);

	if (h->executing >= 0 || h->upstream.need_reschedule || i < 0 || !h->queued[i])
		return;

	h->executing = i;
	/* most workloads are short, some very long */
	h->done_at = h->now + 20000 + random_below(h, MS(1) << random_below(h, 8));
}

/*
 * Upstream boosts a vGPU for 2 s at every start. The strict policy limits boosts, because a
 * guest that resets its GPU every second would otherwise monopolize the GPU.
 */
static void limit_boost(struct history *h, struct upstream_vgpu *vgpu, s64 until)
{
	if (!until || h->now >= until + (GVT_SCHED_BOOST_EVERY - 1) * 2 * NSEC_PER_SEC)
		return;

	vgpu->pri_time = until;
	vgpu->pri_sched = h->now < until;
}

static void start_vgpu(struct history *h, u32 i)
{
	struct upstream_vgpu *vgpu = &h->upstream.vgpu[i];
	s64 boosted_until = vgpu->pri_time;

	tbs_sched_start_schedule(&h->upstream, vgpu, h->now);
	limit_boost(h, vgpu, boosted_until);
	gvt_sched_add(&h->strict.t->rq, &h->strict.t->e[i], h->now);
}

/*
 * Remove a vGPU, or add a removed vGPU again. Upstream computes the new slices only in
 * stage 0; the model computes them at once, as the strict policy does.
 */
static void change(struct history *h, u32 i)
{
	struct upstream_vgpu *vgpu = &h->upstream.vgpu[i];

	if (list_empty(&vgpu->lru_list)) {
		start_vgpu(h, i);
		allocate_timeslice(&h->upstream);
		vgpu->left_ts = min(vgpu->left_ts, vgpu->allocated_ts);
	} else {
		intel_vgpu_stop_schedule(&h->upstream, vgpu);
		strict_stop(&h->strict, &h->strict.t->e[i], h->now);
		if (!list_empty(&h->upstream.lru_runq_head))
			allocate_timeslice(&h->upstream);
	}
}

static u64 next_event(const struct history *h)
{
	u64 next = h->tick;
	u32 i;

	if (h->executing >= 0)
		next = min(next, h->done_at);
	for (i = 0; i < h->vgpus; i++)
		next = min(next, h->arrival[i]);

	return next;
}

static void step(struct history *h)
{
	u32 i;

	h->now = next_event(h);
	if (h->executing >= 0 && h->done_at == h->now)
		finish(h);
	for (i = 0; i < h->vgpus; i++) {
		if (h->arrival[i] == h->now)
			queue(h, i);
	}
	if (h->tick == h->now) {
		h->tick += NSEC_PER_MSEC;
		schedule_both(h, true);
	}
	/* vGPU 0 stays, because a vGPU added to an empty run queue restarts the stages */
	if (h->changes && h->vgpus > 1 && !random_below(h, 2000))
		change(h, 1 + random_below(h, h->vgpus - 1));
	dispatch(h);
}

static void begin(struct history *h, u64 seed)
{
	u32 i;

	prandom_seed_state(&h->rnd, seed);
	h->now = at(0);
	h->executing = -1;
	h->vgpus = 1 + random_below(h, SCHED_TEST_VGPUS);
	INIT_LIST_HEAD(&h->upstream.lru_runq_head);
	h->strict.t = sched_test_new(h->test, GVT_SCHED_STRICT);
	h->strict.t->set = (struct gvt_sched_settings)GVT_SCHED_DEFAULTS;
	for (i = 0; i < h->vgpus; i++) {
		u32 weight = 2 << random_below(h, 4);

		h->upstream.vgpu[i].weight = weight;
		INIT_LIST_HEAD(&h->upstream.vgpu[i].lru_list);
		gvt_sched_entity_init(&h->strict.t->e[i], weight);
		start_vgpu(h, i);
		h->pace_ns[i] = 100000 + random_below(h, MS(1) << random_below(h, 10));
		h->arrival[i] = h->now + random_below(h, h->pace_ns[i]);
	}

	/* the first tick hands out slices */
	schedule_both(h, true);
	h->tick = h->now + NSEC_PER_MSEC;
}

static void play(struct kunit *test, u64 seed, bool ticks_stop, bool changes)
{
	struct history *h = kunit_kzalloc(test, sizeof(*h), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, h);
	h->test = test;
	h->ticks_stop = ticks_stop;
	h->changes = changes;
	begin(h, seed);
	kunit_info(test, "seed %llu: %u vGPUs\n", seed, h->vgpus);
	while (h->now < at(0) + HISTORY_NS)
		step(h);
}

static void decides_as_upstream(struct kunit *test)
{
	u64 seed;

	for (seed = 1; seed <= SEEDS; seed++)
		play(test, seed, false, false);
}

static void stopped_ticks_make_no_difference(struct kunit *test)
{
	u64 seed;

	for (seed = 101; seed <= 100 + SEEDS; seed++)
		play(test, seed, true, false);
}

static void adds_and_removes_as_upstream(struct kunit *test)
{
	u64 seed;

	for (seed = 201; seed <= 200 + SEEDS; seed++)
		play(test, seed, false, true);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(decides_as_upstream),
	KUNIT_CASE(stopped_ticks_make_no_difference),
	KUNIT_CASE(adds_and_removes_as_upstream),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_upstream",
	.test_cases = cases,
};

kunit_test_suite(suite);
