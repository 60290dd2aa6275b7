// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all policies have in common, case by case. As to the included unit, see
 * sched_slice_test.c.
 */

#include "../sched_core.c"
#include "../sched_mean.c"
#include "../sched_mode.c"

#include "sched_test.h"

static void shares_follow_nice(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 1);
	struct gvt_sched_entity *e = &t->e[0];
	u32 before = 0;
	int nice;

	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(nice_to_share),
			GVT_SCHED_NICE_MAX - GVT_SCHED_NICE_MIN + 1);
	KUNIT_EXPECT_EQ(test, e->share, 2 * GVT_SCHED_SHARE_UNIT);

	/* each step is 1.25, as near as small whole numbers can be */
	for (nice = GVT_SCHED_NICE_MAX; nice >= GVT_SCHED_NICE_MIN; nice--) {
		gvt_sched_set_nice(&t->rq, e, nice);
		KUNIT_EXPECT_EQ(test, e->nice, nice);
		if (before) {
			KUNIT_EXPECT_GE(test, e->share * 100, before * 119);
			KUNIT_EXPECT_LE(test, e->share * 100, before * 131);
		}
		before = e->share;
	}

	gvt_sched_set_nice(&t->rq, e, -10);
	KUNIT_EXPECT_EQ(test, e->share, 2 * 9548);
	gvt_sched_set_nice(&t->rq, e, 10);
	KUNIT_EXPECT_EQ(test, e->share, 2 * 110);
}

static void busy_is_counted_once(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(1));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(2));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 1);
	KUNIT_EXPECT_EQ(test, t->e[0].wait_since, at(1));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(3));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 2);

	gvt_sched_dequeue(&t->rq, &t->e[0], at(4));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(5));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 1);
	KUNIT_EXPECT_EQ(test, t->e[0].idle_since, at(4));
}

static void work_before_and_after_taking_part(struct kunit *test)
{
	struct sched_test *t = sched_test_new(test, GVT_SCHED_FAIR);

	KUNIT_EXPECT_FALSE(test, gvt_sched_is_added(&t->e[0]));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 0);
	KUNIT_EXPECT_NULL(test, gvt_sched_pick(&t->rq, at(0)).next);

	gvt_sched_add(&t->rq, &t->e[0], at(1));
	KUNIT_EXPECT_TRUE(test, gvt_sched_is_added(&t->e[0]));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 1);
	KUNIT_EXPECT_PTR_EQ(test, gvt_sched_pick(&t->rq, at(1)).next, &t->e[0]);

	gvt_sched_remove(&t->rq, &t->e[0], at(2));
	KUNIT_EXPECT_FALSE(test, gvt_sched_is_added(&t->e[0]));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 0);
	KUNIT_EXPECT_NULL(test, gvt_sched_pick(&t->rq, at(2)).next);

	gvt_sched_dequeue(&t->rq, &t->e[0], at(3));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 0);
	gvt_sched_add(&t->rq, &t->e[0], at(4));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 0);
	KUNIT_EXPECT_NULL(test, gvt_sched_pick(&t->rq, at(4)).next);
}

static void a_new_vgpu_goes_first(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	struct gvt_sched_choice choice;
	int i;

	for (i = 0; i < 3; i++)
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	gvt_sched_switch(&t->rq, &t->e[1], at(0));
	sched_test_set(t, boost_ms, 30);
	gvt_sched_add(&t->rq, &t->e[2], at(5));
	KUNIT_EXPECT_TRUE(test, t->e[2].boosted);
	KUNIT_EXPECT_EQ(test, t->e[2].boost_until, at(35));
	KUNIT_EXPECT_EQ(test, t->e[2].left_ns, t->e[2].slice_ns);

	choice = gvt_sched_pick(&t->rq, at(5));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[2]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_BOOST);
}

/* A guest that resets its GPU gets neither a slice for that */
static void coming_back_keeps_the_debt(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	struct gvt_sched_entity *e = &t->e[0];

	e->left_ns = MS(-70);
	gvt_sched_remove(&t->rq, e, at(10));
	gvt_sched_add(&t->rq, e, at(20));
	KUNIT_EXPECT_EQ(test, e->left_ns, MS(-70));

	/* and of what it had left no more than a slice */
	e->left_ns = e->slice_ns + MS(70);
	gvt_sched_remove(&t->rq, e, at(20));
	gvt_sched_add(&t->rq, e, at(30));
	KUNIT_EXPECT_EQ(test, e->left_ns, e->slice_ns);

	e->left_ns = MS(-70);
	gvt_sched_remove(&t->rq, e, at(30));
	gvt_sched_begin_anew(&t->rq, at(30));
	gvt_sched_add(&t->rq, e, at(30));
	KUNIT_EXPECT_EQ(test, e->left_ns, e->slice_ns);
}

