// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the code that all policies share. Like sched_slice_test.c, this file
 * includes the units under test.
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

	/* each step is a factor of 1.25, up to the rounding of small shares */
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

static void work_outside_the_run_queue(struct kunit *test)
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

static void new_vgpu_goes_first(struct kunit *test)
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

/* A guest that resets its GPU gains no slice */
static void debt_survives_remove_and_add(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	struct gvt_sched_entity *e = &t->e[0];

	e->left_ns = MS(-70);
	gvt_sched_remove(&t->rq, e, at(10));
	gvt_sched_add(&t->rq, e, at(20));
	KUNIT_EXPECT_EQ(test, e->left_ns, MS(-70));

	/* the vGPU keeps at most one slice of its leftover */
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

/* A guest that keeps resetting its GPU is not boosted each time */
static void boosts_are_rate_limited(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);
	/* when the vGPU is added, and the end of its boost, or 0 for none */
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

/* The first vGPU in an empty run queue restarts the stages */
static void first_vgpu_restarts_the_stages(struct kunit *test)
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

	/* the removed vGPU finishes its workload */
	gvt_sched_charge(&t->rq, &t->e[0], MS(20), at(20));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(20));
	KUNIT_EXPECT_EQ(test, t->rq.busy, 1);

	choice = gvt_sched_pick(&t->rq, at(20));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_IDLE);
	gvt_sched_switch(&t->rq, &t->e[1], at(20));

	/* the other vGPU is not charged for that workload */
	sched_test_tick(t, at(30));
	if (policy != GVT_SCHED_FAIR)
		KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(40));
}

static void last_vgpu_is_removed(struct kunit *test)
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

/* A change of policy resets all vGPUs */
static void policy_change_resets_all(struct kunit *test)
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

	/* no vGPU is charged for time before the change */
	gvt_sched_pick(&t->rq, at(700));
	KUNIT_EXPECT_EQ(test, t->stage, 0);
	gvt_sched_pick(&t->rq, at(710));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(90));
}

/* Settings other than policy and dispatch reset no vGPU */
static void other_settings_reset_nothing(struct kunit *test)
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

	/* half the period: half the slice and its remainder, and a smaller bucket for the cap */
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

/* Two vGPUs with work, in the first vGPU's turn */
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

/* A workload that executes on after its guest's GPU reset is counted for no other vGPU */
static void removed_vgpu_owns_its_execution_time(struct kunit *test)
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

/* The host's execution time is neither idle time nor counted for any vGPU */
static void host_time_counts_for_no_vgpu(struct kunit *test)
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
	KUNIT_CASE(work_outside_the_run_queue),
	KUNIT_CASE(new_vgpu_goes_first),
	KUNIT_CASE(debt_survives_remove_and_add),
	KUNIT_CASE(boosts_are_rate_limited),
	KUNIT_CASE(first_vgpu_restarts_the_stages),
	KUNIT_CASE_PARAM(current_vgpu_is_removed, policy_gen_params),
	KUNIT_CASE_PARAM(last_vgpu_is_removed, policy_gen_params),
	KUNIT_CASE(policy_change_resets_all),
	KUNIT_CASE_PARAM(other_settings_reset_nothing, policy_gen_params),
	KUNIT_CASE(removed_vgpu_owns_its_execution_time),
	KUNIT_CASE(host_time_counts_for_no_vgpu),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_core",
	.test_cases = cases,
};

kunit_test_suite(suite);
