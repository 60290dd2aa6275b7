// SPDX-License-Identifier: GPL-2.0-only
/*
 * A GPU that executes one workload at a time to its end, vGPUs whose clients are
 * described by a few numbers, and the scheduler under test between them. What must
 * hold in any history is checked at each decision.
 */

#include <linux/math64.h>

#include "sched_sim.h"

/**
 * sched_sim_random - a random number
 * @s: the simulation
 * @below: its bound, not 0
 *
 * Return: 0 to @below - 1.
 */
u64 sched_sim_random(struct sched_sim *s, u64 below)
{
	u64 r = (u64)prandom_u32_state(&s->rnd) << 32 | prandom_u32_state(&s->rnd);
	u64 rest;

	div64_u64_rem(r, below, &rest);
	return rest;
}

/**
 * sched_sim_new - make a simulation without vGPUs
 * @test: the test, which owns it
 * @policy: the policy
 * @seed: of the random numbers
 *
 * There is no start boost, and slices are handed out at the beginning.
 *
 * Return: the simulation.
 */
struct sched_sim *sched_sim_new(struct kunit *test, enum gvt_sched_policy policy, u64 seed)
{
	struct sched_sim *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->test = test;
	s->t = sched_test_new(test, policy);
	prandom_seed_state(&s->rnd, seed);
	s->executing = -1;
	s->now = at(0);
	s->tick = at(0);

	return s;
}

static struct gvt_sched_entity *entity(struct sched_sim *s, int i)
{
	return &s->t->e[i];
}

static int index_of(const struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return e ? e - s->t->e : -1;
}

static bool is_strict(const struct sched_sim *s)
{
	return s->t->set.policy == GVT_SCHED_STRICT;
}

/**
 * sched_sim_start - let one more vGPU begin
 * @s: the simulation
 * @client: what it does; must live as long
 */
void sched_sim_start(struct sched_sim *s, const struct sched_sim_client *client)
{
	u32 i = s->vgpus++, k;
	struct gvt_sched_entity *e = entity(s, i);

	s->v[i] = (struct sched_sim_vgpu) { .client = client };
	for (k = 0; k < client->depth; k++)
		s->v[i].arrival[k] = s->now;

	gvt_sched_entity_init(e, client->weight ? client->weight : 2);
	gvt_sched_set_nice(&s->t->rq, e, client->nice);
	gvt_sched_add(&s->t->rq, e, s->now);
	gvt_sched_set_cap(&s->t->rq, e, client->cap, s->now);
}

/* Statistics */

/**
 * sched_sim_forget - begin to measure
 * @s: the simulation
 *
 * What happened before is not counted any more.
 */
void sched_sim_forget(struct sched_sim *s)
{
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		s->v[i].service_ns = 0;
		s->v[i].done = 0;
		s->v[i].late = 0;
		s->v[i].latency_ns = 0;
		s->v[i].wait_ns = 0;
	}
	s->busy_ns = 0;
	s->turn_ns = 0;
	s->held_ns = 0;
	s->capped_ns = 0;
	s->wasted_ns = 0;
	s->wakeups = 0;
}

/**
 * sched_sim_share - a vGPU's share of the time
 * @s: the simulation
 * @i: the vGPU
 * @ns: time since sched_sim_forget()
 *
 * Return: the share in hundredths of a per cent.
 */
u64 sched_sim_share(const struct sched_sim *s, u32 i, u64 ns)
{
	return div64_u64(s->v[i].service_ns * 10000, ns);
}

/* What happens */

static void queue(struct sched_sim *s, u32 i)
{
	struct sched_sim_vgpu *v = &s->v[i];

	if (v->queued == SCHED_SIM_DEPTH)
		return;

	v->since[v->queued++] = s->now;
	gvt_sched_enqueue(&s->t->rq, entity(s, i), s->now);
}

/* Lets a client queue what it wants to queue by now */
static bool arrive(struct sched_sim *s, u32 i)
{
	struct sched_sim_vgpu *v = &s->v[i];
	bool any = false;
	u32 k;

	for (k = 0; k < SCHED_SIM_DEPTH; k++) {
		if (!v->arrival[k] || v->arrival[k] > s->now)
			continue;
		any = true;
		v->arrival[k] = v->client->period_ns ? s->now + v->client->period_ns : 0;
		queue(s, i);
	}

	return any;
}

