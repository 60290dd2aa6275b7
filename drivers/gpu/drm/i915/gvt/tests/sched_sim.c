// SPDX-License-Identifier: GPL-2.0-only
/*
 * A simulation of an engine and of vGPUs, whose clients are described by a few numbers, with
 * the scheduler under test between them. With exclusive dispatch the engine stands for the
 * GPU. Otherwise several vGPUs can have workloads at the engine, which continues with the next
 * workload at once; with preemptive dispatch, the executing workload can be preempted at its
 * next preemption point. Invariants are checked at each decision.
 *
 * With exclusive dispatch there can be a second engine, which executes for the same vGPU as
 * the first. In the other modes engines are independent: simulate each engine separately.
 *
 * The simulation uses no device and is also built in user space (tools/testing/gvt-sched).
 */

#include <linux/math64.h>
#include <linux/string.h>

#include "../sched_cap.h"
#include "sched_sim.h"

/**
 * sched_sim_random - a random number
 * @s: the simulation
 * @below: upper bound, not 0
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
 * sched_sim_new - create a simulation without vGPUs
 * @test: the test, which owns the simulation
 * @policy: the policy
 * @dispatch: the dispatch mode
 * @seed: seed of the random numbers
 *
 * There is no start boost, and slices are handed out at the beginning. Initially,
 * submissions and switches take no time.
 *
 * Return: the simulation.
 */
struct sched_sim *sched_sim_new(struct kunit *test, enum gvt_sched_policy policy,
				enum gvt_sched_dispatch dispatch, u64 seed)
{
	struct sched_sim *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->test = test;
	s->t = sched_test_new(test, policy);
	s->t->set.dispatch = dispatch;
	gvt_sched_update_mode(&s->t->rq);
	prandom_seed_state(&s->rnd, seed);
	s->now = at(0);
	s->tick = at(0);

	return s;
}

/* The vGPU of a stream on either engine */
static struct gvt_sched_entity *entity(struct sched_sim *s, u32 i)
{
	return &s->t->e[i < SCHED_TEST_VGPUS ? i : i - SCHED_TEST_VGPUS];
}

static struct gvt_sched_entity *current_of(const struct sched_sim *s)
{
	return s->t->rq.current_entity;
}

static struct sched_sim_vgpu *vgpu_of(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return &s->v[e - s->t->e];
}

/* A vGPU's stream on the second engine */
static struct sched_sim_vgpu *beside_of(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return vgpu_of(s, e) + SCHED_TEST_VGPUS;
}

static bool executes(const struct sched_sim *s)
{
	return s->running || s->beside;
}

static bool on_ticks(const struct sched_sim *s)
{
	return gvt_sched_on_ticks(&s->t->rq);
}

static bool is_shared(const struct sched_sim *s)
{
	return gvt_sched_is_shared(&s->t->rq);
}

static void begin_stream(struct sched_sim *s, u32 i, const struct sched_sim_client *client)
{
	u32 k;

	s->streams = max(s->streams, i + 1);
	s->v[i] = (struct sched_sim_vgpu) { .client = client };
	for (k = 0; k < client->depth; k++)
		s->v[i].arrival[k] = s->now + client->start_ns;
}

/**
 * sched_sim_start - start another vGPU
 * @s: the simulation
 * @client: parameters of the vGPU; must live as long as @s
 */
void sched_sim_start(struct sched_sim *s, const struct sched_sim_client *client)
{
	u32 i = s->vgpus++;
	struct gvt_sched_entity *e = entity(s, i);

	begin_stream(s, i, client);
	gvt_sched_entity_init(e, client->weight ? client->weight : 2);
	gvt_sched_set_nice(&s->t->rq, e, client->nice);
	gvt_sched_add(&s->t->rq, e, s->now);
	gvt_sched_set_cap(&s->t->rq, e, client->cap, s->now);
	e->preemptible = !client->runs_to_end;
}

/**
 * sched_sim_beside - let a vGPU use the second engine as well
 * @s: the simulation, with exclusive dispatch
 * @i: the vGPU
 * @client: parameters there, except weight, nice and cap; must live as long as @s
 *
 * Statistics are in element @i + %SCHED_TEST_VGPUS of the streams.
 */
