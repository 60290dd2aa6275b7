// SPDX-License-Identifier: GPL-2.0-only
/* Single transitions of a lane, under a policy that each case scripts */

#include "../lane_state.h"
#include "../sched_ops.h"
#include "sched_test.h"

#define ACTORS 3

/**
 * struct stage - a lane, the decisions scripted by a case, and the last switch
 * @set: the settings
 * @rq: the run queue, of the scripted policy
 * @lane: the lane
 * @e: the vGPUs
 * @pick: the vGPU to run now; NULL for none
 * @wake_at: when the policy wants to decide again
 * @ahead: the vGPU to run when the present workload has finished
 * @first: the vGPU that goes before all other waiting vGPUs
 * @fills: the vGPU that may fill gaps
 * @waits: the expected vGPU, for which the engine is kept idle; NULL for none
 * @refuses: workloads cannot be preempted now
 * @passes: number of switches
 * @prev: the vGPU that had the turn before the last switch
 * @next: the vGPU that got the turn in the last switch
 * @since_ns: time from the decision to the last switch
 * @reason: reason for the last switch
 * @leaves: the vGPU whose workload is preempted
 */
struct stage {
	struct gvt_sched_settings set;
	struct gvt_sched_rq rq;
	struct gvt_lane lane;
	struct gvt_sched_entity e[ACTORS];

	struct gvt_sched_entity *pick;
	u64 wake_at;
	struct gvt_sched_entity *ahead;
	struct gvt_sched_entity *first;
	struct gvt_sched_entity *fills;
	struct gvt_sched_entity *waits;
	bool refuses;

	u32 passes;
	struct gvt_sched_entity *prev;
	struct gvt_sched_entity *next;
	u64 since_ns;
	enum gvt_switch_reason reason;
	struct gvt_sched_entity *leaves;
};

/* --- the policy --------------------------------------------------------------- */

static const struct stage *of_rq(const struct gvt_sched_rq *rq)
{
	return container_of(rq, struct stage, rq);
}

static struct gvt_sched_choice scripted_pick(const struct gvt_sched_rq *rq, u64 now)
{
	return (struct gvt_sched_choice) {
		.next = of_rq(rq)->pick,
		.wake_at = of_rq(rq)->wake_at,
		.reason = GVT_SWITCH_OWED,
	};
}

static struct gvt_sched_choice scripted_ahead(const struct gvt_sched_rq *rq, u64 now)
{
	return (struct gvt_sched_choice) {
		.next = of_rq(rq)->ahead,
		.reason = GVT_SWITCH_SLICE,
	};
}

static bool scripted_before(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
			    const struct gvt_sched_entity *b, u64 now)
{
	return a == of_rq(rq)->first;
}

static bool scripted_fills_gaps(const struct gvt_sched_rq *rq,
				const struct gvt_sched_entity *e, u64 now)
{
	return e == of_rq(rq)->fills;
}

static bool scripted_would_wait(const struct gvt_sched_rq *rq,
				const struct gvt_sched_entity *e, u64 now)
{
	return of_rq(rq)->waits && e != of_rq(rq)->waits;
}

static const struct gvt_policy_ops scripted = {
	.name = "scripted",
	.pick = scripted_pick,
	.ahead = scripted_ahead,
	.before = scripted_before,
	.fills_gaps = scripted_fills_gaps,
	.would_wait = scripted_would_wait,
};

static const struct gvt_policy_ops scripted_on_ticks = {
	.name = "scripted on ticks",
	.on_ticks = true,
	.pick = scripted_pick,
	.ahead = scripted_ahead,
	.before = scripted_before,
	.fills_gaps = scripted_fills_gaps,
};

/* --- the owner ---------------------------------------------------------------- */

static struct stage *of_lane(struct gvt_lane *lane)
{
	return container_of(lane, struct stage, lane);
}