/* nor a boost each time */
static void boosts_are_far_between(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);
	/* comes back, boosted until then */
	static const int history[][2] = {
		{ 5, 35 }, { 20, 35 }, { 50, 0 }, { 304, 0 }, { 305, 335 }, { 310, 335 },
		{ 336, 0 },
	};
	struct gvt_sched_entity *e = &t->e[2];
	u32 i;

	sched_test_set(t, boost_ms, 30);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, e, at(0));
	e->epoch = t->rq.epoch;
	e->left_ns = MS(-70);
	for (i = 0; i < ARRAY_SIZE(history); i++) {
		u64 now = at(history[i][0]);

		gvt_sched_add(&t->rq, e, now);
		KUNIT_EXPECT_EQ(test, e->boosted, history[i][1] > 0);
		if (e->boosted)
			KUNIT_EXPECT_EQ(test, e->boost_until, at(history[i][1]));
		KUNIT_EXPECT_PTR_EQ(test, gvt_sched_pick(&t->rq, now).next,
				    e->boosted ? e : &t->e[0]);
		gvt_sched_remove(&t->rq, e, now);
	}
}

/* The stages begin with the first vGPU */
static void first_vgpu_starts_the_periods(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 1);

	gvt_sched_period(&t->rq, at(350));
	KUNIT_EXPECT_EQ(test, t->stage, 3);
	gvt_sched_remove(&t->rq, &t->e[0], at(360));
	gvt_sched_add(&t->rq, &t->e[0], at(9999));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(100));
	gvt_sched_period(&t->rq, at(10000));
	KUNIT_EXPECT_EQ(test, t->stage, 0);
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at(10100));
}

static void current_vgpu_is_removed(struct kunit *test)
{
	enum gvt_sched_policy policy = sched_test_policy(test);
	struct sched_test *t = sched_test_start(test, policy, 2);
	struct gvt_sched_choice choice;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_EQ(test, t->rq.turn_since, at(0));
	gvt_sched_remove(&t->rq, &t->e[0], at(5));
	KUNIT_EXPECT_NULL(test, t->rq.current_entity);
	KUNIT_EXPECT_EQ(test, t->rq.busy, 1);

	/* it finishes what it began */
	gvt_sched_charge(&t->rq, &t->e[0], MS(20), at(20));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(20));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 1);

	choice = gvt_sched_pick(&t->rq, at(20));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_IDLE);
	gvt_sched_switch(&t->rq, &t->e[1], at(20));

	/* and the other one does not pay for it */
	sched_test_tick(t, at(30));
	if (policy != GVT_SCHED_FAIR)
		KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(40));
}

static void nobody_is_left(struct kunit *test)
{
	enum gvt_sched_policy policy = sched_test_policy(test);
	struct sched_test *t = sched_test_start(test, policy, 1);
	struct gvt_sched_choice choice;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_remove(&t->rq, &t->e[0], at(5));
	choice = sched_test_tick(t, at(300));
	KUNIT_EXPECT_NULL(test, choice.next);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);
	gvt_sched_changed(&t->rq, at(301));
	gvt_sched_switch(&t->rq, NULL, at(302));
}

/* With another policy everybody begins anew: strict's case here, fair's in its suite */
static void policy_begins_anew(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 1);

	sched_test_set(t, boost_ms, 2000);
	gvt_sched_add(&t->rq, &t->e[1], at(0));
	gvt_sched_period(&t->rq, at(250));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(250));
	gvt_sched_switch(&t->rq, &t->e[0], at(250));
	gvt_sched_set_cap(&t->rq, &t->e[0], 10, at(250));
	gvt_sched_charge(&t->rq, &t->e[0], MS(100), at(600));

	t->set.policy = GVT_SCHED_WORK_CONSERVING;
	t->set.period_ms = 200;
	gvt_sched_changed(&t->rq, at(700));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(100));
	KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(100));
	KUNIT_EXPECT_FALSE(test, t->e[1].boosted);
	KUNIT_EXPECT_EQ(test, t->e[0].cap_left_ns, MS(20));

	/* the time before is nobody's any more */
	gvt_sched_pick(&t->rq, at(700));
	KUNIT_EXPECT_EQ(test, t->stage, 0);
	gvt_sched_pick(&t->rq, at(710));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(90));
}