void sched_sim_beside(struct sched_sim *s, u32 i, const struct sched_sim_client *client)
{
	KUNIT_ASSERT_FALSE(s->test, is_shared(s));
	begin_stream(s, SCHED_TEST_VGPUS + i, client);
}

/**
 * sched_sim_longest - the longest workload of a vGPU
 * @s: the simulation
 * @i: the vGPU
 *
 * Return: the workload's execution time.
 */
u64 sched_sim_longest(const struct sched_sim *s, u32 i)
{
	return s->v[i].client->exec_ns + s->v[i].client->spread_ns;
}

/* Statistics */

/**
 * sched_sim_forget - clear the statistics
 * @s: the simulation
 */
void sched_sim_forget(struct sched_sim *s)
{
	u32 i;

	for (i = 0; i < s->streams; i++)
		memset_startat(&s->v[i], 0, overhead_ns);
	memset_startat(s, 0, busy_ns);
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

static u32 bin_of(u64 ns)
{
	u64 us = div_u64(ns, NSEC_PER_USEC);
	u32 octave = 0;

	while (us >> octave >= 2 << SCHED_SIM_BINS_LOG2)
		octave++;
	return min_t(u32, (octave << SCHED_SIM_BINS_LOG2) + (us >> octave),
		     SCHED_SIM_BINS - 1);
}

/**
 * sched_sim_bin_ns - the upper end of a bin of latencies
 * @bin: the bin
 *
 * Return: the latency below which the bin's latencies are.
 */
u64 sched_sim_bin_ns(u32 bin)
{
	u32 octave = max(bin >> SCHED_SIM_BINS_LOG2, 1u) - 1;
	u64 end = bin - (octave << SCHED_SIM_BINS_LOG2) + 1;

	return (end << octave) * NSEC_PER_USEC;
}

/**
 * sched_sim_latency - a quantile of a vGPU's latencies
 * @s: the simulation
 * @i: the vGPU
 * @per_mille: the quantile
 *
 * Return: the latency that @per_mille of the workloads did not exceed, or up to 1 us or 0.4 %
 * more; 0 if no workload finished.
 */
u64 sched_sim_latency(const struct sched_sim *s, u32 i, u32 per_mille)
{
	const struct sched_sim_vgpu *v = &s->v[i];
	u64 n = 0, enough = div_u64(v->done * per_mille + 999, 1000);
	u32 bin;

	for (bin = 0; bin < SCHED_SIM_BINS && v->done; bin++) {
		n += v->bins[bin];
		if (n >= enough)
			return min(sched_sim_bin_ns(bin), v->latency_ns);
	}

	return v->latency_ns;
}

/* Events */

static void queue(struct sched_sim *s, u32 i)
{
	struct sched_sim_vgpu *v = &s->v[i];

	if (v->queued == max(v->client->depth, 1u))
		return;

	if (!v->queued)
		v->waits_since = s->now;
	v->since[v->queued++] = s->now;
	v->came++;
	gvt_sched_enqueue(&s->t->rq, entity(s, i), s->now);
}

static u64 period(struct sched_sim *s, const struct sched_sim_vgpu *v)
{
	const struct sched_sim_client *c = v->client;

	if (v->came < c->boots)
		return SCHED_SIM_BOOT_PAUSE_NS;
	return c->period_ns + (c->jitter_ns ? sched_sim_random(s, c->jitter_ns) : 0);
}

/* Queue the workloads that are due */
static bool arrive(struct sched_sim *s, u32 i)
{
	struct sched_sim_vgpu *v = &s->v[i];
	bool any = false;
	u32 k;

	for (k = 0; k < SCHED_SIM_DEPTH; k++) {
		if (!v->arrival[k] || v->arrival[k] > s->now)
			continue;
		any = true;
		v->arrival[k] = v->client->period_ns && !k ? v->arrival[k] + period(s, v) : 0;
		queue(s, i);
	}

	return any;
}

static u64 pause(struct sched_sim *s, const struct sched_sim_vgpu *v)
{
	const struct sched_sim_client *c = v->client;
	u64 ns = c->think_ns, rest;

	if (v->came < c->boots)
		return SCHED_SIM_BOOT_PAUSE_NS;
	div64_u64_rem(v->came, max(c->burst, 1u), &rest);
	if (c->burst && rest < c->depth)
		ns = c->rest_ns;
	return ns + (c->think_spread_ns ? sched_sim_random(s, c->think_spread_ns) : 0);
}

static void think(struct sched_sim *s, struct sched_sim_vgpu *v)
{
	u32 k = 0;

	if (v->client->period_ns)
		return;

	while (v->arrival[k])
		k++;
	v->arrival[k] = s->now + pause(s, v);
}

static void measure(struct sched_sim *s, struct sched_sim_vgpu *v)
{
	u64 latency_ns = s->now - v->since[0];

	v->done++;
	v->latency_ns = max(v->latency_ns, latency_ns);
	v->latency_sum_ns += latency_ns;
	v->bins[bin_of(latency_ns)]++;
	if (latency_ns > s->late_ns)
		v->late++;
}

static void leave_engine(struct sched_sim *s)
{
	s->ran = s->running;
	s->running = NULL;
	s->off_at = 0;
}

/* Finish a workload; @exec_ns is the vGPU's uncharged execution time */
static void end_workload(struct sched_sim *s, struct sched_sim_vgpu *v, u64 exec_ns)
{
	struct gvt_sched_entity *e = entity(s, v - s->v);
	u32 k;

	measure(s, v);
	v->queued--;
	for (k = 0; k < v->queued; k++)
		v->since[k] = v->since[k + 1];
	v->at_engine_at = 0;

	gvt_sched_charge(&s->t->rq, e, exec_ns, s->now);
	if (!vgpu_of(s, e)->queued && !beside_of(s, e)->queued)
		gvt_sched_dequeue(&s->t->rq, e, s->now);
	think(s, v);
}

/* With exclusive dispatch: a vGPU's execution time on any engine since the last charge */
static u64 take_used_ns(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	u64 *used_ns = &s->used_ns[e - s->t->e], ns = *used_ns;

	*used_ns = 0;
	return ns;
}

static void finish(struct sched_sim *s, u64 ns)
{
	struct gvt_sched_entity *e = s->running;

	if (s->off_at)
		gvt_sched_handed_over(e, s->now - s->asked_at, true);
	leave_engine(s);
	end_workload(s, vgpu_of(s, e), is_shared(s) ? ns : take_used_ns(s, e));
}

static void finish_beside(struct sched_sim *s)
{
	struct sched_sim_vgpu *v = s->beside;

	s->ran_beside = v;
	s->beside = NULL;
	end_workload(s, v, take_used_ns(s, entity(s, v - s->v)));
}

static bool throttled(const struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return gvt_cap_throttled(&s->t->rq, e, s->now, NULL);
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

static void count_idle(struct sched_sim *s, u64 ns)
{
	if (s->t->rq.hold.expected)
		s->held_ns += ns;
	else if (s->t->rq.busy && all_throttled(s))
		s->capped_ns += ns;
	else if (s->t->rq.busy)
		s->wasted_ns += ns;
}

static void pass_workload(struct sched_sim *s, struct sched_sim_vgpu *v, u64 ns)
{
	v->service_ns += ns;
	v->waits_since = s->now;
	v->rest_ns -= ns;
}

static void execute_beside(struct sched_sim *s, u64 ns)
{
	s->beside_busy_ns += ns;
	pass_workload(s, s->beside, ns);
	if (!s->beside->rest_ns)
		finish_beside(s);
}

static void execute(struct sched_sim *s, u64 ns)
{
	struct gvt_sched_entity *e = s->running;
	struct sched_sim_vgpu *v = vgpu_of(s, e);

	s->busy_ns += ns;
	pass_workload(s, v, ns);
	if (!v->rest_ns)
		finish(s, ns);
	else if (is_shared(s))
		gvt_sched_used(&s->t->rq, e, ns, s->now);
	v->least_left_ns = min(v->least_left_ns, e->left_ns);
}

/* The executing workload is preempted */
static void preempt(struct sched_sim *s)
{
	vgpu_of(s, s->running)->preempted++;
	gvt_sched_handed_over(s->running, s->now - s->asked_at, false);
	leave_engine(s);
}

static bool another_waits(const struct sched_sim *s, const struct gvt_sched_entity *turn)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e != turn && e->busy && !throttled(s, e))
			return true;
	}

	return false;
}

