// SPDX-License-Identifier: GPL-2.0-only
/* Each transition of a lane by itself, under a policy that says what the case wants */

#include "../lane_state.h"
#include "../sched_ops.h"
#include "sched_test.h"

#define ACTORS 3

/**
 * struct stage - a lane, and what a case has the policy say
 * @set: the settings
 * @rq: the run queue, of the scripted policy
 * @lane: the lane
 * @e: the vGPUs
 * @pick: who shall run; NULL for nobody
 * @wake_at: when the policy wants to be asked again
 * @ahead: who shall run when the present workload has finished
 * @first: who goes before all others that wait
 * @fills: who may run in gaps
 * @waits: who is waited for rather than run others, or NULL
 * @refuses: a workload cannot be taken off now
 * @passes: how often a turn has passed
 * @prev: whose it was the last time
 * @next: whose it became
 * @since_ns: when that was decided, before it happened
 * @reason: and why
 * @leaves: whose workload is taken off
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

static bool take_off(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	struct stage *s = of_lane(lane);

	if (s->refuses)
		return false;

	s->leaves = e;
	return true;
}

static const struct gvt_lane_ops ops = {
	.turn_passes = turn_passes,
	.take_off = take_off,
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

/* A workload is with i915, which has begun to execute it or not */
static void offer(struct stage *s, struct gvt_sched_entity *e, bool executes)
{
	e->in_flight = true;
	e->offered = true;
	e->executes = executes;
	s->rq.executing = true;
}

/* It has gone, and others that may be there have not */
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

/* @e[0] has its turn since at(1), and its workload executes */
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

/* What was decided, and when, is told of the turn that it was decided for */
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

static void turn_goes_on_after_all(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	update(s, &s->e[1], 2);
	update(s, &s->e[0], 3);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_TRUE(test, s->lane.dispatch);
	update(s, &s->e[0], 4);
	KUNIT_EXPECT_FALSE(test, s->lane.dispatch);

	/* Decided anew, and then from now on */
	update(s, &s->e[1], 8);
	finish(s, &s->e[0]);
	update(s, &s->e[1], 10);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(2));
}

static void turn_ends_for_nobody(struct kunit *test)
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

/* Who has no work has nothing that could be kept from it */
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

static void upstream_stays_with_its_choice(struct kunit *test)
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

/* --- engines that several vGPUs have workloads at --------------------------------- */

static void next_one_is_put_behind(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(2)));
	offer(s, &s->e[1], false);
	update(s, &s->e[0], 3);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);

	/* i915 goes on to it by itself */
	finish(s, &s->e[0]);
	offer(s, &s->e[1], true);
	s->ahead = NULL;
	update(s, &s->e[1], 5);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(3));
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_SLICE);
}

static void nobody_is_put_behind_nothing(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	finish(s, &s->e[0]);
	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
}

/* The turn ends at once, as nothing has to drain */
static void neither_the_next_nor_the_present_one_has_work(struct kunit *test)
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

/* i915 has told that the workload is off the engine, and not yet that it is finished */
static void turn_begins_when_the_engine_is_free(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->ahead = &s->e[1];
	s->e[0].executes = false;
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
}

static void present_one_is_in_the_way(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	/* also if it is yet to execute, as it cannot be put off */
	s->e[0].executes = false;
	update(s, &s->e[1], 3);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	/* the own workload is not, nor is a vGPU that has none there */
	offer(s, &s->e[1], false);
	finish(s, &s->e[0]);
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
}

/* The host has the engine: what waits for that and cannot be put off goes before the next one */
static void turn_outlasts_the_hosts_work(struct kunit *test)
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

static void stranger_is_in_the_way(struct kunit *test)
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

/* What i915 has and cannot be put off runs next, whatever would be chosen now */
static void choice_is_kept_once_it_is_made_good(struct kunit *test)
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

static void choice_can_be_put_off(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->refuses = true;
	update(s, &s->e[2], 2);
	offer(s, &s->e[2], false);
	update(s, &s->e[1], 3);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
}

/* i915 goes on to whom it has when the one whose turn it is has nothing there */
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

	/* One that has no work any more was not cut short */
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