static void turn_passes(struct gvt_lane *lane, struct gvt_sched_entity *prev,
			struct gvt_sched_entity *next, u64 since_ns,
			enum gvt_switch_reason reason)
{
	struct stage *s = of_lane(lane);

	s->passes++;
	s->prev = prev;
	s->next = next;
	s->since_ns = since_ns;
	s->reason = reason;
}

static bool preempt(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	struct stage *s = of_lane(lane);

	if (s->refuses)
		return false;

	s->leaves = e;
	return true;
}

static const struct gvt_lane_ops ops = {
	.turn_passes = turn_passes,
	.preempt = preempt,
};

static struct stage *new_stage(struct kunit *test, enum gvt_sched_dispatch dispatch,
			       const struct gvt_policy_ops *policy)
{
	const struct gvt_sched_settings defaults = GVT_SCHED_DEFAULTS;
	struct stage *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->set = defaults;
	s->set.dispatch = dispatch;
	gvt_sched_rq_init(&s->rq, &s->set, NULL);
	gvt_sched_use_policy(&s->rq, policy);
	gvt_lane_init(&s->lane, &s->rq, &ops);
	for (i = 0; i < ACTORS; i++) {
		gvt_sched_entity_init(&s->e[i], 1);
		gvt_sched_enqueue(&s->rq, &s->e[i], at(0));
		gvt_lane_add(&s->lane, &s->e[i], at(0));
	}

	return s;
}

/* i915 holds a workload of @e, and executes this workload if @executes */
static void offer(struct stage *s, struct gvt_sched_entity *e, bool executes)
{
	e->in_flight = true;
	e->offered = true;
	e->executes = executes;
	s->rq.executing = true;
}

/* The workload of @e finishes; other workloads stay in flight */
static void finish(struct stage *s, struct gvt_sched_entity *e)
{
	int i;

	e->in_flight = false;
	e->offered = false;
	e->executes = false;
	s->rq.executing = false;
	for (i = 0; i < ACTORS; i++)
		s->rq.executing |= s->e[i].in_flight;
}

static void update(struct stage *s, struct gvt_sched_entity *pick, s64 ms)
{
	s->pick = pick;
	s->lane.dispatch = false;
	gvt_lane_update(&s->lane, at(ms));
}

#define EXPECT_LANE(test__, s__, state__, turn__, next__) do {			\
	KUNIT_EXPECT_STREQ(test__, gvt_lane_state_name((s__)->lane.state),	\
			   gvt_lane_state_name(state__));			\
	KUNIT_EXPECT_PTR_EQ(test__, (s__)->lane.turn,				\
			    (struct gvt_sched_entity *)(turn__));		\
	KUNIT_EXPECT_PTR_EQ(test__, (s__)->lane.next,				\
			    (struct gvt_sched_entity *)(next__));		\
	KUNIT_EXPECT_PTR_EQ(test__, (s__)->rq.current_entity,			\
			    (struct gvt_sched_entity *)(turn__));		\
} while (0)

/* @e[0] has had the turn since at(1), and its workload executes */
static struct stage *running(struct kunit *test, enum gvt_sched_dispatch dispatch)
{
	struct stage *s = new_stage(test, dispatch, &scripted);
	int i;

	for (i = 0; i < ACTORS; i++)
		s->e[i].preemptible = s->rq.mode.preemptive;
	update(s, &s->e[0], 1);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	offer(s, &s->e[0], true);

	return s;
}

/* --- turns -------------------------------------------------------------------- */

static void first_turn_begins_at_once(struct kunit *test)
{
	struct stage *s = new_stage(test, GVT_DISPATCH_EXCLUSIVE, &scripted);

	update(s, NULL, 1);
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_TRUE(test, s->lane.dispatch);
	KUNIT_EXPECT_EQ(test, s->passes, 1);
	KUNIT_EXPECT_PTR_EQ(test, s->prev, (struct gvt_sched_entity *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, s->next, &s->e[1]);
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_OWED);
	KUNIT_EXPECT_EQ(test, s->since_ns, 0);
}