/* Count the time in which a vGPU with work is denied the engine for another vGPU */
static void count_contended(struct sched_sim *s, u64 ns)
{
	const struct gvt_sched_entity *e = current_of(s);

	if (s->t->rq.hold.expected) {
		s->contended_ns += ns;
	} else if (e && e->busy && another_waits(s, e)) {
		s->contended_ns += ns;
		if (!executes(s))
			vgpu_of(s, e)->idled_ns += ns;
	}
}

/* With exclusive dispatch, both engines execute for the same vGPU */
static void count_used(struct sched_sim *s, u64 ns)
{
	const struct gvt_sched_entity *e = s->running;

	if (!e && s->beside)
		e = entity(s, s->beside - s->v);
	if (e && !is_shared(s))
		s->used_ns[e - s->t->e] += ns;
}

static void pass_time(struct sched_sim *s, u64 now)
{
	const struct gvt_sched_entity *e = current_of(s);
	u64 ns = now - s->now;

	if (e && (on_ticks(s) || e->busy))
		s->turn_ns += ns;
	if (!executes(s))
		count_idle(s, ns);
	count_contended(s, ns);
	s->now = now;
	count_used(s, ns);
	if (s->running)
		execute(s, ns);
	if (s->beside)
		execute_beside(s, ns);
	if (s->running && s->off_at && s->off_at <= now)
		preempt(s);
}

