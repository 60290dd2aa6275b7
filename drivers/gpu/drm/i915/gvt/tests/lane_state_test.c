// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a lane, in a model of an engine: random histories must keep the invariants
 * of each state, and all workloads must complete in the end.
 */

#include "../lane_dispatch.c"
#include "../lane_state.c"
#include "../sched_cap.h"
#include "../sched_fair_price.h"

#include <linux/prandom.h>

#include "sched_test.h"

#define STEPS 1000000
/* Number of random events before the model completes all its work */
#define STEPS_OF_A_HISTORY 2000
/* All work completes within this time, in spite of slices and caps */
#define REST_MS 60000

#define STATES (GVT_LANE_HANDING_OVER + 1)

/* The owner's calls into the lane */
enum call {
	UPDATE,
	PREEMPTED,
	REMOVE,
	CALLS
};

/**
 * struct actor - a vGPU in the model
 * @e: the vGPU
 * @queued: number of unfinished workloads
 * @left_ns: remaining execution time of the workload in flight, 0 for none
 * @active: the vGPU is in the lane, or was removed with a workload in flight
 * @parked: i915 must not execute the workload in flight
 */
struct actor {
	struct gvt_sched_entity e;
	u32 queued;
	u64 left_ns;
	bool active;
	bool parked;
};

struct model {
	struct kunit *test;
	struct gvt_sched_settings set;
	struct gvt_sched_rq rq;
	struct gvt_lane lane;
	struct rnd_state rnd;
	struct actor actor[SCHED_TEST_VGPUS];
	struct actor *executes;
	/* how many preemptions to refuse from now on */
	u32 refusals;
	bool barrier;
	bool broken;
	u64 now;
	u64 next_tick;
	u64 turns;
	u64 handed_over;
	u64 parked;
	u32 seen[CALLS][STATES][STATES];
};

static struct model *to_model(struct gvt_lane *lane)
{
	return container_of(lane, struct model, lane);
}

static struct actor *to_actor(struct gvt_sched_entity *e)
{
	return container_of(e, struct actor, e);
}

static u32 below(struct model *m, u32 limit)
{
	return prandom_u32_state(&m->rnd) % limit;
}

static void require(struct model *m, bool holds, const char *what)
{
	if (holds || m->broken)
		return;

	m->broken = true;
	kunit_info(m->test, "%s: state %s, policy %s, dispatch %s\n", what,
		   gvt_lane_state_name(m->lane.state),
		   gvt_sched_policy_name(m->set.policy),
		   gvt_sched_dispatch_name(m->set.dispatch));
	KUNIT_EXPECT_TRUE(m->test, holds);
}

static void turn_passes(struct gvt_lane *lane, struct gvt_sched_entity *prev,
			struct gvt_sched_entity *next, u64 since_ns,
			enum gvt_switch_reason reason)
{
	struct model *m = to_model(lane);

	require(m, prev == lane->turn && prev != next, "the turn leaves the current vGPU");
	require(m, since_ns <= m->now, "the switch was decided in the past");
	require(m, next || reason != GVT_SWITCH_OWED, "only a next vGPU can be owed time");
	m->turns++;
}

static bool preempt_model(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	struct model *m = to_model(lane);

	require(m, !m->barrier, "one hand-over at a time");
	require(m, now == m->now, "preempt() gets the current time");
	require(m, gvt_sched_is_preemptive(&m->rq) && e->preemptible,
		"only a preemptible workload is preempted");
	require(m, m->executes == to_actor(e), "only the executing workload is preempted");
	require(m, lane->next && lane->next != e && lane->next->offered,
		"a preemption is for another submitted workload");
	if (m->refusals || !below(m, 8)) {
		m->refusals -= m->refusals > 0;
		return false;
	}

	m->barrier = true;
	m->handed_over++;
	return true;
}

static const struct gvt_lane_ops model_ops = {
	.turn_passes = turn_passes,
	.preempt = preempt_model,
};