/* Each switch reports the time since its own decision */
static void turn_passes_when_engines_have_drained(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_TRUE(test, s->lane.dispatch);
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_FALSE(test, s->lane.dispatch);
	finish(s, &s->e[0]);
	update(s, &s->e[1], 7);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 2);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(5));

	offer(s, &s->e[1], false);
	update(s, &s->e[2], 10);
	finish(s, &s->e[1]);
	update(s, &s->e[2], 11);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[2], NULL);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(1));
}

static void turn_continues_after_all(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	update(s, &s->e[1], 2);
	update(s, &s->e[0], 3);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_TRUE(test, s->lane.dispatch);
	update(s, &s->e[0], 4);
	KUNIT_EXPECT_FALSE(test, s->lane.dispatch);

	/* A new decision starts a new drain */
	update(s, &s->e[1], 8);
	finish(s, &s->e[0]);
	update(s, &s->e[1], 10);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(2));
}

static void turn_ends_without_next_vgpu(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	update(s, NULL, 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], NULL);
	update(s, &s->e[0], 3);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_TRUE(test, s->lane.dispatch);
	update(s, NULL, 4);
	finish(s, &s->e[0]);
	update(s, NULL, 5);
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
	KUNIT_EXPECT_PTR_EQ(test, s->prev, &s->e[0]);
}

/* The turn of a vGPU without work continues until another vGPU is next */
static void turn_outlasts_work(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	finish(s, &s->e[0]);
	gvt_sched_dequeue(&s->rq, &s->e[0], at(2));
	update(s, NULL, 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
}

static void upstream_ends_turns_without_work(struct kunit *test)
{
	struct stage *s = new_stage(test, GVT_DISPATCH_EXCLUSIVE, &scripted_on_ticks);

	update(s, &s->e[0], 1);
	gvt_sched_dequeue(&s->rq, &s->e[0], at(2));
	update(s, NULL, 2);
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
}

static void upstream_keeps_its_choice(struct kunit *test)
{
	struct stage *s = new_stage(test, GVT_DISPATCH_EXCLUSIVE, &scripted_on_ticks);

	update(s, &s->e[0], 1);
	offer(s, &s->e[0], false);
	s->wake_at = at(50);
	update(s, &s->e[1], 2);
	update(s, &s->e[2], 3);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, 0);
	s->wake_at = 0;
	finish(s, &s->e[0]);
	update(s, &s->e[2], 4);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
}

/* --- shared engines ------------------------------------------------------------- */

static void next_vgpu_submits_ahead_of_its_turn(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(2)));
	offer(s, &s->e[1], false);
	update(s, &s->e[0], 3);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);

	/* i915 schedules the next workload in by itself */
	finish(s, &s->e[0]);
	offer(s, &s->e[1], true);
	s->ahead = NULL;
	update(s, &s->e[1], 5);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(3));
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_SLICE);
}

static void no_looking_ahead_without_workload(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	finish(s, &s->e[0]);
	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
}

/* The turn ends at once, as no workload has to drain */
static void looking_ahead_ends_idle(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);
	finish(s, &s->e[0]);
	s->ahead = NULL;
	update(s, NULL, 3);
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
	KUNIT_EXPECT_PTR_EQ(test, s->prev, &s->e[0]);
}

/* i915 has reported the schedule-out of the workload, but not yet its completion */
static void turn_begins_when_the_engine_is_free(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->ahead = &s->e[1];
	s->e[0].executes = false;
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
}

static void current_workload_delays_next_turn(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	/* even a workload that is yet to execute, as i915 cannot unsubmit it */
	s->e[0].executes = false;
	update(s, &s->e[1], 3);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	/* but not the next vGPU's own workload, nor a vGPU with nothing in flight */
	offer(s, &s->e[1], false);
	finish(s, &s->e[0]);
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
}