static void hand_over_ends_in_a_turn(struct kunit *test)
{
	struct stage *s = handing_over(test);

	s->lane.wake_at = at(60);
	update(s, &s->e[2], 3);
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, 0);

	gvt_lane_taken_off(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	s->e[0].executes = false;
	update(s, &s->e[1], 4);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[1], NULL);
	KUNIT_EXPECT_EQ(test, s->since_ns, MS(2));
}

/* What executes at nobody's turn is taken off at once for one that is owed more */
static void hand_over_begins_at_nobodys_turn(struct kunit *test)
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

/* One that fills a gap makes way for whose turn it is */
static void filler_makes_way(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->e[0].executes = false;
	offer(s, &s->e[2], true);
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], &s->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, &s->e[2]);
	gvt_lane_taken_off(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
}

static void nothing_is_taken_off_for_what_is_not_there(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, (struct gvt_sched_entity *)NULL);
}

static void uncut_one_is_not_taken_off(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->e[0].preemptible = false;
	offer(s, &s->e[1], false);
	update(s, &s->e[1], 2);
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, s->leaves, (struct gvt_sched_entity *)NULL);
}

/* At the latest after a millisecond, and sooner if the policy wants so */
static void hand_over_is_tried_again(struct kunit *test)
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

/* The turn stays while its workload is there; a refusal leaves it without a next one */
static void refused_filler_changes_nothing(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	s->refuses = true;
	s->e[0].executes = false;
	offer(s, &s->e[2], true);
	update(s, &s->e[0], 2);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_EQ(test, s->lane.wake_at, at(3));
}

/* What was begun in another way of dispatching may end at any time */
static void unexpected_end_changes_nothing(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	gvt_lane_taken_off(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_LOOKING_AHEAD, &s->e[0], &s->e[1]);
}

/* --- who takes part ----------------------------------------------------------------- */

static void whose_turn_it_is_goes(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	gvt_lane_remove(&s->lane, &s->e[0], at(2));
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 2);
	KUNIT_EXPECT_PTR_EQ(test, s->prev, &s->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, s->next, (struct gvt_sched_entity *)NULL);
	KUNIT_EXPECT_EQ(test, s->reason, GVT_SWITCH_STOP);
}

static void others_go(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	update(s, &s->e[1], 2);
	gvt_lane_remove(&s->lane, &s->e[2], at(3));
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, &s->e[0], &s->e[1]);
	gvt_lane_remove(&s->lane, &s->e[1], at(3));
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);
	KUNIT_EXPECT_EQ(test, s->passes, 1);
}

static void next_one_stays_when_the_present_one_goes(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	update(s, &s->e[0], 2);
	gvt_lane_remove(&s->lane, &s->e[0], at(3));
	EXPECT_LANE(test, s, GVT_LANE_DRAINING, NULL, &s->e[1]);
}

static void hand_over_outlasts_who_it_is_for(struct kunit *test)
{
	struct stage *s = handing_over(test);

	gvt_lane_remove(&s->lane, &s->e[1], at(3));
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, &s->e[0], NULL);
	gvt_lane_taken_off(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_RUNNING, &s->e[0], NULL);

	/* With nobody left it ends in nobody's turn */
	s = handing_over(test);
	gvt_lane_remove(&s->lane, &s->e[0], at(3));
	gvt_lane_remove(&s->lane, &s->e[1], at(3));
	EXPECT_LANE(test, s, GVT_LANE_HANDING_OVER, NULL, NULL);
	gvt_lane_taken_off(&s->lane);
	EXPECT_LANE(test, s, GVT_LANE_IDLE, NULL, NULL);
}

static void stopped_one_dispatches_nothing_until_it_is_back(struct kunit *test)
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

	/* Nothing is waited for of one that has nothing there */
	KUNIT_EXPECT_TRUE(test, gvt_lane_stop(&s->lane, &s->e[2], at(5)));
}

/* --- what goes to the engine, and in which order --------------------------------------- */

static void only_whose_turn_it_is_dispatches(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_EXCLUSIVE);

	KUNIT_EXPECT_TRUE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(1)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(1)));
	update(s, &s->e[1], 2);
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[0], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_may_dispatch(&s->lane, &s->e[1], at(2)));
}

static void next_one_and_fillers_dispatch_where_they_are_shared(struct kunit *test)
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