static void check_state(struct model *m)
{
	const struct gvt_lane *lane = &m->lane;
	const struct gvt_sched_entity *turn = lane->turn, *next = lane->next;

	require(m, !turn || gvt_sched_is_added(turn), "the current vGPU is in the lane");
	require(m, !next || gvt_sched_is_added(next), "the next vGPU is in the lane");
	require(m, m->rq.current_entity == turn, "run queue and lane agree on the current vGPU");
	require(m, m->barrier == (lane->state == GVT_LANE_HANDING_OVER),
		"handing over: exactly during a hand-over");

	switch (lane->state) {
	case GVT_LANE_IDLE:
		require(m, !turn && !next, "idle: no vGPU");
		break;
	case GVT_LANE_RUNNING:
		require(m, turn && !next, "running: current vGPU only");
		break;
	case GVT_LANE_LOOKING_AHEAD:
		require(m, turn && next && turn != next, "looking ahead: current and next vGPU");
		require(m, gvt_sched_is_shared(&m->rq), "looking ahead: shared engine");
		break;
	case GVT_LANE_DRAINING:
		require(m, turn != next, "draining: for another vGPU or none");
		require(m, m->rq.executing, "draining: a workload is in flight");
		break;
	case GVT_LANE_HANDING_OVER:
		require(m, gvt_sched_is_preemptive(&m->rq), "handing over: preemptive dispatch");
		break;
	}
}

/* Set the engine state, as the driver does before it calls the lane */
static void look(struct model *m)
{
	bool shared = gvt_sched_is_shared(&m->rq);
	struct actor *a;

	m->rq.executing = false;
	m->lane.strangers = 0;
	for (a = m->actor; a < m->actor + SCHED_TEST_VGPUS; a++) {
		a->e.in_flight = a->left_ns;
		a->e.executes = shared && m->executes == a;
		m->rq.executing |= a->e.in_flight && !a->parked;
		m->lane.strangers += a->e.in_flight && !gvt_sched_is_added(&a->e);
	}
}

static bool is_ready(struct model *m, const struct actor *a)
{
	return m->executes == a || !gvt_sched_is_added(&a->e) ||
	       !gvt_sched_is_shared(&m->rq) || gvt_lane_is_ready(&m->lane, &a->e, m->now);
}

static bool is_on_its_way(const struct gvt_sched_entity *e)
{
	return e && e->busy && !e->offered;
}

/* Park the submitted workloads that must not execute now */
static void arrange(struct model *m)
{
	bool offered = false, ready = m->executes || m->barrier;
	struct actor *a;

	for (a = m->actor; a < m->actor + SCHED_TEST_VGPUS; a++) {
		a->parked = a->e.offered && !is_ready(m, a);
		/* the engine may idle if caps throttle all submitted work */
		offered |= a->e.offered && !gvt_cap_throttled(&m->rq, &a->e, m->now, NULL);
		ready |= a->e.offered && !a->parked;
		m->parked += a->parked;
	}
	/* the current or the next vGPU is about to submit a workload */
	ready |= is_on_its_way(m->lane.turn) || is_on_its_way(m->lane.next);
	require(m, !offered || ready || m->rq.hold.expected,
		"an engine with work idles only for an expected vGPU");
}

static void update(struct model *m)
{
	enum gvt_lane_state from = m->lane.state;
	u64 turns = m->turns;

	look(m);
	gvt_lane_update(&m->lane, m->now);
	require(m, m->turns - turns <= 1, "more than one switch");
	m->seen[UPDATE][from][m->lane.state]++;
	check_state(m);
	arrange(m);
}

static void preempted(struct model *m)
{
	enum gvt_lane_state from = m->lane.state;

	gvt_lane_handed_over(&m->lane);
	m->seen[PREEMPTED][from][m->lane.state]++;
}

static void take_out(struct model *m, struct actor *a)
{
	enum gvt_lane_state from = m->lane.state;

	gvt_lane_remove(&m->lane, &a->e, m->now);
	m->seen[REMOVE][from][m->lane.state]++;
}

/* --- the engine ------------------------------------------------------------- */

/* i915 executes the first submitted workload that is not parked */
static void engine_picks(struct model *m)
{
	struct actor *a, *first = NULL;

	if (m->executes || m->barrier)
		return;

	for (a = m->actor; a < m->actor + SCHED_TEST_VGPUS; a++) {
		if (!a->e.offered || a->parked)
			continue;
		if (!first || !gvt_sched_is_added(&a->e) ||
		    (gvt_sched_is_added(&first->e) &&
		     gvt_lane_before(&m->lane, &a->e, &first->e, m->now)))
			first = a;
	}
	m->executes = first;
}

