// SPDX-License-Identifier: GPL-2.0-only
/*
 * One engine as it is used where dispatch is not exclusive: the next vGPU's workload
 * is got ready while one executes, and workloads can be taken off the engine, if
 * dispatch is preemptive, for those of others. Neither takes any time. What must hold
 * in any history is checked at each decision.
 */

#include <linux/math64.h>

#include "sched_engine.h"

/**
 * sched_engine_random - a random number
 * @s: the simulation
 * @below: its bound, not 0
 *
 * Return: 0 to @below - 1.
 */
u64 sched_engine_random(struct sched_engine *s, u64 below)
{
	u64 r = (u64)prandom_u32_state(&s->rnd) << 32 | prandom_u32_state(&s->rnd);
	u64 rest;

	div64_u64_rem(r, below, &rest);
	return rest;
}

/**
 * sched_engine_new - make a simulation without vGPUs
 * @test: the test, which owns it
 * @policy: the policy
 * @dispatch: not exclusive
 * @seed: of the random numbers
 *
 * There is no start boost.
 *
 * Return: the simulation.
 */
struct sched_engine *sched_engine_new(struct kunit *test, enum gvt_sched_policy policy,
				      enum gvt_sched_dispatch dispatch, u64 seed)
{
	struct sched_engine *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->test = test;
	s->t = sched_test_new(test, policy);
	s->t->set.dispatch = dispatch;
	prandom_seed_state(&s->rnd, seed);
	s->now = at(0);

	return s;
}

static struct gvt_sched_entity *current_of(const struct sched_engine *s)
{
	return s->t->rq.current_entity;
}

static struct sched_engine_vgpu *vgpu_of(struct sched_engine *s,
					 const struct gvt_sched_entity *e)
{
	return &s->v[e - s->t->e];
}

/**
 * sched_engine_start - let one more vGPU begin
 * @s: the simulation
 * @client: what it does; must live as long
 */
void sched_engine_start(struct sched_engine *s, const struct sched_engine_client *client)
{
	u32 i = s->vgpus++, k;
	struct gvt_sched_entity *e = &s->t->e[i];

	s->v[i] = (struct sched_engine_vgpu) { .client = client };
	for (k = 0; k < client->depth; k++)
		s->v[i].arrival[k] = s->now;

	gvt_sched_entity_init(e, client->weight ? client->weight : 2);
	gvt_sched_set_nice(&s->t->rq, e, client->nice);
	gvt_sched_add(&s->t->rq, e, s->now);
	gvt_sched_set_cap(&s->t->rq, e, client->cap, s->now);
	e->preemptible = !client->runs_to_end;
}

/**
 * sched_engine_longest - the longest workload of a vGPU
 * @s: the simulation
 * @i: the vGPU
 *
 * Return: its execution time.
 */
u64 sched_engine_longest(const struct sched_engine *s, u32 i)
{
	return s->v[i].client->exec_ns + s->v[i].client->spread_ns;
}

/* Statistics */

/**
 * sched_engine_forget - begin to measure
 * @s: the simulation
 *
 * What happened before is not counted any more.
 */
void sched_engine_forget(struct sched_engine *s)
{
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		s->v[i].service_ns = 0;
		s->v[i].done = 0;
		s->v[i].preempted = 0;
		s->v[i].latency_ns = 0;
		s->v[i].wait_ns = 0;
	}
	s->busy_ns = 0;
	s->held_ns = 0;
	s->capped_ns = 0;
	s->wasted_ns = 0;
	s->decisions = 0;
}

/**
 * sched_engine_share - a vGPU's share of the time
 * @s: the simulation
 * @i: the vGPU
 * @ns: time since sched_engine_forget()
 *
 * Return: the share in hundredths of a per cent.
 */
u64 sched_engine_share(const struct sched_engine *s, u32 i, u64 ns)
{
	return div64_u64(s->v[i].service_ns * 10000, ns);
}

/* What happens */

static void queue(struct sched_engine *s, u32 i)
{
	struct sched_engine_vgpu *v = &s->v[i];

	if (!v->queued)
		v->waits_since = s->now;
	v->since[v->queued++] = s->now;
	gvt_sched_enqueue(&s->t->rq, &s->t->e[i], s->now);
}

static bool arrive(struct sched_engine *s, u32 i)
{
	struct sched_engine_vgpu *v = &s->v[i];
	bool any = false;
	u32 k;

	for (k = 0; k < SCHED_ENGINE_DEPTH; k++) {
		if (!v->arrival[k] || v->arrival[k] > s->now)
			continue;
		v->arrival[k] = 0;
		queue(s, i);
		any = true;
	}

	return any;
}