/* Invariants of decisions */

static void check_next(struct sched_sim *s, const struct gvt_sched_entity *next)
{
	KUNIT_ASSERT_TRUE(s->test, next->busy);
	KUNIT_ASSERT_TRUE(s->test, gvt_sched_is_added(next));
	KUNIT_ASSERT_FALSE(s->test, throttled(s, next));
	if (s->t->set.policy == GVT_SCHED_STRICT && is_shared(s) && !next->boosted)
		KUNIT_ASSERT_GT(s->test, next->left_ns, 0);
}

static void check_choice(struct sched_sim *s, const struct gvt_sched_choice *choice)
{
	const struct gvt_sched_rq *rq = &s->t->rq;

	if (choice->wake_at)
		KUNIT_ASSERT_GT(s->test, choice->wake_at, s->now);
	if (choice->next) {
		check_next(s, choice->next);
	} else if (rq->busy && !on_ticks(s)) {
		/* the engine idles for a reason and not forever */
		KUNIT_ASSERT_NE(s->test, choice->wake_at, 0);
		if (rq->set->policy != GVT_SCHED_STRICT)
			KUNIT_ASSERT_TRUE(s->test, rq->hold.expected || all_throttled(s));
	} else if (!rq->busy) {
		KUNIT_ASSERT_EQ(s->test, choice->wake_at, 0);
	}
}

/* Submission and execution */

static bool can_preempt(const struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return gvt_sched_can_preempt(&s->t->rq, e);
}

/* Whether a vGPU's workload is at the engine or being submitted */
static bool is_in_flight(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	const struct sched_sim_vgpu *v = vgpu_of(s, e);

	return v->queued && v->at_engine_at;
}

static bool is_at_engine(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return is_in_flight(s, e) && vgpu_of(s, e)->at_engine_at <= s->now;
}

/* Whether a workload executes, or will execute whatever is decided */
static bool is_engine_taken(struct sched_sim *s)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (is_in_flight(s, e) && (!can_preempt(s, e) || e == current_of(s)))
			return true;
	}

	return s->running;
}

static struct gvt_sched_choice pick(struct sched_sim *s)
{
	struct gvt_sched_choice choice;

	s->decisions++;
	s->t->rq.executing = is_shared(s) ? is_engine_taken(s) : executes(s);
	choice = gvt_sched_pick(&s->t->rq, s->now);
	check_choice(s, &choice);
	return choice;
}