static void finish(struct model *m, struct actor *a)
{
	a->left_ns = 0;
	a->queued--;
	a->e.in_flight = false;
	a->e.offered = false;
	a->e.executes = false;
	a->parked = false;
	m->executes = NULL;

	gvt_sched_charge(&m->rq, &a->e, 0, m->now);
	if (!a->queued)
		gvt_sched_dequeue(&m->rq, &a->e, m->now);
	if (a->e.stopping)
		take_out(m, a);
	if (!gvt_sched_is_added(&a->e))
		a->active = false;
}

static void engine_executes(struct model *m, u64 ns)
{
	struct actor *a = m->executes;
	u64 ran_ns;

	engine_picks(m);
	if (!a) {
		m->now += ns;
		return;
	}

	ran_ns = min(ns, a->left_ns);
	m->now += ran_ns;
	gvt_sched_used(&m->rq, &a->e, ran_ns, m->now);
	a->left_ns -= ran_ns;
	if (!a->left_ns)
		finish(m, a);
}

static void hand_over_ends(struct model *m)
{
	if (!m->barrier)
		return;

	m->barrier = false;
	m->executes = NULL;
	/* i915 schedules the next workload in before the lane sees the preemption */
	engine_picks(m);
	preempted(m);
}

/* --- the driver -------------------------------------------------------------- */

static void dispatch(struct model *m)
{
	struct actor *a = &m->actor[below(m, SCHED_TEST_VGPUS)];

	if (!a->active || !gvt_sched_is_added(&a->e) || !a->queued || a->left_ns ||
	    !gvt_lane_may_dispatch(&m->lane, &a->e, m->now))
		return;

	require(m, !a->e.stopping, "a stopping vGPU dispatches nothing");
	a->left_ns = US(10) + below(m, below(m, 4) ? US(500) : US(50000));
	a->e.in_flight = true;
}

static void offer(struct model *m)
{
	struct actor *a = &m->actor[below(m, SCHED_TEST_VGPUS)];

	if (a->left_ns)
		a->e.offered = true;
	engine_picks(m);
}

static void enqueue(struct model *m)
{
	struct actor *a = &m->actor[below(m, SCHED_TEST_VGPUS)];

	if (!gvt_sched_is_added(&a->e) || a->e.stopping || a->queued >= 4)
		return;

	if (!a->queued++)
		gvt_sched_enqueue(&m->rq, &a->e, m->now);
}

static void start(struct model *m, struct actor *a)
{
	a->active = true;
	a->queued = 0;
	a->e.busy = false;
	gvt_lane_add(&m->lane, &a->e, m->now);
}

static void stop(struct model *m, struct actor *a)
{
	enum gvt_lane_state from = m->lane.state;

	if (a->e.stopping || !gvt_sched_is_added(&a->e))
		return;

	/* Drop workloads that were not dispatched */
	a->queued = a->left_ns ? 1 : 0;
	look(m);
	if (gvt_lane_stop(&m->lane, &a->e, m->now))
		a->active = a->left_ns;
	m->seen[REMOVE][from][m->lane.state]++;
	if (!a->queued)
		gvt_sched_dequeue(&m->rq, &a->e, m->now);
}

static void start_or_stop(struct model *m)
{
	struct actor *a = &m->actor[below(m, SCHED_TEST_VGPUS)];

	if (!a->active)
		start(m, a);
	else
		stop(m, a);
}

/* Learned times of a vGPU, with pauses mostly shorter than the preempt latency */
static void learn(struct model *m, struct actor *a)
{
	sched_test_set_pause(&a->e, US(100) + below(m, MS(2)));
	sched_test_set_run(&a->e, US(100) + below(m, MS(50)));
	sched_test_set_mean(&a->e.way, below(m, MS(150)));
}

