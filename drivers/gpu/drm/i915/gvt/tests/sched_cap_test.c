// SPDX-License-Identifier: GPL-2.0-only
/* Tests of caps. The unit is included for the same reason as in sched_slice_test.c. */

#include "../sched_cap.c"

#include "sched_test.h"

/* Two vGPUs, the first with work and a cap since 0 ms */
static struct sched_test *capped(struct kunit *test, enum gvt_sched_policy policy, u32 cap)
{
	struct sched_test *t = sched_test_start(test, policy, 2);

	gvt_sched_set_cap(&t->rq, &t->e[0], cap, at(0));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	return t;
}

static void no_cap_no_throttle(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 0);
	u64 wake_at = 0;

	gvt_sched_charge(&t->rq, &t->e[0], MS(100000), at(1));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(1), &wake_at));
	KUNIT_EXPECT_EQ(test, wake_at, 0);
}

static void bucket_is_one_period(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 10);

	KUNIT_EXPECT_EQ(test, t->e[0].cap_left_ns, MS(10));
	/* full, but no fuller after 5 s */
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(5000), NULL));
	KUNIT_EXPECT_EQ(test, t->e[0].cap_left_ns, MS(10));
	/* nor after years */
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(1LL << 40), NULL));
	KUNIT_EXPECT_EQ(test, t->e[0].cap_left_ns, MS(10));

	sched_test_set(t, period_ms, 10);
	gvt_cap_charge(&t->rq, &t->e[0], 0, at(1LL << 40));
	KUNIT_EXPECT_EQ(test, t->e[0].cap_left_ns, MS(1));
}

static void empty_bucket_throttles(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 10);
	u64 wake_at = 0;

	/* 10 ms less 15 ms of execution; the full bucket did not fill further */
	gvt_sched_charge(&t->rq, &t->e[0], MS(15), at(15));
	KUNIT_EXPECT_EQ(test, t->e[0].cap_left_ns, MS(-5));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(15), &wake_at));

	/* at 10 %, paying 5 ms back takes 50 ms, and the 1 ms of a turn 10 ms more */
	KUNIT_EXPECT_EQ(test, wake_at, at(75) + 1);
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(75) - 10, NULL));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], wake_at, NULL));
}

/* A throttled vGPU may run at the returned time: no spurious wakeup */
static void wake_at_is_enough(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 1);
	u32 cap;

	for (cap = 1; cap <= 100; cap++) {
		u64 now = at(10000 * cap), wake_at = 0;

		gvt_sched_set_cap(&t->rq, &t->e[0], cap, now);
		gvt_sched_charge(&t->rq, &t->e[0], t->e[0].cap_left_ns + 7777 * cap, now);
		KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, &t->e[0], now, &wake_at));
		KUNIT_EXPECT_GT(test, wake_at, now + 777700);
		KUNIT_EXPECT_LE(test, wake_at, now + 777700 + 202 + MS(100) / cap);
		KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], wake_at, NULL));
	}
}

static void earliest_wake_at_wins(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 10);
	u64 wake_at = at(30), early = at(16);

	gvt_sched_charge(&t->rq, &t->e[0], MS(15), at(15));
	gvt_cap_throttled(&t->rq, &t->e[0], at(15), &wake_at);
	KUNIT_EXPECT_EQ(test, wake_at, at(30));
	wake_at = at(100);
	gvt_cap_throttled(&t->rq, &t->e[0], at(15), &wake_at);
	KUNIT_EXPECT_EQ(test, wake_at, at(75) + 1);
	gvt_cap_throttled(&t->rq, &t->e[0], at(15), &early);
	KUNIT_EXPECT_EQ(test, early, at(16));
}

static void throttled_no_longer_than_max_wait(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 10);
	u64 wake_at = 0;

	/* paying 790 ms back at 10 % would take 7.9 s, but max_wait_ms ends 1 s after the charge */
	gvt_sched_charge(&t->rq, &t->e[0], MS(800), at(800));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(1000), &wake_at));
	KUNIT_EXPECT_EQ(test, wake_at, at(1800));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(1800) - 1, NULL));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(1800), NULL));
}