static void engine_is_kept_for_who_is_waited_for(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PREEMPTIVE);

	update(s, &s->e[0], 2);
	KUNIT_EXPECT_TRUE(test, is_ready(s, 0));
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));

	s->waits = &s->e[2];
	KUNIT_EXPECT_TRUE(test, is_ready(s, 0));
	KUNIT_EXPECT_FALSE(test, is_ready(s, 1));

	/* not from one that is on it, nor from one that is to get off */
	s->e[1].executes = true;
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
	s->e[1].executes = false;
	s->e[1].stopping = true;
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
	s->e[1].stopping = false;

	/* nor from who has been chosen */
	update(s, &s->e[1], 2);
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
}

static void nobody_is_kept_from_an_engine_that_stays_with_its_vgpu(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->waits = &s->e[2];
	KUNIT_EXPECT_TRUE(test, is_ready(s, 1));
}

static void present_one_goes_before_the_next(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->ahead = &s->e[1];
	s->first = &s->e[2];
	update(s, &s->e[0], 2);
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[0], &s->e[1], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[0], at(2)));
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[2], at(2)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[2], &s->e[1], at(2)));

	/* Once the engine is wanted as soon as possible, the next one is first */
	s->ahead = NULL;
	update(s, &s->e[1], 3);
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[0], at(3)));
}

static void policy_says_who_of_the_others_goes_first(struct kunit *test)
{
	struct stage *s = running(test, GVT_DISPATCH_PER_ENGINE);

	s->first = &s->e[2];
	KUNIT_EXPECT_TRUE(test, gvt_lane_before(&s->lane, &s->e[2], &s->e[1], at(1)));
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[1], &s->e[2], at(1)));
	/* but not whether somebody goes before itself */
	s->first = &s->e[0];
	KUNIT_EXPECT_FALSE(test, gvt_lane_before(&s->lane, &s->e[0], &s->e[0], at(1)));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(first_turn_begins_at_once),
	KUNIT_CASE(turn_passes_when_engines_have_drained),
	KUNIT_CASE(turn_goes_on_after_all),
	KUNIT_CASE(turn_ends_for_nobody),
	KUNIT_CASE(turn_outlasts_work),
	KUNIT_CASE(upstream_ends_turns_without_work),
	KUNIT_CASE(upstream_stays_with_its_choice),
	KUNIT_CASE(next_one_is_put_behind),
	KUNIT_CASE(nobody_is_put_behind_nothing),
	KUNIT_CASE(neither_the_next_nor_the_present_one_has_work),
	KUNIT_CASE(turn_begins_when_the_engine_is_free),
	KUNIT_CASE(present_one_is_in_the_way),
	KUNIT_CASE(turn_outlasts_the_hosts_work),
	KUNIT_CASE(stranger_is_in_the_way),
	KUNIT_CASE(choice_is_kept_once_it_is_made_good),
	KUNIT_CASE(choice_can_be_put_off),
	KUNIT_CASE(turn_follows_the_engine),
	KUNIT_CASE(hand_over_ends_in_a_turn),
	KUNIT_CASE(hand_over_begins_at_nobodys_turn),
	KUNIT_CASE(filler_makes_way),
	KUNIT_CASE(nothing_is_taken_off_for_what_is_not_there),
	KUNIT_CASE(uncut_one_is_not_taken_off),
	KUNIT_CASE(hand_over_is_tried_again),
	KUNIT_CASE(refused_filler_changes_nothing),
	KUNIT_CASE(unexpected_end_changes_nothing),
	KUNIT_CASE(whose_turn_it_is_goes),
	KUNIT_CASE(others_go),
	KUNIT_CASE(next_one_stays_when_the_present_one_goes),
	KUNIT_CASE(hand_over_outlasts_who_it_is_for),
	KUNIT_CASE(stopped_one_dispatches_nothing_until_it_is_back),
	KUNIT_CASE(only_whose_turn_it_is_dispatches),
	KUNIT_CASE(next_one_and_fillers_dispatch_where_they_are_shared),
	KUNIT_CASE(engine_is_kept_for_who_is_waited_for),
	KUNIT_CASE(nobody_is_kept_from_an_engine_that_stays_with_its_vgpu),
	KUNIT_CASE(present_one_goes_before_the_next),
	KUNIT_CASE(policy_says_who_of_the_others_goes_first),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_lane_transition",
	.test_cases = cases,
};

kunit_test_suite(suite);