static void change_member(struct model *m)
{
	struct actor *a = &m->actor[below(m, SCHED_TEST_VGPUS)];

	switch (below(m, 4)) {
	case 0:
		a->e.preemptible = below(m, 4);
		break;
	case 1:
		gvt_sched_set_nice(&m->rq, &a->e, (int)below(m, 40) + GVT_SCHED_NICE_MIN);
		break;
	case 2:
		learn(m, a);
		break;
	default:
		gvt_sched_set_cap(&m->rq, &a->e, below(m, 3) ? 0 : 1 + below(m, 100),
				  m->now);
	}
}

/* Change settings like an administrator: a new dispatch mode resets the lane */
static void change_settings(struct model *m)
{
	enum gvt_sched_dispatch way = below(m, GVT_DISPATCHES);
	bool takes_part[SCHED_TEST_VGPUS];
	u32 i;

	if (way != m->set.dispatch) {
		/* the old mode's hand-over ends first */
		hand_over_ends(m);
		for (i = 0; i < SCHED_TEST_VGPUS; i++) {
			takes_part[i] = gvt_sched_is_added(&m->actor[i].e) &&
					!m->actor[i].e.stopping;
			if (gvt_sched_is_added(&m->actor[i].e))
				take_out(m, &m->actor[i]);
		}
		m->set.dispatch = way;
		gvt_sched_update_mode(&m->rq);
		gvt_lane_init(&m->lane, &m->rq, &model_ops);
		for (i = 0; i < SCHED_TEST_VGPUS; i++) {
			if (takes_part[i])
				gvt_lane_add(&m->lane, &m->actor[i].e, m->now);
		}
		gvt_sched_begin_anew(&m->rq, m->now);
	}
	m->set.policy = below(m, GVT_SCHED_POLICIES);
	gvt_sched_changed(&m->rq, m->now);
}

static void tick(struct model *m)
{
	if (!gvt_sched_on_ticks(&m->rq) || m->now < m->next_tick)
		return;

	m->next_tick = m->now + GVT_SCHED_TICK_NS;
	gvt_sched_period(&m->rq, m->now);
	gvt_sched_account(&m->rq, m->now);
}

static void random_event(struct model *m)
{
	u32 event = below(m, 1000);

	if (event < 300)
		engine_executes(m, 1 + below(m, US(2000)));
	else if (event < 500)
		enqueue(m);
	else if (event < 700)
		dispatch(m);
	else if (event < 850)
		offer(m);
	else if (event < 920)
		hand_over_ends(m);
	else if (event < 950)
		start_or_stop(m);
	else if (event < 995)
		change_member(m);
	else
		change_settings(m);
	tick(m);
	update(m);
}

/* --- the tests ---------------------------------------------------------------- */

static bool is_at_rest(const struct model *m)
{
	const struct actor *a;

	for (a = m->actor; a < m->actor + SCHED_TEST_VGPUS; a++) {
		if (a->queued || a->left_ns || a->e.stopping)
			return false;
	}

	return !m->barrier;
}

/* Without new work, all workloads complete and all stopping vGPUs are removed */
static void come_to_rest(struct model *m)
{
	u64 until = m->now + MS(REST_MS);

	while (!is_at_rest(m) && m->now < until && !m->broken) {
		u32 i;

		for (i = 0; i < SCHED_TEST_VGPUS; i++) {
			dispatch(m);
			offer(m);
		}
		engine_executes(m, US(500));
		hand_over_ends(m);
		tick(m);
		update(m);
	}
	require(m, is_at_rest(m), "all work completes");
}

static struct model *new_model(struct kunit *test, u64 seed)
{
	const struct gvt_sched_settings defaults = GVT_SCHED_DEFAULTS;
	struct model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	struct actor *a;

	KUNIT_ASSERT_NOT_NULL(test, m);
	m->test = test;
	m->set = defaults;
	m->now = at(0);
	prandom_seed_state(&m->rnd, seed);
	gvt_sched_rq_init(&m->rq, &m->set, NULL);
	gvt_lane_init(&m->lane, &m->rq, &model_ops);
	for (a = m->actor; a < m->actor + SCHED_TEST_VGPUS; a++)
		gvt_sched_entity_init(&a->e, 1 + below(m, 16));

	return m;
}