/* After the host's work, the current vGPU's workload goes first unless preemptible */
static void order_after_host_work(struct kunit *test)
{
	static const struct {
		enum gvt_sched_dispatch dispatch;
		bool preemptible;
		bool first;
	} turns[] = {
		{ GVT_DISPATCH_PER_ENGINE, false, true },
		{ GVT_DISPATCH_PREEMPTIVE, false, true },
		{ GVT_DISPATCH_PREEMPTIVE, true, false },
	};
	struct stage *s;
	int i;

	for (i = 0; i < ARRAY_SIZE(turns); i++) {
		s = running(test, turns[i].dispatch);
		s->e[0].executes = false;
		s->e[0].preemptible = turns[i].preemptible;
		offer(s, &s->e[1], false);
		update(s, &s->e[1], 2);
		KUNIT_EXPECT_EQ(test, gvt_lane_before(&s->lane, &s->e[0], &s->e[1], at(2)),
				turns[i].first);
		KUNIT_EXPECT_EQ(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[0], at(2)),
				!turns[i].first);
	}
}

static void stranger_delays_next_turn(struct kunit *test)
{
	struct stage *s = new_stage(test, GVT_DISPATCH_PER_ENGINE, &scripted);

	s->rq.executing = true;
	s->lane.strangers = 1;
	update(s, &s->e[1], 1);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, NULL, &s->e[1]);
	s->lane.strangers = 0;
	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
}

/* The next workload is the one that i915 holds and cannot unsubmit, whatever the policy picks */
static void choice_is_final_once_submitted(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->wake_at = at(50);
	update(s, &s->e[1], 2);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, at(50));
	update(s, &s->e[2], 3);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[2]);
	offer(s, &s->e[2], false);
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[2]);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, 0);
}

static void preemptible_choice_can_change(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->refuses = true;
	update(s, &s->e[2], 2);
	offer(s, &s->e[2], false);
	update(s, &s->e[1], 3);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
}

/* If the current vGPU has nothing in flight, the vGPU whose workload executes gets the turn */
static void turn_follows_the_engine(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	offer(s, &s->e[2], false);
	finish(s, &s->e[0]);
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 1);
	offer(s, &s->e[2], true);
	update(s, &s->e[2], 3);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[2], NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 2);
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_TURN);
	KUNIT_EXPECT_TRUE(test, s->lane.dispatch);

	/* The reason is idle if the current vGPU has run out of work */
	gvt_sched_dequeue(&s->rq, &s->e[2], at(4));
	finish(s, &s->e[2]);
	offer(s, &s->e[1], true);
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_IDLE);
}

/* --- hand-overs ------------------------------------------------------------------- */

static struct stage *handing_over(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->wake_at = at(50);
	offer(s, &s->e[1], false);
	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, &s->e[0]);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, 0);

	return s;
}

static void hand_over_ends_in_new_turn(struct kunit *test)
{
	struct stage *s = handing_over(test);

	s->lane.wake_at = at(60);
	update(s, &s->e[2], 3);
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, 0);

	gvt_lane_handed_over(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	s->e[0].executes = false;
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(2));
}

/* A workload that executes in nobody's turn is preempted at once */
static void hand_over_begins_in_nobodys_turn(struct kunit *test)
{
	struct stage *s = new_stage(test, GVT_DISPATCH_PREEMPTIVE, &scripted);

	s->e[0].preemptible = true;
	offer(s, &s->e[0], true);
	offer(s, &s->e[1], false);
	update(s, &s->e[1], 1);
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, &s->e[0]);
	KUNIT_EXPECT_EQ(test, s->passes, 1);
}

/* A workload that fills a gap is preempted for the vGPU whose turn it is */
static void filler_is_preempted(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->e[0].executes = false;
	offer(s, &s->e[2], true);
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], &s->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, &s->e[2]);
	gvt_lane_handed_over(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
}