static void think(struct sched_sim *s, struct sched_sim_vgpu *v)
{
	u32 k = 0;

	if (v->client->period_ns)
		return;

	while (v->arrival[k])
		k++;
	v->arrival[k] = s->now + v->client->think_ns;
}

static void measure(struct sched_sim *s, struct sched_sim_vgpu *v)
{
	u64 latency_ns = s->now - v->since[0];

	v->service_ns += s->now - s->started_at;
	v->done++;
	v->latency_ns = max(v->latency_ns, latency_ns);
	if (latency_ns > s->late_ns)
		v->late++;
}

static void finish(struct sched_sim *s)
{
	u32 i = s->executing, k;
	struct sched_sim_vgpu *v = &s->v[i];

	s->executing = -1;
	measure(s, v);
	v->queued--;
	for (k = 0; k < v->queued; k++)
		v->since[k] = v->since[k + 1];

	gvt_sched_charge(&s->t->rq, entity(s, i), s->now - s->started_at, s->now);
	if (!v->queued)
		gvt_sched_idle(&s->t->rq, entity(s, i), s->now);
	think(s, v);
}

/* Begins the next workload of the vGPU whose turn it is */
static void dispatch(struct sched_sim *s)
{
	struct gvt_sched_entity *e = s->t->rq.current_entity;
	struct sched_sim_vgpu *v;

	if (s->executing >= 0 || s->has_next || !e || !e->busy)
		return;

	s->executing = index_of(s, e);
	v = &s->v[s->executing];
	v->wait_ns = max(v->wait_ns, s->now - e->wait_since);
	s->started_at = s->now;
	s->done_at = s->now + v->client->exec_ns;
	if (v->client->spread_ns)
		s->done_at += sched_sim_random(s, v->client->spread_ns);
}

/* What must hold at each decision */

static bool throttled(const struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return e->cap && e->cap_left_ns <= 0 &&
	       s->now < e->wait_since + MS(s->t->set.max_wait_ms);
}

static bool all_throttled(const struct sched_sim *s)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e->busy && !throttled(s, e))
			return false;
	}

	return true;
}

static bool has_waited_longest(const struct sched_sim *s, const struct gvt_sched_entity *next)
{
	const struct gvt_sched_rq *rq = &s->t->rq;
	const struct gvt_sched_entity *e;
	bool overdue = false;

	list_for_each_entry(e, &rq->entities, link) {
		if (!e->busy || e == rq->current_entity ||
		    s->now < e->wait_since + MS(s->t->set.max_wait_ms))
			continue;
		if (next && next->wait_since <= e->wait_since && next != rq->current_entity)
			continue;
		overdue = true;
	}

	return !overdue;
}

/* The virtual time is nobody's future who has work */
static void check_tags(struct sched_sim *s)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e->busy)
			KUNIT_ASSERT_GE(s->test, (s64)(e->vtime - s->t->rq.vclock), 0LL);
	}
}

static void check_choice(struct sched_sim *s, const struct gvt_sched_choice *choice)
{
	const struct gvt_sched_rq *rq = &s->t->rq;
	bool fair = s->t->set.policy == GVT_SCHED_FAIR;

	if (choice->wake_at)
		KUNIT_ASSERT_GT(s->test, choice->wake_at, s->now);
	if (choice->next) {
		KUNIT_ASSERT_TRUE(s->test, choice->next->busy);
		KUNIT_ASSERT_TRUE(s->test, gvt_sched_is_added(choice->next));
		KUNIT_ASSERT_FALSE(s->test, throttled(s, choice->next));
	} else if (rq->busy && !is_strict(s)) {
		/* the GPU is kept idle for a reason, and not for ever */
		KUNIT_ASSERT_TRUE(s->test, rq->hold.expected || all_throttled(s));
		KUNIT_ASSERT_NE(s->test, choice->wake_at, 0);
	} else if (!rq->busy) {
		KUNIT_ASSERT_EQ(s->test, choice->wake_at, 0);
	}

	if (fair) {
		KUNIT_ASSERT_TRUE(s->test, has_waited_longest(s, choice->next));
		check_tags(s);
	}
}

/* Decisions */