/*
 * The transitions that lane_state.h describes. One update may make several transitions, as
 * from RUNNING through DRAINING to IDLE if nothing has to drain.
 */
static const struct way {
	enum call call;
	enum gvt_lane_state from;
	enum gvt_lane_state to;
} ways[] = {
	{ UPDATE, GVT_LANE_IDLE, GVT_LANE_DRAINING },
	{ UPDATE, GVT_LANE_IDLE, GVT_LANE_RUNNING },
	{ UPDATE, GVT_LANE_IDLE, GVT_LANE_LOOKING_AHEAD },
	{ UPDATE, GVT_LANE_DRAINING, GVT_LANE_IDLE },
	{ UPDATE, GVT_LANE_DRAINING, GVT_LANE_RUNNING },
	{ UPDATE, GVT_LANE_DRAINING, GVT_LANE_LOOKING_AHEAD },
	{ UPDATE, GVT_LANE_DRAINING, GVT_LANE_HANDING_OVER },
	{ UPDATE, GVT_LANE_RUNNING, GVT_LANE_IDLE },
	{ UPDATE, GVT_LANE_RUNNING, GVT_LANE_DRAINING },
	{ UPDATE, GVT_LANE_RUNNING, GVT_LANE_LOOKING_AHEAD },
	{ UPDATE, GVT_LANE_RUNNING, GVT_LANE_HANDING_OVER },
	{ UPDATE, GVT_LANE_LOOKING_AHEAD, GVT_LANE_RUNNING },
	{ UPDATE, GVT_LANE_LOOKING_AHEAD, GVT_LANE_DRAINING },
	{ UPDATE, GVT_LANE_LOOKING_AHEAD, GVT_LANE_HANDING_OVER },
	{ PREEMPTED, GVT_LANE_HANDING_OVER, GVT_LANE_DRAINING },
	{ PREEMPTED, GVT_LANE_HANDING_OVER, GVT_LANE_RUNNING },
	{ REMOVE, GVT_LANE_RUNNING, GVT_LANE_IDLE },
	{ REMOVE, GVT_LANE_DRAINING, GVT_LANE_IDLE },
	{ REMOVE, GVT_LANE_DRAINING, GVT_LANE_RUNNING },
	{ REMOVE, GVT_LANE_LOOKING_AHEAD, GVT_LANE_RUNNING },
	{ REMOVE, GVT_LANE_LOOKING_AHEAD, GVT_LANE_DRAINING },
};

/* Transitions that are rare in random histories; lane_transition_test.c tests each */
static const struct way rare_ways[] = {
	{ UPDATE, GVT_LANE_IDLE, GVT_LANE_HANDING_OVER },
	{ UPDATE, GVT_LANE_LOOKING_AHEAD, GVT_LANE_IDLE },
};

static bool leads(const struct way *way, u32 call, u32 from, u32 to)
{
	return way->call == call && way->from == from && way->to == to;
}

static bool is_among(const struct way *way, const struct way *end, u32 call, u32 from, u32 to)
{
	while (way < end && !leads(way, call, from, to))
		way++;

	return way < end;
}

/* All transitions in ways[] occurred, and no others but for rare_ways[] */
static void check_way(struct model *m, u32 call, u32 from, u32 to)
{
	bool often = is_among(ways, ways + ARRAY_SIZE(ways), call, from, to);
	bool rare = is_among(rare_ways, rare_ways + ARRAY_SIZE(rare_ways), call, from, to);
	bool taken = from != to && m->seen[call][from][to];

	if (rare || taken == often)
		return;

	kunit_info(m->test, "call %u: %s from %s to %s\n", call, taken ? "unexpected" : "never",
		   gvt_lane_state_name(from), gvt_lane_state_name(to));
	KUNIT_EXPECT_EQ(m->test, taken, often);
}

static void check_ways(struct model *m)
{
	u32 call, from, to;

	for (call = 0; call < CALLS; call++) {
		for (from = 0; from < STATES; from++) {
			for (to = 0; to < STATES; to++)
				check_way(m, call, from, to);
		}
	}
}