static void no_preemption_for_absent_workload(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, (struct gvt_sched_entity *)NULL);
}

static void no_preemption_unless_preemptible(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->e[0].preemptible = false;
	offer(s, &s->e[1], false);
	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, (struct gvt_sched_entity *)NULL);
}

/* The lane retries after 1 ms, or earlier at the policy's wake_at */
static void refused_preemption_is_retried(struct kunit *test)
{
	static const struct {
		s64 wanted_us, expected_us;
	} wakes[] = { { 0, 3000 }, { 50000, 3000 }, { 2500, 2500 } };
	struct stage *s;
	int i;

	for (i = 0; i < ARRAY_SIZE(wakes); i++) {
		s = running(test, GVT_DISPATCH_PREEMPTIVE);
		s->refuses = true;
		s->wake_at = wakes[i].wanted_us ? at_us(wakes[i].wanted_us) : 0;
		offer(s, &s->e[1], false);
		update(s, &s->e[1], 2);
		EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
		KUNIT_EXPECT_EQ(test, s->lane.wake_at, at_us(wakes[i].expected_us));
	}
}

/* The turn stays while its workload is in flight; a refusal leaves the lane without a next vGPU */
static void refused_preemption_keeps_turn(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->refuses = true;
	s->e[0].executes = false;
	offer(s, &s->e[2], true);
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, at(3));
}

/* A hand-over that began in another dispatch mode may end at any time */
static void unexpected_hand_over_end_is_ignored(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	gvt_lane_handed_over(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);
}

/* --- removed and stopped vGPUs ------------------------------------------------------ */

static void removal_of_current_vgpu(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	gvt_lane_remove(&s->lane, &s->e[0], at(2));
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 2);
	KUNIT_EXPECT_PTR_EQ(test, s->prev, &s->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, s->next, (struct gvt_sched_entity *)NULL);
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_STOP);
}

static void removal_of_other_vgpus(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	update(s, &s->e[1], 2);
	gvt_lane_remove(&s->lane, &s->e[2], at(3));
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	gvt_lane_remove(&s->lane, &s->e[1], at(3));
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 1);
}

static void next_stays_when_current_is_removed(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	gvt_lane_remove(&s->lane, &s->e[0], at(3));
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, NULL, &s->e[1]);
}

static void hand_over_outlasts_its_vgpus(struct kunit *test)
{
	struct stage *s = handing_over(test);

	gvt_lane_remove(&s->lane, &s->e[1], at(3));
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], NULL);
	gvt_lane_handed_over(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);

	/* with both vGPUs removed, the hand-over leaves the lane idle */
	s = handing_over(test);
	gvt_lane_remove(&s->lane, &s->e[0], at(3));
	gvt_lane_remove(&s->lane, &s->e[1], at(3));
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, NULL, NULL);
	gvt_lane_handed_over(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
}

static void stopped_vgpu_dispatches_nothing(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_stop(&s->lane, &s->e[0], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(2)));
	finish(s, &s->e[0]);
	gvt_lane_remove(&s->lane, &s->e[0], at(3));
	s->e[0].stopping = true;
	gvt_lane_add(&s->lane, &s->e[0], at(4));
	KUNIT_EXPECT_FALSE(test, s->e[0].stopping);

	/* A vGPU with nothing in flight is removed at once */
	KUNIT_EXPECT_TRUE(test, gvt_lane_stop(&s->lane, &s->e[2], at(5)));
}

/* --- dispatch and order ---------------------------------------------------------------- */

static void only_current_vgpu_dispatches(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(1)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(1)));
	update(s, &s->e[1], 2);
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(2)));
}

static void next_and_fillers_dispatch_if_shared(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->fills = &s->e[2];
	update(s, &s->e[1], 2);
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(2)));
	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(2)));
	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[2], at(2)));
}

static bool is_ready(const struct stage *s, int i)
{
	return gvt_lane_is_ready(&s->lane, &s->e[i], at(2));
}

