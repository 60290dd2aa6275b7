// SPDX-License-Identifier: GPL-2.0-only
/*
 * A simulation of an engine and of vGPUs, whose clients are described by a few numbers, with
 * a lane of the scheduler under test between them. With exclusive dispatch the engine stands
 * for the GPU. Otherwise several vGPUs can have workloads at the engine, which continues with the
 * next workload at once; with preemptive dispatch, the executing workload can be preempted at its
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

/* What the lane asks for */

static void turn_passes(struct gvt_lane *lane, struct gvt_sched_entity *prev,
			struct gvt_sched_entity *next, u64 since_ns,
			enum gvt_switch_reason reason)
{
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

static bool preempt_for_next(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	struct sched_sim *s = container_of(lane, struct sched_sim, lane);

	KUNIT_ASSERT_PTR_EQ(s->test, e, s->running);
	s->hand_overs++;
	s->asked_at = now;
	s->off_at = next_point(s);
	return true;
}

static const struct gvt_lane_ops lane_ops = {
	.turn_passes = turn_passes,
	.preempt = preempt_for_next,
};

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
	gvt_lane_init(&s->lane, &s->t->rq, &lane_ops);
	prandom_seed_state(&s->rnd, seed);
	s->now = at(0);
	s->tick = at(0);

	return s;
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
	gvt_lane_add(&s->lane, e, s->now);
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

static void leave_engine(struct sched_sim *s, bool ended)
{
	if (s->off_at) {
		gvt_sched_handed_over(s->running, s->now - s->asked_at, ended);
		gvt_lane_handed_over(&s->lane);
	}
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
	if (e->stopping)
		gvt_lane_remove(&s->lane, e, s->now);
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

	leave_engine(s, true);
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
	leave_engine(s, false);
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

/* The vGPU that the lane has chosen; NULL for none */
static const struct gvt_sched_entity *chosen(const struct sched_sim *s)
{
	const struct gvt_lane *lane = &s->lane;

	if (lane->state == GVT_LANE_DRAINING)
		return lane->next;

	return lane->turn && lane->turn->busy ? lane->turn : NULL;
}

static void check_choice(struct sched_sim *s)
{
	const struct gvt_sched_rq *rq = &s->t->rq;
	const struct gvt_sched_entity *e = chosen(s);
	u64 wake_at = s->lane.wake_at;

	if (wake_at)
		KUNIT_ASSERT_GT(s->test, wake_at, s->now);
	if (e) {
		check_next(s, e);
	} else if (rq->busy && !on_ticks(s)) {
		/* the engine idles for a reason and not forever */
		KUNIT_ASSERT_NE(s->test, wake_at, 0);
		if (rq->set->policy != GVT_SCHED_STRICT)
			KUNIT_ASSERT_TRUE(s->test, rq->hold.expected || all_throttled(s));
	} else if (!rq->busy) {
		KUNIT_ASSERT_EQ(s->test, wake_at, 0);
	}
}

static bool can_preempt(const struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return gvt_sched_can_preempt(&s->t->rq, e);
}

/* The state of the engines, as the lane's owner describes it */

static bool is_submitted(const struct sched_sim_vgpu *v)
{
	return v->queued && v->at_engine_at;
}

static bool is_at_engine(const struct sched_sim *s, const struct sched_sim_vgpu *v)
{
	return is_submitted(v) && v->at_engine_at <= s->now;
}

static void look_at_engines(struct sched_sim *s)
{
	struct gvt_sched_entity *e;
	u32 i, parked = 0;

	s->lane.strangers = 0;
	for (i = 0; i < s->streams; i++)
		s->lane.strangers += is_submitted(&s->v[i]);
	for (i = 0; i < s->vgpus; i++)
		parked += s->parked[i];
	s->t->rq.executing = s->lane.strangers > parked;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		e->in_flight = is_submitted(vgpu_of(s, e)) || is_submitted(beside_of(s, e));
		e->offered = is_shared(s) && is_at_engine(s, vgpu_of(s, e));
		e->executes = is_shared(s) && s->running == e;
		s->lane.strangers -= is_shared(s) && e->in_flight;
	}
}

/* Decisions */

/* The order in which i915 runs the workloads that wait at the engine */
static void arrange(struct sched_sim *s)
{
	struct gvt_sched_entity *e;
	bool waits, ready;

	s->first = NULL;
	list_for_each_entry(e, &s->t->rq.entities, link) {
		waits = e->offered && !e->executes;
		ready = waits && gvt_lane_is_ready(&s->lane, e, s->now);
		s->parked[e - s->t->e] = waits && !ready;
		if (ready && (!s->first || gvt_lane_before(&s->lane, e, s->first, s->now)))
			s->first = e;
	}
}

static void update(struct sched_sim *s)
{
	const struct gvt_lane *lane = &s->lane;
	bool keeps;

	s->decisions++;
	look_at_engines(s);
	/* What the engine will execute in any case is not chosen anew */
	keeps = lane->next && ((lane->next->in_flight && !can_preempt(s, lane->next)) ||
			       on_ticks(s));
	gvt_lane_update(&s->lane, s->now);
	if (!keeps && lane->state != GVT_LANE_HANDING_OVER)
		check_choice(s);
	arrange(s);
}

/* Submission and execution */

/* Each engine has a thread that submits one workload at a time */
static bool submit_stream(struct sched_sim *s, const struct gvt_sched_entity *e,
			  struct sched_sim_vgpu *v, u64 *until)
{
	if (*until > s->now || !v->queued || v->at_engine_at ||
	    !gvt_lane_may_dispatch(&s->lane, e, s->now))
		return false;