static void think(struct sched_engine *s, struct sched_engine_vgpu *v)
{
	u32 k = 0;

	while (v->arrival[k])
		k++;
	v->arrival[k] = s->now + v->client->think_ns;
}

/* The workload that executes has come to its end; all but @exec_ns of it is charged */
static void finish(struct sched_engine *s, u64 exec_ns)
{
	struct gvt_sched_entity *e = s->running;
	struct sched_engine_vgpu *v = vgpu_of(s, e);
	u32 k;

	s->running = NULL;
	v->done++;
	v->latency_ns = max(v->latency_ns, s->now - v->since[0]);
	v->queued--;
	for (k = 0; k < v->queued; k++)
		v->since[k] = v->since[k + 1];

	gvt_sched_charge(&s->t->rq, e, exec_ns, s->now);
	if (!v->queued)
		gvt_sched_idle(&s->t->rq, e, s->now);
	think(s, v);
}

static bool throttled(const struct sched_engine *s, const struct gvt_sched_entity *e)
{
	return e->cap && e->cap_left_ns <= 0 &&
	       s->now < e->wait_since + MS(s->t->set.max_wait_ms);
}

static bool all_throttled(const struct sched_engine *s)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e->busy && !throttled(s, e))
			return false;
	}

	return true;
}

static void count_idle(struct sched_engine *s, u64 ns)
{
	if (s->t->rq.hold.expected)
		s->held_ns += ns;
	else if (s->t->rq.busy && all_throttled(s))
		s->capped_ns += ns;
	else if (s->t->rq.busy)
		s->wasted_ns += ns;
}

/* Lets time pass, and charges the vGPU that executes for it */
static void pass_time(struct sched_engine *s, u64 now)
{
	struct gvt_sched_entity *e = s->running;
	struct sched_engine_vgpu *v;
	u64 ns = now - s->now;

	if (!e)
		count_idle(s, ns);
	s->now = now;
	if (!e)
		return;

	v = vgpu_of(s, e);
	s->busy_ns += ns;
	v->service_ns += ns;
	v->waits_since = now;
	v->rest_ns -= ns;
	if (v->rest_ns)
		gvt_sched_used(&s->t->rq, e, ns, now);
	else
		finish(s, ns);
	v->least_left_ns = min(v->least_left_ns, e->left_ns);
}

/* What must hold at each decision */
static void check_choice(struct sched_engine *s, const struct gvt_sched_choice *choice)
{
	const struct gvt_sched_rq *rq = &s->t->rq;

	if (choice->wake_at)
		KUNIT_ASSERT_GT(s->test, choice->wake_at, s->now);
	if (!rq->busy) {
		KUNIT_ASSERT_NULL(s->test, choice->next);
		KUNIT_ASSERT_EQ(s->test, choice->wake_at, 0);
		return;
	}
	if (!choice->next) {
		/* not for ever, and not for nothing */
		KUNIT_ASSERT_NE(s->test, choice->wake_at, 0);
		if (rq->set->policy != GVT_SCHED_STRICT)
			KUNIT_ASSERT_TRUE(s->test, rq->hold.expected || all_throttled(s));
		return;
	}
	KUNIT_ASSERT_TRUE(s->test, choice->next->busy);
	KUNIT_ASSERT_FALSE(s->test, throttled(s, choice->next));
	if (rq->set->policy == GVT_SCHED_STRICT && !choice->next->boosted)
		KUNIT_ASSERT_GT(s->test, choice->next->left_ns, 0);
}

/* Decisions, as sched_lane.c makes them */

static bool makes_way(const struct sched_engine *s, const struct gvt_sched_entity *e)
{
	return gvt_sched_makes_way(&s->t->rq, e);
}

/* What is at the engine and cannot be put off runs next, whatever would be chosen now */
static bool is_committed(const struct sched_engine *s)
{
	return s->next && s->next != current_of(s) && s->next->busy && !makes_way(s, s->next);
}

static void look_ahead(struct sched_engine *s)
{
	struct gvt_sched_choice ahead;

	s->patient = false;
	if (s->next != current_of(s) || s->running != current_of(s) || !s->running)
		return;

	ahead = gvt_sched_ahead(&s->t->rq, s->now);
	if (!ahead.next || gvt_sched_fills_gaps(&s->t->rq, ahead.next))
		return;
	KUNIT_ASSERT_PTR_NE(s->test, ahead.next, s->running);
	KUNIT_ASSERT_TRUE(s->test, ahead.next->busy);
	s->next = ahead.next;
	s->patient = true;
}