static void submit(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	struct sched_sim_vgpu *v = vgpu_of(s, e);

	/* One submission at a time, as by the engine's thread */
	if (v->queued && !v->at_engine_at) {
		s->submits_until = max(s->now, s->submits_until) + s->submit_ns;
		v->at_engine_at = s->submits_until;
	}
}

static void begin_workload(struct sched_sim *s, struct sched_sim_vgpu *v)
{
	const struct sched_sim_client *c = v->client;
	u64 rest = 1;

	if (c->other_every)
		div64_u64_rem(v->begun, c->other_every, &rest);
	v->rest_ns = rest ? c->exec_ns : c->other_ns;
	if (c->spread_ns)
		v->rest_ns += sched_sim_random(s, c->spread_ns);
	if (v->begun++ < c->boots)
		v->rest_ns = c->boot_ns;
	v->length_ns = v->rest_ns;
}

static void go_on_with(struct sched_sim *s, struct sched_sim_vgpu *v, bool is_another)
{
	u64 switch_ns = is_another ? s->switch_ns : 0;

	v->wait_ns = max(v->wait_ns, s->now - v->waits_since);
	if (!v->rest_ns)
		begin_workload(s, v);
	v->begins_at = s->now + switch_ns;
	v->rest_ns += switch_ns;
	v->overhead_ns += switch_ns;
}

static void go_on(struct sched_sim *s, struct gvt_sched_entity *e)
{
	go_on_with(s, vgpu_of(s, e), s->ran != e);
	s->running = e;
}

/* Decisions with exclusive dispatch */

static void decide_at_event(struct sched_sim *s)
{
	struct gvt_sched_rq *rq = &s->t->rq;
	struct gvt_sched_choice choice = pick(s);

	s->wake_at = choice.wake_at;
	s->has_next = executes(s) && choice.next != rq->current_entity;
	if (executes(s) || choice.next == rq->current_entity)
		return;
	/* an idle vGPU keeps its turn until another vGPU is next */
	if (choice.next || rq->current_entity->busy)
		gvt_sched_switch(rq, choice.next, s->now);
}

static void decide_at_tick(struct sched_sim *s, bool tick)
{
	struct gvt_sched_rq *rq = &s->t->rq;

	if (tick)
		gvt_sched_period(rq, s->now);
	gvt_sched_account(rq, s->now);
	if (!s->has_next) {
		s->next = pick(s).next;
		s->has_next = s->next != rq->current_entity;
	}
	if (!s->has_next || executes(s))
		return;

	gvt_sched_switch(rq, s->next, s->now);
	s->has_next = false;
}

static void dispatch_beside(struct sched_sim *s, struct sched_sim_vgpu *v)
{
	if (s->beside || !v->queued)
		return;

	if (!v->at_engine_at)
		v->at_engine_at = s->now + s->submit_ns;
	if (v->at_engine_at > s->now)
		return;
	go_on_with(s, v, s->ran_beside != v);
	s->beside = v;
}

static void dispatch_exclusive(struct sched_sim *s)
{
	struct gvt_sched_entity *e = current_of(s);

	if (s->has_next || !e || !e->busy)
		return;

	dispatch_beside(s, beside_of(s, e));
	if (s->running)
		return;
	submit(s, e);
	if (is_at_engine(s, e))
		go_on(s, e);
}

/* Decisions with per-engine and preemptive dispatch, as in lane_state.c */

/* Whether the next vGPU's workload is in flight and cannot be unsubmitted */
static bool is_committed(struct sched_sim *s)
{
	return s->next && s->next != current_of(s) && is_in_flight(s, s->next) &&
	       !can_preempt(s, s->next);
}

/* Whether a workload that cannot be unsubmitted gets the engine before the next vGPU's */
static bool is_in_the_way(struct sched_sim *s)
{
	const struct gvt_sched_entity *e;

	if (s->next && is_at_engine(s, s->next))
		return false;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e != s->next && is_in_flight(s, e) && !can_preempt(s, e))
			return true;
	}

	return false;
}