/* As GVT-g does: also while a workload executes, which does not change the turn */
static void decide(struct sched_sim *s)
{
	struct gvt_sched_rq *rq = &s->t->rq;
	struct gvt_sched_choice choice;

	rq->executing = s->executing >= 0;
	choice = gvt_sched_pick(rq, s->now);
	check_choice(s, &choice);
	s->wake_at = choice.wake_at;
	if (s->executing >= 0 || choice.next == rq->current_entity)
		return;
	/* who has nothing to go on with need not be told to stop */
	if (choice.next || rq->current_entity->busy)
		gvt_sched_switch(rq, choice.next, s->now);
}

static void decide_strict(struct sched_sim *s, bool tick)
{
	struct gvt_sched_rq *rq = &s->t->rq;
	struct gvt_sched_choice choice;

	if (tick)
		gvt_sched_period(rq, s->now);
	gvt_sched_account(rq, s->now);
	if (!s->has_next) {
		choice = gvt_sched_pick(rq, s->now);
		check_choice(s, &choice);
		s->next = choice.next;
		s->has_next = s->next != rq->current_entity;
	}
	if (!s->has_next || s->executing >= 0)
		return;

	gvt_sched_switch(rq, s->next, s->now);
	s->has_next = false;
}

static u64 next_event(const struct sched_sim *s, u64 end)
{
	u64 next = end;
	u32 i, k;

	if (s->executing >= 0)
		next = min(next, s->done_at);
	if (s->wake_at && !is_strict(s))
		next = min(next, s->wake_at);
	if (is_strict(s))
		next = min(next, s->tick);
	for (i = 0; i < s->vgpus; i++) {
		for (k = 0; k < SCHED_SIM_DEPTH; k++) {
			if (s->v[i].arrival[k])
				next = min(next, s->v[i].arrival[k]);
		}
	}

	return max(next, s->now);
}

static void pass_time(struct sched_sim *s, u64 now)
{
	struct gvt_sched_rq *rq = &s->t->rq;
	u64 ns = now - s->now;

	if (rq->current_entity && (is_strict(s) || rq->current_entity->busy))
		s->turn_ns += ns;
	if (s->executing >= 0)
		s->busy_ns += ns;
	else if (rq->hold.expected)
		s->held_ns += ns;
	else if (rq->busy && all_throttled(s))
		s->capped_ns += ns;
	else if (rq->busy)
		s->wasted_ns += ns;
	s->now = now;
}

static void step(struct sched_sim *s, u64 end)
{
	bool event = false, finished = false, tick;
	u32 i;

	pass_time(s, next_event(s, end));
	if (s->executing >= 0 && s->done_at == s->now) {
		finish(s);
		finished = true;
	}
	for (i = 0; i < s->vgpus; i++)
		event |= arrive(s, i);

	tick = s->tick <= s->now;
	if (tick)
		s->tick = s->now + GVT_SCHED_TICK_NS;
	if (!is_strict(s)) {
		s->wakeups += s->wake_at && s->wake_at <= s->now;
		if (event || finished || (s->wake_at && s->wake_at <= s->now))
			decide(s);
	} else if (tick || event || (finished && s->has_next)) {
		decide_strict(s, tick);
	}
	dispatch(s);
}

/**
 * sched_sim_run - let time pass
 * @s: the simulation
 * @ns: how much
 */
void sched_sim_run(struct sched_sim *s, u64 ns)
{
	u64 end = s->now + ns;

	while (s->now < end)
		step(s, end);
	gvt_sched_account(&s->t->rq, s->now);
}

/**
 * sched_sim_decide - something else changed that the scheduler may want to know
 * @s: the simulation
 */
void sched_sim_decide(struct sched_sim *s)
{
	if (is_strict(s))
		s->wake_at = 0;
	else
		decide(s);
	dispatch(s);
}

/**
 * sched_sim_remove - stop a vGPU, as its VM's end does
 * @s: the simulation
 * @i: the vGPU
 *
 * It finishes what it began, and keeps what it queued.
 */
void sched_sim_remove(struct sched_sim *s, u32 i)
{
	if (s->has_next && s->next == entity(s, i))
		s->has_next = false;
	gvt_sched_remove(&s->t->rq, entity(s, i), s->now);
	sched_sim_decide(s);
}

/**
 * sched_sim_add - start a vGPU again
 * @s: the simulation
 * @i: the vGPU
 */
void sched_sim_add(struct sched_sim *s, u32 i)
{
	gvt_sched_add(&s->t->rq, entity(s, i), s->now);
	sched_sim_decide(s);
}