static void re_adding_does_not_fill_the_bucket(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 10);

	gvt_sched_charge(&t->rq, &t->e[0], MS(15), at(15));
	gvt_sched_remove(&t->rq, &t->e[0], at(15));
	gvt_sched_add(&t->rq, &t->e[0], at(16));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(16), NULL));

	/* but the time while removed counts */
	gvt_sched_remove(&t->rq, &t->e[0], at(16));
	gvt_sched_add(&t->rq, &t->e[0], at(75));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, &t->e[0], at(75), NULL));
}

/* A vGPU uses its bucket up, and is then throttled until the bucket holds a turn */
static void throttled_until_bucket_holds_a_turn(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 20);
	struct gvt_sched_entity *e = &t->e[0];

	gvt_sched_used(&t->rq, e, MS(20), at(1));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, e, at(1), NULL));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, e, at(6) - 5, NULL));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, e, at(6), NULL));

	/* half of the turn: the other half is left */
	gvt_sched_used(&t->rq, e, US(500), at(6));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, e, at(6), NULL));
	gvt_sched_used(&t->rq, e, US(500), at(6));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, e, at(6), NULL));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, e, at(10), NULL));

	/* a bucket too small for a turn has to be full */
	sched_test_set(t, period_ms, 10);
	gvt_sched_set_cap(&t->rq, e, 1, at(500));
	gvt_sched_used(&t->rq, e, US(100), at(500));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, e, at(509), NULL));
	KUNIT_EXPECT_FALSE(test, gvt_cap_throttled(&t->rq, e, at(510), NULL));
}

/* Writing a cap again and again does not fill the bucket */
static void writing_a_cap_does_not_fill_the_bucket(struct kunit *test)
{
	struct sched_test *t = capped(test, GVT_SCHED_FAIR, 10);
	struct gvt_sched_entity *e = &t->e[0];

	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(10));
	gvt_sched_charge(&t->rq, e, MS(30), at(30));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(-20));

	/* the same cap */
	gvt_sched_set_cap(&t->rq, e, 10, at(40));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(-20));
	KUNIT_EXPECT_EQ(test, e->cap_filled, at(30));

	/* another cap: up to now the bucket filled at the old rate */
	gvt_sched_set_cap(&t->rq, e, 20, at(50));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(-18));
	KUNIT_EXPECT_TRUE(test, gvt_cap_throttled(&t->rq, e, at(130), NULL));

	/* a smaller cap: the bucket holds less */
	gvt_sched_set_cap(&t->rq, e, 5, at(5000));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(5));
}

/* Each policy skips a throttled vGPU; if no other has work, wake_at is the end of the throttling */
static void policies_obey_caps(struct kunit *test)
{
	enum gvt_sched_policy policy = sched_test_policy(test);
	struct sched_test *t = capped(test, policy, 10);
	struct gvt_sched_choice choice;

	KUNIT_EXPECT_PTR_EQ(test, gvt_sched_pick(&t->rq, at(0)).next, &t->e[0]);
	sched_test_run(t, &t->e[0], at(0), at(15));
	gvt_sched_account(&t->rq, at(15));

	choice = gvt_sched_pick(&t->rq, at(15));
	KUNIT_EXPECT_NULL(test, choice.next);
	KUNIT_EXPECT_EQ(test, choice.wake_at, at(75) + 1);

	gvt_sched_enqueue(&t->rq, &t->e[1], at(15));
	choice = gvt_sched_pick(&t->rq, at(15));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);
	gvt_sched_dequeue(&t->rq, &t->e[1], at(16));

	choice = gvt_sched_pick(&t->rq, at(76));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);
}

KUNIT_ARRAY_PARAM(policy, sched_test_policies, sched_test_name_policy);

static struct kunit_case cases[] = {
	KUNIT_CASE(no_cap_no_throttle),
	KUNIT_CASE(bucket_is_one_period),
	KUNIT_CASE(empty_bucket_throttles),
	KUNIT_CASE(wake_at_is_enough),
	KUNIT_CASE(earliest_wake_at_wins),
	KUNIT_CASE(throttled_no_longer_than_max_wait),
	KUNIT_CASE(re_adding_does_not_fill_the_bucket),
	KUNIT_CASE(throttled_until_bucket_holds_a_turn),
	KUNIT_CASE(writing_a_cap_does_not_fill_the_bucket),
	KUNIT_CASE_PARAM(policies_obey_caps, policy_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_cap",
	.test_cases = cases,
};

kunit_test_suite(suite);