static void random_histories(struct kunit *test)
{
	struct model *m = new_model(test, 7);
	u32 step;

	for (step = 0; step < STEPS && !m->broken; step++) {
		random_event(m);
		if (step % STEPS_OF_A_HISTORY == STEPS_OF_A_HISTORY - 1)
			come_to_rest(m);
	}
	kunit_info(test, "%llu turns, %llu hand-overs, %llu parked\n", m->turns, m->handed_over,
		   m->parked);
	KUNIT_EXPECT_EQ(test, step, STEPS);
	/* the histories did exercise the lane */
	KUNIT_EXPECT_GT(test, m->turns, STEPS / 100);
	KUNIT_EXPECT_GT(test, m->handed_over, STEPS / 10000);
	KUNIT_EXPECT_GT(test, m->parked, 0);
	check_ways(m);
}

/* An endless workload of @hog executes, and a workload of @other waits */
static struct model *behind_a_hog(struct kunit *test, enum gvt_sched_dispatch way,
				  struct actor **hog, struct actor **other)
{
	struct model *m = new_model(test, 1);
	struct actor *a;

	m->set.policy = GVT_SCHED_FAIR;
	m->set.dispatch = way;
	gvt_sched_update_mode(&m->rq);
	for (a = m->actor; a < m->actor + 2; a++) {
		start(m, a);
		a->e.preemptible = true;
		a->queued = 1;
		gvt_sched_enqueue(&m->rq, &a->e, m->now);
	}
	*hog = &m->actor[0];
	*other = &m->actor[1];
	/* @other gets work only after @hog */
	gvt_sched_dequeue(&m->rq, &(*other)->e, m->now);
	update(m);
	(*hog)->left_ns = MS(1000000);
	(*hog)->e.offered = true;
	engine_picks(m);
	gvt_sched_enqueue(&m->rq, &(*other)->e, m->now);
	update(m);
	(*other)->left_ns = MS(1);
	(*other)->e.offered = true;
	update(m);

	return m;
}

static void run(struct model *m, u64 ns)
{
	u64 until = m->now + ns;

	while (m->now < until && !m->broken) {
		engine_executes(m, US(100));
		hand_over_ends(m);
		update(m);
	}
}

static void stopped_vgpu_completes_its_workload(struct kunit *test)
{
	struct actor *hog, *other;
	struct model *m = behind_a_hog(test, GVT_DISPATCH_PREEMPTIVE, &hog, &other);

	KUNIT_ASSERT_PTR_EQ(test, m->executes, hog);
	stop(m, other);
	KUNIT_EXPECT_TRUE(test, other->e.stopping);
	run(m, MS(100));
	KUNIT_EXPECT_EQ(test, other->left_ns, 0);
	KUNIT_EXPECT_FALSE(test, gvt_sched_is_added(&other->e));
}

static void stopped_hog_is_preempted(struct kunit *test)
{
	struct actor *hog, *other;
	struct model *m = behind_a_hog(test, GVT_DISPATCH_PREEMPTIVE, &hog, &other);

	stop(m, hog);
	KUNIT_EXPECT_TRUE(test, hog->e.stopping);
	run(m, MS(100));
	KUNIT_EXPECT_EQ(test, other->left_ns, 0);
	/* the hog stays in the lane while its workload is in flight */
	KUNIT_EXPECT_TRUE(test, gvt_sched_is_added(&hog->e));
}

static void exclusive_stop_is_immediate(struct kunit *test)
{
	struct model *m = new_model(test, 1);
	struct actor *a = &m->actor[0];

	start(m, a);
	a->queued = 1;
	gvt_sched_enqueue(&m->rq, &a->e, m->now);
	tick(m);
	update(m);
	KUNIT_ASSERT_TRUE(test, gvt_lane_may_dispatch(&m->lane, &a->e, m->now));
	a->left_ns = MS(5);
	stop(m, a);
	KUNIT_EXPECT_FALSE(test, gvt_sched_is_added(&a->e));
	KUNIT_EXPECT_EQ(test, m->lane.state, GVT_LANE_IDLE);
}