/* Other settings, or the same, leave alone what does not depend on them */
static void other_settings_do_not(struct kunit *test)
{
	enum gvt_sched_policy policy = sched_test_policy(test);
	struct sched_test *t = sched_test_start(test, policy, 2);
	struct gvt_sched_settings set = t->set;
	struct gvt_sched_entity was, *e = &t->e[0];
	u64 end = t->rq.period_end;
	int change;

	gvt_sched_set_cap(&t->rq, e, 40, at(0));
	gvt_sched_enqueue(&t->rq, e, at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, e, at(0), at(70));
	gvt_sched_account(&t->rq, at(70));
	e->boosted = true;
	was = *e;

	for (change = 0; change < 5; change++) {
		t->set = set;
		t->set.carry_over -= change == 1;
		t->set.boost_ms += change == 2;
		t->set.max_wait_ms += change == 3;
		t->set.anticipation_ms += change == 4;
		gvt_sched_changed(&t->rq, at(70));
		KUNIT_EXPECT_EQ(test, e->left_ns, was.left_ns);
		KUNIT_EXPECT_EQ(test, e->vruntime, was.vruntime);
		KUNIT_EXPECT_EQ(test, e->cap_left_ns, was.cap_left_ns);
		KUNIT_EXPECT_EQ(test, e->epoch, was.epoch);
		KUNIT_EXPECT_TRUE(test, e->boosted);
		KUNIT_EXPECT_EQ(test, t->rq.period_end, end);
	}

	/* half a period, half of what is owed and left, and a smaller bucket */
	t->set = set;
	t->set.period_ms = 50;
	gvt_sched_changed(&t->rq, at(70));
	KUNIT_EXPECT_EQ(test, e->slice_ns, MS(25));
	KUNIT_EXPECT_EQ(test, e->left_ns, was.left_ns / 2);
	KUNIT_EXPECT_EQ(test, t->rq.period_end, end);
	KUNIT_EXPECT_EQ(test, e->vruntime, was.vruntime);
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, e, at(5000), NULL));
	gvt_cap_charge(&t->rq, e, 0, at(5000));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(20));
}

KUNIT_ARRAY_PARAM(policy, sched_test_policies, sched_test_name_policy);

/* Two vGPUs with work, and it is the first one's turn */
static struct sched_test *two_with_work(struct kunit *test)
{
	struct sched_test *t = sched_test_new(test, GVT_SCHED_FAIR);
	int i;

	for (i = 0; i < 2; i++) {
		gvt_sched_add(&t->rq, &t->e[i], at(0));
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	}
	gvt_sched_switch(&t->rq, &t->e[0], at(0));

	return t;
}

/* A guest can reset its GPU while a workload executes: that is nobody else's time */
static void absent_execution_is_its_own(struct kunit *test)
{
	struct sched_test *t = two_with_work(test);

	t->rq.executing = true;
	gvt_sched_pick(&t->rq, at(10));

	gvt_sched_remove(&t->rq, &t->e[0], at(50));
	gvt_sched_pick(&t->rq, at(50));
	gvt_sched_charge(&t->rq, &t->e[0], MS(80), at(80));
	t->rq.executing = false;
	gvt_sched_switch(&t->rq, &t->e[1], at(80));
	gvt_sched_pick(&t->rq, at(80));
	KUNIT_EXPECT_EQ(test, t->e[1].denied_ns, 0);
	KUNIT_EXPECT_EQ(test, t->e[1].idled_ns, 0);
	KUNIT_EXPECT_EQ(test, t->rq.denied_ns, 0);
	KUNIT_EXPECT_EQ(test, t->e[0].denied_ns, MS(50));
}

/* The engine does not idle while the host has it, and nobody else had it then, either */
static void the_hosts_time_is_nobodys(struct kunit *test)
{
	struct sched_test *t = two_with_work(test);

	t->rq.executing = false;
	gvt_sched_pick(&t->rq, at(0));

	gvt_sched_host_used(&t->rq, MS(3), at(4));
	gvt_sched_pick(&t->rq, at(4));
	KUNIT_EXPECT_EQ(test, t->e[0].idled_ns, MS(1));
	KUNIT_EXPECT_EQ(test, t->e[0].denied_ns, MS(1));
	KUNIT_EXPECT_EQ(test, t->e[1].denied_ns, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(shares_follow_nice),
	KUNIT_CASE(busy_is_counted_once),
	KUNIT_CASE(work_before_and_after_taking_part),
	KUNIT_CASE(a_new_vgpu_goes_first),
	KUNIT_CASE(coming_back_keeps_the_debt),
	KUNIT_CASE(boosts_are_far_between),
	KUNIT_CASE(first_vgpu_starts_the_periods),
	KUNIT_CASE_PARAM(current_vgpu_is_removed, policy_gen_params),
	KUNIT_CASE_PARAM(nobody_is_left, policy_gen_params),
	KUNIT_CASE(policy_begins_anew),
	KUNIT_CASE_PARAM(other_settings_do_not, policy_gen_params),
	KUNIT_CASE(absent_execution_is_its_own),
	KUNIT_CASE(the_hosts_time_is_nobodys),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_core",
	.test_cases = cases,
};

kunit_test_suite(suite);