static void look_ahead(struct sched_sim *s)
{
	struct gvt_sched_choice ahead;

	s->patient = false;
	if (s->next != current_of(s) || s->running != current_of(s) || !s->running)
		return;

	ahead = gvt_sched_ahead(&s->t->rq, s->now);
	if (!ahead.next || gvt_sched_fills_gaps(&s->t->rq, ahead.next, s->now))
		return;
	KUNIT_ASSERT_PTR_NE(s->test, ahead.next, s->running);
	KUNIT_ASSERT_TRUE(s->test, ahead.next->busy);
	s->next = ahead.next;
	s->patient = true;
}

/* Another vGPU may need the engine more before a preemption has completed */
static void redirect(struct sched_sim *s)
{
	struct gvt_sched_choice choice = pick(s);

	if (choice.next && choice.next != s->running && is_at_engine(s, choice.next))
		s->next = choice.next;
}

static void choose(struct sched_sim *s)
{
	struct gvt_sched_entity *e = current_of(s);
	struct gvt_sched_choice choice;

	s->wake_at = 0;
	if (s->off_at) {
		redirect(s);
		return;
	}
	if (is_committed(s))
		return;

	choice = pick(s);
	s->wake_at = choice.wake_at;
	/* an idle vGPU keeps its turn until another vGPU is next */
	s->next = choice.next || (e && e->busy) ? choice.next : e;
	look_ahead(s);
}

static void begin_turn(struct sched_sim *s, struct gvt_sched_entity *e)
{
	gvt_sched_switch(&s->t->rq, e, s->now);
	s->next = e;
	s->patient = false;
}

/* When the executing workload reaches its next preemption point */
static u64 next_point(struct sched_sim *s)
{
	const struct sched_sim_vgpu *v = vgpu_of(s, s->running);
	u64 piece_ns = v->client->piece_ns, in_piece = 0;
	u64 switching_ns = max(v->begins_at, s->now) - s->now;
	u64 rest_ns = v->rest_ns - switching_ns;

	if (!piece_ns)
		return s->now;

	/* The switch to the workload is not part of a piece */
	div64_u64_rem(v->length_ns - rest_ns, piece_ns, &in_piece);
	return s->now + switching_ns + min(in_piece ? piece_ns - in_piece : 0, rest_ns);
}

/* Request preemption of the executing workload for the next vGPU's */
static void hand_over(struct sched_sim *s)
{
	s->hand_overs++;
	s->asked_at = s->now;
	s->off_at = next_point(s);
	if (s->off_at == s->now)
		preempt(s);
}

/* Preempt the executing workload if possible; begin the next turn if the engine is free */
static bool follow_choice(struct sched_sim *s)
{
	if (s->off_at || s->next == current_of(s))
		return false;
	if (s->next && s->running && !s->patient && is_at_engine(s, s->next) &&
	    can_preempt(s, s->running))
		hand_over(s);
	if (s->running || is_in_the_way(s))
		return false;

	begin_turn(s, s->next);
	return true;
}

/* Submit the workloads of the next vGPU and of all vGPUs that may fill gaps */
static void submit_all(struct sched_sim *s)
{
	struct gvt_sched_entity *e;

	if (s->next)
		submit(s, s->next);
	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e->busy && gvt_sched_fills_gaps(&s->t->rq, e, s->now))
			submit(s, e);
	}
}

/* The first vGPU of all that may fill gaps and have a workload at the engine */
static struct gvt_sched_entity *gap_filler(struct sched_sim *s)
{
	struct gvt_sched_entity *e, *first = NULL;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (e->busy && is_at_engine(s, e) && gvt_sched_fills_gaps(&s->t->rq, e, s->now) &&
		    (!first || gvt_sched_before(&s->t->rq, e, first, s->now)))
			first = e;
	}

	return first;
}

static bool dispatch_shared(struct sched_sim *s)
{
	struct gvt_sched_entity *e = current_of(s);

	submit_all(s);
	if (s->running)
		return false;
	if (!e || !e->busy || !is_at_engine(s, e)) {
		e = gap_filler(s);
		if (!e)
			return false;
		begin_turn(s, e);
	}
	go_on(s, e);

	return true;
}