/* With several engines, short workloads on one of them do not hide long ones on another */
static void exclusive_hand_over_is_learned(struct kunit *test)
{
	struct model *m = new_model(test, 1);
	struct actor *hog = &m->actor[0], *other = &m->actor[1], *a;

	m->set.policy = GVT_SCHED_FAIR;
	m->set.dispatch = GVT_DISPATCH_EXCLUSIVE;
	gvt_sched_update_mode(&m->rq);
	sched_test_set_mean(&hog->e.service, US(100));
	for (a = hog; a <= other; a++) {
		start(m, a);
		a->queued = 2;
		gvt_sched_enqueue(&m->rq, &a->e, m->now);
		update(m);
		if (a == other)
			break;
		a->left_ns = MS(40);
		a->e.in_flight = true;
		a->e.offered = true;
		engine_picks(m);
	}
	KUNIT_ASSERT_PTR_EQ(test, m->lane.turn, &hog->e);
	run(m, MS(41));
	KUNIT_ASSERT_PTR_EQ(test, m->lane.turn, &other->e);
	KUNIT_EXPECT_GE(test, gvt_sched_mean_ns(&hog->e.way), MS(30));
	KUNIT_EXPECT_LE(test, gvt_sched_mean_ns(&hog->e.way), MS(41));
	KUNIT_EXPECT_EQ(test, costs_ns(&m->rq, &hog->e), gvt_sched_mean_ns(&hog->e.way));
}

static void failed_preemption_is_retried(struct kunit *test)
{
	struct actor *hog, *other;
	struct model *m = behind_a_hog(test, GVT_DISPATCH_PREEMPTIVE, &hog, &other);
	u64 tries;

	/* once a non-preemptible @other is next, only the retry sets wake_at */
	other->e.preemptible = false;
	m->refusals = 3;
	for (tries = 0; tries < 100 && !m->barrier; tries++) {
		update(m);
		KUNIT_ASSERT_TRUE(test, m->barrier || m->lane.wake_at > m->now);
		if (!m->barrier)
			engine_executes(m, m->lane.wake_at - m->now);
	}
	KUNIT_EXPECT_EQ(test, m->refusals, 0);
	KUNIT_EXPECT_TRUE(test, m->barrier);
}

/* During a preemption for @other, a more urgent vGPU gets work */
static void more_urgent_vgpu_is_next(struct kunit *test)
{
	struct actor *hog, *other, *urgent;
	struct model *m = behind_a_hog(test, GVT_DISPATCH_PREEMPTIVE, &hog, &other);
	u32 tries;

	for (tries = 0; tries < 100 && !m->barrier; tries++) {
		engine_executes(m, MS(1));
		update(m);
	}
	KUNIT_ASSERT_TRUE(test, m->barrier);
	KUNIT_ASSERT_PTR_EQ(test, m->lane.next, &other->e);

	urgent = &m->actor[2];
	start(m, urgent);
	urgent->e.preemptible = true;
	urgent->e.vruntime = other->e.vruntime - MS(1000);
	urgent->queued = 1;
	gvt_sched_enqueue(&m->rq, &urgent->e, m->now);
	update(m);
	KUNIT_EXPECT_PTR_EQ(test, m->lane.next, &other->e);
	/* the urgent workload reaches i915 in time */
	urgent->left_ns = MS(1);
	urgent->e.offered = true;
	update(m);
	KUNIT_EXPECT_PTR_EQ(test, m->lane.next, &urgent->e);
	hand_over_ends(m);
	KUNIT_EXPECT_PTR_EQ(test, m->executes, urgent);
	update(m);
	KUNIT_EXPECT_PTR_EQ(test, m->lane.turn, &urgent->e);
}

static struct kunit_case lane_state_cases[] = {
	KUNIT_CASE(stopped_vgpu_completes_its_workload),
	KUNIT_CASE(stopped_hog_is_preempted),
	KUNIT_CASE(exclusive_stop_is_immediate),
	KUNIT_CASE(exclusive_hand_over_is_learned),
	KUNIT_CASE(failed_preemption_is_retried),
	KUNIT_CASE(more_urgent_vgpu_is_next),
	KUNIT_CASE(random_histories),
	{}
};

static struct kunit_suite lane_state_suite = {
	.name = "gvt_lane_state",
	.test_cases = lane_state_cases,
};

kunit_test_suite(lane_state_suite);