static void choose(struct sched_engine *s)
{
	struct gvt_sched_entity *e = current_of(s);
	struct gvt_sched_choice choice;

	s->wake_at = 0;
	if (is_committed(s))
		return;

	s->decisions++;
	s->t->rq.executing = s->running;
	choice = gvt_sched_pick(&s->t->rq, s->now);
	check_choice(s, &choice);
	s->wake_at = choice.wake_at;
	/* who has nothing to go on with need not be told to stop */
	s->next = choice.next || (e && e->busy) ? choice.next : e;
	look_ahead(s);
}

static void preempt(struct sched_engine *s)
{
	vgpu_of(s, s->running)->preempted++;
	s->running = NULL;
}

static void begin_turn(struct sched_engine *s, struct gvt_sched_entity *e)
{
	gvt_sched_switch(&s->t->rq, e, s->now);
	s->next = e;
	s->patient = false;
}

/* Brings the next vGPU to its turn if no other one has the engine */
static bool follow_choice(struct sched_engine *s)
{
	if (s->next == current_of(s))
		return false;
	if (s->next && s->running && !s->patient && makes_way(s, s->running))
		preempt(s);
	if (s->running)
		return false;

	begin_turn(s, s->next);
	return true;
}

/* The first of those who use every moment that is left */
static struct gvt_sched_entity *gap_filler(struct sched_engine *s)
{
	struct gvt_sched_entity *e, *first = NULL;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e->busy && gvt_sched_fills_gaps(&s->t->rq, e) &&
		    (!first || gvt_sched_before(&s->t->rq, e, first, s->now)))
			first = e;
	}

	return first;
}

static void begin_workload(struct sched_engine *s, struct gvt_sched_entity *e)
{
	struct sched_engine_vgpu *v = vgpu_of(s, e);

	s->running = e;
	v->wait_ns = max(v->wait_ns, s->now - v->waits_since);
	if (v->rest_ns)
		return;

	v->rest_ns = v->client->exec_ns;
	if (v->client->spread_ns)
		v->rest_ns += sched_engine_random(s, v->client->spread_ns);
}

static bool dispatch(struct sched_engine *s)
{
	struct gvt_sched_entity *e = current_of(s);

	if (s->running)
		return false;
	if (!e || !e->busy) {
		e = gap_filler(s);
		if (!e)
			return false;
		begin_turn(s, e);
	}
	begin_workload(s, e);

	return true;
}

/* A turn that begins, and a workload, are something to decide about, too */
static void decide(struct sched_engine *s)
{
	u32 rounds = 0;
	bool changed;

	do {
		KUNIT_ASSERT_LT(s->test, rounds++, 2 * SCHED_TEST_VGPUS);
		choose(s);
		changed = follow_choice(s);
		changed |= dispatch(s);
	} while (changed);
}

static u64 next_event(const struct sched_engine *s, u64 end)
{
	u64 next = end;
	u32 i, k;

	if (s->running)
		next = min(next, s->now + s->v[s->running - s->t->e].rest_ns);
	if (s->wake_at)
		next = min(next, s->wake_at);
	for (i = 0; i < s->vgpus; i++) {
		for (k = 0; k < SCHED_ENGINE_DEPTH; k++) {
			if (s->v[i].arrival[k])
				next = min(next, s->v[i].arrival[k]);
		}
	}

	return max(next, s->now);
}

static void step(struct sched_engine *s, u64 end)
{
	const struct gvt_sched_entity *e = s->running;
	bool event;
	u32 i;

	pass_time(s, next_event(s, end));
	event = s->running != e || (s->wake_at && s->wake_at <= s->now);
	for (i = 0; i < s->vgpus; i++)
		event |= arrive(s, i);
	if (!event)
		return;

	/* who was made ready goes on at once */
	if (!s->running && is_committed(s))
		begin_turn(s, s->next);
	decide(s);
}

/**
 * sched_engine_run - let time pass
 * @s: the simulation
 * @ns: how much
 */
void sched_engine_run(struct sched_engine *s, u64 ns)
{
	u64 end = s->now + ns;

	while (s->now < end)
		step(s, end);
	gvt_sched_account(&s->t->rq, s->now);
}