static void workload_is_parked_for_expected_vgpu(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	update(s, &s->e[0], 2);
	KUNIT_EXPECT_TRUE(test, is_ready(s, 0));
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));

	s->waits = &s->e[2];
	KUNIT_EXPECT_TRUE(test, is_ready(s, 0));
	KUNIT_EXPECT_FALSE(test, is_ready(s, 1));

	/* a workload is not parked if it executes or its vGPU is stopping */
	s->e[1].executes = true;
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
	s->e[1].executes = false;
	s->e[1].stopping = true;
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
	s->e[1].stopping = false;

	/* the next vGPU's workload is not parked either */
	update(s, &s->e[1], 2);
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
}

static void no_parking_with_per_engine_dispatch(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->waits = &s->e[2];
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
}

static void current_vgpu_goes_before_next(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	s->first = &s->e[2];
	update(s, &s->e[0], 2);
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[0], &s->e[1], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[0], at(2)));
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[2], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[2], &s->e[1], at(2)));

	/* While the lane drains, the next vGPU goes first */
	s->ahead = NULL;
	update(s, &s->e[1], 3);
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[0], at(3)));
}

static void policy_orders_other_vgpus(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->first = &s->e[2];
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[2], &s->e[1], at(1)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[2], at(1)));
	/* but the current vGPU does not go before itself */
	s->first = &s->e[0];
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[0], &s->e[0], at(1)));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(first_turn_begins_at_once),
	KUNIT_CASE(turn_passes_when_engines_have_drained),
	KUNIT_CASE(turn_continues_after_all),
	KUNIT_CASE(turn_ends_without_next_vgpu),
	KUNIT_CASE(turn_outlasts_work),
	KUNIT_CASE(upstream_ends_turns_without_work),
	KUNIT_CASE(upstream_keeps_its_choice),
	KUNIT_CASE(next_vgpu_submits_ahead_of_its_turn),
	KUNIT_CASE(no_looking_ahead_without_workload),
	KUNIT_CASE(looking_ahead_ends_idle),
	KUNIT_CASE(turn_begins_when_the_engine_is_free),
	KUNIT_CASE(current_workload_delays_next_turn),
	KUNIT_CASE(order_after_host_work),
	KUNIT_CASE(stranger_delays_next_turn),
	KUNIT_CASE(choice_is_final_once_submitted),
	KUNIT_CASE(preemptible_choice_can_change),
	KUNIT_CASE(turn_follows_the_engine),
	KUNIT_CASE(hand_over_ends_in_new_turn),
	KUNIT_CASE(hand_over_begins_in_nobodys_turn),
	KUNIT_CASE(filler_is_preempted),
	KUNIT_CASE(no_preemption_for_absent_workload),
	KUNIT_CASE(no_preemption_unless_preemptible),
	KUNIT_CASE(refused_preemption_is_retried),
	KUNIT_CASE(refused_preemption_keeps_turn),
	KUNIT_CASE(unexpected_hand_over_end_is_ignored),
	KUNIT_CASE(removal_of_current_vgpu),
	KUNIT_CASE(removal_of_other_vgpus),
	KUNIT_CASE(next_stays_when_current_is_removed),
	KUNIT_CASE(hand_over_outlasts_its_vgpus),
	KUNIT_CASE(stopped_vgpu_dispatches_nothing),
	KUNIT_CASE(only_current_vgpu_dispatches),
	KUNIT_CASE(next_and_fillers_dispatch_if_shared),
	KUNIT_CASE(workload_is_parked_for_expected_vgpu),
	KUNIT_CASE(no_parking_with_per_engine_dispatch),
	KUNIT_CASE(current_vgpu_goes_before_next),
	KUNIT_CASE(policy_orders_other_vgpus),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_lane_transition",
	.test_cases = cases,
};

kunit_test_suite(suite);