	*until = s->now + s->submit_ns;
	v->at_engine_at = *until;
	return true;
}

static bool submit_of(struct sched_sim *s, const struct gvt_sched_entity *e)
{
	return submit_stream(s, e, vgpu_of(s, e), &s->submits_until) ||
	       submit_stream(s, e, beside_of(s, e), &s->submits_beside_until);
}

/* Submit a workload in the order of the driver's threads */
static bool submit(struct sched_sim *s)
{
	const struct gvt_sched_entity *e;

	if ((s->lane.next && submit_of(s, s->lane.next)) ||
	    (s->lane.turn && submit_of(s, s->lane.turn)))
		return true;
	if (!gvt_sched_is_preemptive(&s->t->rq))
		return false;

	list_for_each_entry(e, &s->t->rq.entities, link) {
		if (submit_of(s, e))
			return true;
	}

	return false;
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

/* With exclusive dispatch, at most one vGPU has workloads at the engines */
static struct sched_sim_vgpu *alone_at(struct sched_sim *s, u32 from)
{
	u32 i;

	for (i = from; i < from + s->vgpus; i++) {
		if (is_at_engine(s, &s->v[i]))
			return &s->v[i];
	}

	return NULL;
}

static bool begin_beside(struct sched_sim *s)
{
	struct sched_sim_vgpu *v = alone_at(s, SCHED_TEST_VGPUS);

	if (s->beside || !v)
		return false;

	go_on_with(s, v, s->ran_beside != v);
	s->beside = v;
	return true;
}

/* An engine without work continues with a workload that it has */
static bool begin(struct sched_sim *s)
{
	struct sched_sim_vgpu *v;

	if (s->running)
		return begin_beside(s);

	if (is_shared(s))
		v = s->first ? vgpu_of(s, s->first) : NULL;
	else
		v = alone_at(s, 0);
	s->first = NULL;
	if (!v || !is_at_engine(s, v))
		return begin_beside(s);

	go_on(s, entity(s, v - s->v));
	return true;
}

static void dispatch(struct sched_sim *s)
{
	u32 rounds = 0;

	while (submit(s) || begin(s)) {
		KUNIT_ASSERT_LT(s->test, rounds++, 3 * SCHED_TEST_VGPUS);
		if (!on_ticks(s))
			update(s);
	}
}

static void decide(struct sched_sim *s)
{
	update(s);
	dispatch(s);
}

static void decide_at_tick(struct sched_sim *s, bool tick)
{
	if (tick)
		gvt_sched_period(&s->t->rq, s->now);
	gvt_sched_account(&s->t->rq, s->now);
	update(s);
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
	else if (s->lane.wake_at)
		next = min(next, s->lane.wake_at);
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

static void step(struct sched_sim *s, u64 end)
{
	const struct gvt_sched_entity *e = s->running;
	const struct sched_sim_vgpu *beside = s->beside;
	bool event, left, tick, woken;

	pass_time(s, next_event(s, end));
	left = s->running != e || s->beside != beside;
	event = any_comes(s);
	tick = s->tick <= s->now;
	if (tick)
		s->tick = s->now + GVT_SCHED_TICK_NS;

	/* i915 does not wait for a decision */
	if (left)
		begin(s);

	if (on_ticks(s)) {
		if (tick || event || (left && s->lane.state != GVT_LANE_RUNNING))
			decide_at_tick(s, tick);
		dispatch(s);
		return;
	}

	woken = s->lane.wake_at && s->lane.wake_at <= s->now;
	s->wakeups += woken;
	if (event || left || woken)
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
	if (!on_ticks(s))
		update(s);
	dispatch(s);
}

/**
 * sched_sim_use_policy - change the policy
 * @s: the simulation
 * @policy: the policy
 *
 * As in the driver, all vGPUs leave the lane and join it again.
 */
void sched_sim_use_policy(struct sched_sim *s, enum gvt_sched_policy policy)
{
	struct gvt_sched_entity *e, *added[SCHED_TEST_VGPUS];
	u32 i, n = 0;

	list_for_each_entry(e, &s->t->rq.entities, link)
		added[n++] = e;
	for (i = 0; i < n; i++)
		gvt_lane_remove(&s->lane, added[i], s->now);
	s->t->set.policy = policy;
	gvt_sched_update_mode(&s->t->rq);
	gvt_lane_init(&s->lane, &s->t->rq, &lane_ops);
	while (n)
		gvt_lane_add(&s->lane, added[--n], s->now);
	gvt_sched_begin_anew(&s->t->rq, s->now);
	sched_sim_decide(s);
}

/**
 * sched_sim_remove - stop a vGPU, as at the end of its VM
 * @s: the simulation
 * @i: the vGPU
 *
 * An executing workload continues, another one is taken back from the engine, and queued
 * workloads stay queued.
 */
void sched_sim_remove(struct sched_sim *s, u32 i)
{
	struct gvt_sched_entity *e = entity(s, i);

	if (s->running != e)
		vgpu_of(s, e)->at_engine_at = 0;
	look_at_engines(s);
	gvt_lane_stop(&s->lane, e, s->now);
	sched_sim_decide(s);
}

/**
 * sched_sim_add - restart a stopped vGPU
 * @s: the simulation
 * @i: the vGPU; time passes until its last workload before the stop has ended
 */
void sched_sim_add(struct sched_sim *s, u32 i)
{
	while (entity(s, i)->stopping)
		sched_sim_run(s, MS(1));
	gvt_lane_add(&s->lane, entity(s, i), s->now);
	sched_sim_decide(s);
}