/* Decide again after each start of a turn or workload */
static void decide_shared(struct sched_sim *s)
{
	u32 rounds = 0;
	bool changed;

	/* the turn of a committed vGPU begins as soon as the engine is free */
	if (!s->running && is_committed(s) && !is_in_the_way(s))
		begin_turn(s, s->next);
	do {
		KUNIT_ASSERT_LT(s->test, rounds++, 3 * SCHED_TEST_VGPUS);
		choose(s);
		submit_all(s);
		changed = follow_choice(s);
		changed |= dispatch_shared(s);
	} while (changed);
}

/* Time */

static u64 next_event(struct sched_sim *s, u64 end)
{
	u64 next = end;
	u32 i, k;

	if (s->running)
		next = min(next, s->now + vgpu_of(s, s->running)->rest_ns);
	if (s->beside)
		next = min(next, s->now + s->beside->rest_ns);
	if (s->off_at)
		next = min(next, s->off_at);
	if (on_ticks(s))
		next = min(next, s->tick);
	else if (s->wake_at)
		next = min(next, s->wake_at);
	for (i = 0; i < s->streams; i++) {
		if (s->v[i].at_engine_at > s->now)
			next = min(next, s->v[i].at_engine_at);
		for (k = 0; k < SCHED_SIM_DEPTH; k++) {
			if (s->v[i].arrival[k])
				next = min(next, s->v[i].arrival[k]);
		}
	}

	return max(next, s->now);
}

static bool any_comes(struct sched_sim *s)
{
	bool any = false;
	u32 i;

	for (i = 0; i < s->streams; i++) {
		any |= arrive(s, i);
		any |= s->v[i].at_engine_at == s->now;
	}

	return any;
}

static void decide(struct sched_sim *s)
{
	if (is_shared(s)) {
		decide_shared(s);
	} else {
		decide_at_event(s);
		dispatch_exclusive(s);
	}
}

static void step(struct sched_sim *s, u64 end)
{
	const struct gvt_sched_entity *e = s->running;
	const struct sched_sim_vgpu *beside = s->beside;
	bool event, left, tick;

	pass_time(s, next_event(s, end));
	left = s->running != e || s->beside != beside;
	event = any_comes(s);
	tick = s->tick <= s->now;
	if (tick)
		s->tick = s->now + GVT_SCHED_TICK_NS;

	if (on_ticks(s)) {
		if (tick || event || (left && s->has_next))
			decide_at_tick(s, tick);
		dispatch_exclusive(s);
		return;
	}

	s->wakeups += s->wake_at && s->wake_at <= s->now;
	if (event || left || (s->wake_at && s->wake_at <= s->now))
		decide(s);
}

/**
 * sched_sim_run - let time pass
 * @s: the simulation
 * @ns: the length of time
 */
void sched_sim_run(struct sched_sim *s, u64 ns)
{
	u64 end = s->now + ns;

	while (s->now < end)
		step(s, end);
	gvt_sched_account(&s->t->rq, s->now);
}

/**
 * sched_sim_decide - let the scheduler react to a change by the caller
 * @s: the simulation
 */
void sched_sim_decide(struct sched_sim *s)
{
	if (!on_ticks(s)) {
		decide(s);
		return;
	}

	s->wake_at = 0;
	dispatch_exclusive(s);
}

/**
 * sched_sim_remove - stop a vGPU, as at the end of its VM
 * @s: the simulation
 * @i: the vGPU
 *
 * An executing workload continues, and queued workloads stay queued.
 */
void sched_sim_remove(struct sched_sim *s, u32 i)
{
	if (s->next == entity(s, i)) {
		s->next = NULL;
		s->has_next = false;
	}
	gvt_sched_remove(&s->t->rq, entity(s, i), s->now);
	sched_sim_decide(s);
}

/**
 * sched_sim_add - restart a stopped vGPU
 * @s: the simulation
 * @i: the vGPU
 */
void sched_sim_add(struct sched_sim *s, u32 i)
{
	gvt_sched_add(&s->t->rq, entity(s, i), s->now);
	sched_sim_decide(s);
}
