// SPDX-License-Identifier: GPL-2.0-only
/* The fair policy. For why the units are included, see sched_slice_test.c. */

#include "../sched_fair.c"
#include "../sched_fair_time.c"

#include <linux/prandom.h>

#include "sched_test.h"

static struct gvt_sched_entity *next_at(struct sched_test *t, u64 now)
{
	return gvt_sched_pick(&t->rq, now).next;
}

/* vruntime of a vGPU, in ms of execution at weight 2 and nice 0 */
static s64 tag_ms(const struct sched_test *t, const struct gvt_sched_entity *e)
{
	return to_exec_ns(&t->e[0], e->vruntime) / MS(1);
}

static s64 clock_ms(const struct sched_test *t)
{
	return to_exec_ns(&t->e[0], t->rq.min_vruntime) / MS(1);
}

/*
 * After hours the product of time and share exceeds 64 bits; the guaranteed minimum of a day is
 * right nevertheless, however the shares differ
 */
static void guaranteed_minimum_of_a_day(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);
	u64 large = 16 * 88761, small = 15, day_ns = 86400 * NSEC_PER_SEC;
	u64 small_ns = div64_u64(day_ns * small, large + small);

	t->e[0].weight = 16;
	t->e[1].weight = 1;
	gvt_sched_set_nice(&t->rq, &t->e[0], GVT_SCHED_NICE_MIN);
	gvt_sched_set_nice(&t->rq, &t->e[1], GVT_SCHED_NICE_MAX);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	KUNIT_ASSERT_EQ(test, t->e[0].share, large);
	KUNIT_ASSERT_EQ(test, t->e[1].share, small);

	KUNIT_EXPECT_EQ(test, least_ns(&t->rq, &t->e[1], day_ns, at(0)), small_ns / 2);
	/* rounded down, as the other minimum is */
	KUNIT_EXPECT_EQ(test, least_ns(&t->rq, &t->e[0], day_ns, at(0)),
			(day_ns - small_ns - 1) / 2);

	/* half of the day, if the vGPU wants no more */
	sched_test_set_run(&t->e[0], NSEC_PER_SEC);
	sched_test_set_mean(&t->e[0].think, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, least_ns(&t->rq, &t->e[0], day_ns, at(0)), day_ns / 4);
}

/* Time lacking to the minimum is not forgotten while the other vGPU pauses for a moment */
static void minimum_outlasts_pauses_of_others(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);
	struct gvt_sched_entity *e = &t->e[0], *other = &t->e[1];

	gvt_sched_enqueue(&t->rq, e, at(0));
	gvt_sched_enqueue(&t->rq, other, at(0));
	sched_test_set_run(e, MS(2));
	sched_test_set_pause(e, MS(2));
	sched_test_set_mean(&other->service, MS(60));
	e->floor_ns = MS(20);
	e->floor_at = at(0);

	gvt_sched_dequeue(&t->rq, other, at(0));
	gvt_sched_used(&t->rq, e, US(10), at_us(10));
	gvt_sched_enqueue(&t->rq, other, at_us(20));
	KUNIT_EXPECT_GE(test, e->floor_ns, MS(19));
	KUNIT_EXPECT_TRUE(test, gvt_fair_starves(&t->rq, e, at_us(20)));
}

/* vruntime and min_vruntime */

static void vruntime_is_execution_over_share(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);

	t->e[1].weight = 8;
	gvt_sched_set_nice(&t->rq, &t->e[1], 0);
	gvt_sched_set_nice(&t->rq, &t->e[2], 10);
	sched_test_run(t, &t->e[0], at(0), at(40));
	sched_test_run(t, &t->e[1], at(40), at(80));
	sched_test_run(t, &t->e[2], at(80), at(120));

	/* vruntime advances by 16384 per ns at share 1; the shares are 2048, 8192 and 220 */
	KUNIT_EXPECT_EQ(test, t->e[0].vruntime, 40000000 * 8);
	KUNIT_EXPECT_EQ(test, t->e[1].vruntime, 40000000 * 2);
	KUNIT_EXPECT_EQ(test, t->e[2].vruntime, 40000000ULL * 16384 / 220);
	KUNIT_EXPECT_EQ(test, to_exec_ns(&t->e[1], t->e[1].vruntime), MS(40));
	KUNIT_EXPECT_EQ(test, to_exec_ns(&t->e[1], -1), 0);
}

/* With another share, a vGPU is owed as much time as before, or in debt for as much */
static void nice_keeps_debt_and_credit(struct kunit *test)
{
	static const int nice[] = { 0, GVT_SCHED_NICE_MIN, GVT_SCHED_NICE_MAX, 5 };
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);
	int i;

	for (i = 0; i < 3; i++)
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	gvt_sched_set_nice(&t->rq, &t->e[0], GVT_SCHED_NICE_MAX);
	sched_test_run(t, &t->e[0], at(0), at(100));
	sched_test_run(t, &t->e[1], at(100), at(130));
	for (i = 0; i < ARRAY_SIZE(nice); i++) {
		gvt_sched_set_nice(&t->rq, &t->e[0], nice[i]);
		KUNIT_EXPECT_LE(test, abs(owed_ns(&t->e[0], &t->e[2]) + (s64)MS(100)), 1000);
		gvt_sched_set_nice(&t->rq, &t->e[2], nice[i]);
		KUNIT_EXPECT_EQ(test, owed_ns(&t->e[2], &t->e[1]),
				MS(30) * t->e[2].share / t->e[1].share);
	}
}

/* Also after days, in units of the largest share and then of the smallest */
static void nice_keeps_order_of_idle_vgpu(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);
	u64 now = at(0), end = at(0) + 3 * 24 * 3600 * NSEC_PER_SEC;

	t->e[0].weight = 16;
	gvt_sched_set_nice(&t->rq, &t->e[0], GVT_SCHED_NICE_MIN);
	gvt_sched_enqueue(&t->rq, &t->e[1], now);
	for (; now < end; now += 3600 * NSEC_PER_SEC)
		sched_test_run(t, &t->e[1], now, now + 3600 * NSEC_PER_SEC);
	KUNIT_EXPECT_GT(test, owed_ns(&t->e[0], &t->e[1]), 0);
	gvt_sched_set_nice(&t->rq, &t->e[0], GVT_SCHED_NICE_MAX);
	KUNIT_EXPECT_GT(test, owed_ns(&t->e[0], &t->e[1]), 0);
}

static void smallest_vruntime_goes_next(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);
	struct gvt_sched_choice choice;
	int i;

	for (i = 0; i < 3; i++)
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	sched_test_run(t, &t->e[0], at(0), at(10));
	sched_test_run(t, &t->e[1], at(10), at(15));
	sched_test_run(t, &t->e[2], at(15), at(22));
	choice = gvt_sched_pick(&t->rq, at(22));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_OWED);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);

	sched_test_run(t, &t->e[1], at(22), at(27));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(27)), &t->e[2]);
	gvt_sched_dequeue(&t->rq, &t->e[2], at(27));
	gvt_sched_dequeue(&t->rq, &t->e[1], at(27));
	choice = gvt_sched_pick(&t->rq, at(27));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_IDLE);
}

static void shorter_workloads_break_ties(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);
	int i;

	for (i = 0; i < 3; i++) {
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
		sched_test_set_mean(&t->e[i].service, MS(20));
	}
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[0]);
	sched_test_set_mean(&t->e[1].service, MS(19));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[1]);
	t->e[1].vruntime++;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[0]);
}

static void vruntime_may_wrap(struct kunit *test)
{
	struct sched_test *t = sched_test_new(test, GVT_SCHED_FAIR);

	t->rq.min_vruntime = -100ULL;
	gvt_sched_add(&t->rq, &t->e[0], at(0));
	gvt_sched_add(&t->rq, &t->e[1], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(10));
	KUNIT_EXPECT_LT(test, t->e[0].vruntime, t->e[1].vruntime);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(10)), &t->e[1]);
	sched_test_run(t, &t->e[1], at(10), at(30));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(30)), &t->e[0]);
}

static void min_vruntime_is_the_smallest(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(30));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 0);
	sched_test_run(t, &t->e[1], at(30), at(40));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 10);
	sched_test_run(t, &t->e[1], at(40), at(90));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 30);

	/* min_vruntime ignores vGPUs without work, and never decreases */
	gvt_sched_dequeue(&t->rq, &t->e[0], at(90));
	sched_test_run(t, &t->e[1], at(90), at(95));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 65);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(95));
	/* a vGPU that comes back is owed its lag of 30 ms, and half of the pause */
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[0]), 32);
	sched_test_run(t, &t->e[1], at(95), at(96));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 65);
}

/*
 * For random lag and pauses up to max_wait_ms: the time owed never exceeds the vGPU's share of
 * 100 ms, is never less than the lag within that limit, and never shrinks as the pause grows.
 */
static void lag_is_bounded(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, SCHED_TEST_VGPUS);
	struct gvt_sched_entity *e = &t->e[0];
	s64 max_wait_ns = t->rq.mode.max_wait_ns, shorter_ns, longer_ns, was_ns, share_ns;
	struct rnd_state rnd;
	u64 pause_ns;
	u32 i, n;

	/* each other vGPU has work or has been away for long */
	for (i = 1; i < SCHED_TEST_VGPUS; i++)
		t->e[i].idle_since = at(-1000);
	prandom_seed_state(&rnd, 7);
	for (i = 0; i < 100000; i++) {
		n = prandom_u32_state(&rnd) % SCHED_TEST_VGPUS;
		t->e[n].weight = 1 + prandom_u32_state(&rnd) % 16;
		t->e[n].busy = !n || prandom_u32_state(&rnd) % 2;
		gvt_sched_set_nice(&t->rq, &t->e[n], (int)(prandom_u32_state(&rnd) % 40) - 20);
		e->busy = true;
		e->came = true;
		e->idle_since = at(0);
		e->lag_ns = MS(prandom_u32_state(&rnd) % 2000) - (s64)NSEC_PER_SEC;
		sched_test_set_mean(&e->service, prandom_u32_state(&rnd));
		pause_ns = prandom_u32_state(&rnd) % max_wait_ns;
		share_ns = mul_u64_u64_div_u64(LAG_NS, e->share,
					       active_shares(&t->rq, at(0) + pause_ns));
		/* the others' workloads have no known length that raises the limit of lag */
		was_ns = min(e->lag_ns, share_ns);

		shorter_ns = lag_ns(&t->rq, e, at(0) + pause_ns / 2);
		longer_ns = lag_ns(&t->rq, e, at(0) + pause_ns);
		KUNIT_ASSERT_GE(test, longer_ns, was_ns);
		KUNIT_ASSERT_LE(test, longer_ns, max(was_ns, share_ns));
		KUNIT_ASSERT_GE(test, longer_ns, shorter_ns);
		/* lag from before a pause of max_wait_ms or more is forgotten */
		longer_ns = lag_ns(&t->rq, e, at(0) + max_wait_ns + pause_ns);
		KUNIT_ASSERT_GE(test, longer_ns, 0);
		KUNIT_ASSERT_LE(test, longer_ns, share_ns);
	}
}

/* Lag is limited to the vGPU's share of the sum of 100 ms and a workload of each other vGPU */
static void lag_is_limited_by_others_workloads(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);
	struct gvt_sched_entity *e = &t->e[0];

	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	e->came = true;
	e->idle_since = at(0);
	e->lag_ns = MS(900);
	KUNIT_EXPECT_EQ(test, lag_ns(&t->rq, e, at(1)), MS(50));
	sched_test_set_mean(&t->e[1].service, MS(800));
	KUNIT_EXPECT_EQ(test, lag_ns(&t->rq, e, at(1)), MS(450));
	sched_test_set_mean(&t->e[1].service, MS(8000));
	KUNIT_EXPECT_EQ(test, lag_ns(&t->rq, e, at(1)), MS(900));
}

static void absence_earns_no_credit(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);
	int i;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	for (i = 0; i < 5; i++)
		sched_test_run(t, &t->e[0], at(800 * i), at(800 * (i + 1)));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(4100));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[1]), 4000);

	/* nor has a vGPU that was just added any credit */
	gvt_sched_add(&t->rq, &t->e[2], at(4200));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[2]), 4000);
}

static void short_pause_keeps_vruntime(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(10));
	sched_test_run(t, &t->e[1], at(10), at(15));

	/* a short pause does not settle the debt of the vGPU that has had more */
	gvt_sched_dequeue(&t->rq, &t->e[0], at(15));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(16));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[0]), 10);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(16)), &t->e[1]);
}

static void idle_gpu_settles_all_debts(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(50));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(50));
	sched_test_run(t, &t->e[1], at(50), at(60));
	gvt_sched_dequeue(&t->rq, &t->e[1], at(60));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 10);

	gvt_sched_enqueue(&t->rq, &t->e[1], at(80) - 1);
	KUNIT_EXPECT_EQ(test, clock_ms(t), 10);
	gvt_sched_dequeue(&t->rq, &t->e[1], at(80));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(100));
	KUNIT_EXPECT_EQ(test, clock_ms(t), 50);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(100));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[0]), 50);
}

static void added_vgpu_starts_level(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(30));
	sched_test_run(t, &t->e[1], at(30), at(50));
	gvt_sched_add(&t->rq, &t->e[2], at(50));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[2]), 20);
}

/* A guest gains neither time nor credit by resetting its GPU */
static void re_added_vgpu_keeps_vruntime(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(30));
	sched_test_run(t, &t->e[1], at(30), at(50));
	gvt_sched_remove(&t->rq, &t->e[0], at(50));
	gvt_sched_add(&t->rq, &t->e[0], at(50));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[0]), 30);

	gvt_sched_remove(&t->rq, &t->e[1], at(50));
	sched_test_run(t, &t->e[0], at(50), at(60));
	gvt_sched_add(&t->rq, &t->e[1], at(60));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[1]), 40);
	KUNIT_EXPECT_EQ(test, t->e[1].lag_ns, 0);

	/* execution after the removal is charged when the vGPU comes back */
	gvt_sched_remove(&t->rq, &t->e[1], at(60));
	gvt_sched_charge(&t->rq, &t->e[1], MS(7), at(67));
	gvt_sched_charge(&t->rq, &t->e[1], -MS(3), at(67));
	gvt_sched_add(&t->rq, &t->e[1], at(67));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[1]), 47);

	/* a vGPU removed before a change of policy keeps neither debt nor learned pauses */
	gvt_sched_remove(&t->rq, &t->e[0], at(60));
	gvt_sched_begin_anew(&t->rq, at(60));
	t->e[0].think.samples = 1;
	gvt_sched_add(&t->rq, &t->e[0], at(60));
	KUNIT_EXPECT_EQ(test, tag_ms(t, &t->e[0]), 40);
	KUNIT_EXPECT_EQ(test, t->e[0].think.samples, 0);
}

static void change_of_dispatch_settles_all(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at(30));
	t->set.dispatch = GVT_DISPATCH_PER_ENGINE;
	gvt_sched_changed(&t->rq, at(30));
	KUNIT_EXPECT_EQ(test, t->e[0].vruntime, t->e[1].vruntime);
	KUNIT_EXPECT_EQ(test, t->e[0].vruntime, t->rq.min_vruntime);
}

/* Turns */

static void turn_is_kept_for_a_millisecond(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at_us(999));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(999)), &t->e[0]);
	gvt_sched_charge(&t->rq, &t->e[0], US(1), at_us(1000));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(1000)), &t->e[1]);
}

static void turn_is_kept_only_with_work(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at_us(500));
	gvt_sched_set_cap(&t->rq, &t->e[0], 10, at_us(500));
	gvt_sched_charge(&t->rq, &t->e[0], MS(10), at_us(500));
	t->e[0].vruntime = t->e[1].vruntime + 1;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(500)), &t->e[1]);
	gvt_sched_set_cap(&t->rq, &t->e[0], 0, at_us(500));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(500)), &t->e[0]);
	gvt_sched_dequeue(&t->rq, &t->e[0], at_us(500));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(500)), &t->e[1]);
}

/* A turn is a millisecond of execution time, whatever the vGPU's share */
static void turn_is_in_execution_time(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	t->e[0].weight = 16;
	gvt_sched_set_nice(&t->rq, &t->e[0], 0);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	sched_test_run(t, &t->e[0], at(0), at_us(1000) - 1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(1000) - 1), &t->e[0]);
	gvt_sched_charge(&t->rq, &t->e[0], 1, at_us(1000));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(1000)), &t->e[1]);
}

/* The vGPU has had more than its guaranteed minimum */
static void has_enough(struct gvt_sched_entity *e)
{
	e->floor_ns = -MS(100);
}

/* The bound on waiting */

static void overdue_goes_next(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);
	struct gvt_sched_choice choice;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(1));
	gvt_sched_enqueue(&t->rq, &t->e[2], at(2));
	t->e[1].vruntime = to_vruntime(&t->e[1], MS(5000));
	t->e[2].vruntime = to_vruntime(&t->e[2], MS(9000));
	sched_test_run(t, &t->e[0], at(0), at(1001) - 1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1001) - 1), &t->e[0]);

	choice = gvt_sched_pick(&t->rq, at(1001));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_OVERDUE);
	/* of several overdue vGPUs the one that has waited longest, whatever its vruntime */
	choice = gvt_sched_pick(&t->rq, at(1500));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	sched_test_run(t, &t->e[1], at(1500), at(1510));
	/* 10 ms are less than the guaranteed minimum */
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1510)), &t->e[1]);
	has_enough(&t->e[1]);
	choice = gvt_sched_pick(&t->rq, at(1510));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[2]);

	sched_test_set(t, max_wait_ms, 1900);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1510)), &t->e[0]);
}

/* A vGPU whose workload executes is not waiting */
static void current_is_never_overdue(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(1999));
	t->rq.executing = true;
	t->e[0].vruntime = t->e[1].vruntime + to_vruntime(&t->e[0], MS(5));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(2000)), &t->e[1]);
}

/* Anticipation */

/*
 * A vGPU with workloads of 5 ms and pauses of 2 ms has had less than a backlogged vGPU with
 * workloads of 50 ms; these lengths have been learned. At 62 ms a pause of the first vGPU begins.
 */
static struct sched_test *pausing(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 3);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	sched_test_run(t, &t->e[0], at(0), at(5));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(5));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(6));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(7));
	sched_test_run(t, &t->e[1], at(7), at(57));
	sched_test_run(t, &t->e[0], at(57), at(62));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(62));
	KUNIT_EXPECT_EQ(test, t->e[0].think.samples, 1);
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[0].think), MS(2));
	KUNIT_EXPECT_EQ(test, sched_test_dev(&t->e[0].think), 0);
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[0].service), MS(5));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[1].service), MS(50));

	return t;
}

static void hold_until_vgpu_comes_back(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	struct gvt_sched_choice choice = gvt_sched_pick(&t->rq, at(62));

	KUNIT_EXPECT_NULL(test, choice.next);
	/* the upper limit of the bin of 2 ms pauses */
	KUNIT_EXPECT_EQ(test, choice.wake_at, at(62) + (1 << 21));
	KUNIT_EXPECT_PTR_EQ(test, t->rq.hold.expected, &t->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, t->rq.hold.instead, &t->e[1]);
	KUNIT_EXPECT_EQ(test, t->rq.hold.since, at(62));
	gvt_sched_switch(&t->rq, NULL, at(62));

	/* deciding again changes nothing */
	choice = gvt_sched_pick(&t->rq, at(63));
	KUNIT_EXPECT_NULL(test, choice.next);
	KUNIT_EXPECT_EQ(test, choice.wake_at, at(62) + (1 << 21));
	KUNIT_EXPECT_EQ(test, t->rq.hold.since, at(62));

	gvt_sched_enqueue(&t->rq, &t->e[0], at(64));
	KUNIT_EXPECT_NULL(test, t->rq.hold.expected);
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_CAME], 1);
	KUNIT_EXPECT_PTR_EQ(test, t->hold.expected, &t->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, t->hold.instead, &t->e[1]);
	KUNIT_EXPECT_EQ(test, t->hold.until, at(62) + (1 << 21));
	KUNIT_EXPECT_EQ(test, t->hold_end, at(64));
	KUNIT_EXPECT_EQ(test, t->e[0].held_ns, MS(2));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(64)), &t->e[0]);
}

static void hold_expires(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	struct gvt_sched_choice choice;

	gvt_sched_pick(&t->rq, at(62));
	KUNIT_EXPECT_NULL(test, next_at(t, at(62) + (1 << 21) - 1));
	choice = gvt_sched_pick(&t->rq, at(62) + (1 << 21));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_EXPIRED], 1);
	KUNIT_EXPECT_EQ(test, t->e[0].held_ns, 1 << 21);

	/* the longer pause is learned */
	gvt_sched_enqueue(&t->rq, &t->e[0], at(68));
	KUNIT_EXPECT_EQ(test, sched_test_dev(&t->e[0].think), MS(4));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[0].think), MS(3));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_CAME], 0);
}

static void hold_is_stopped(struct kunit *test)
{
	struct sched_test *t = pausing(test);

	/* the expected vGPU is removed */
	gvt_sched_pick(&t->rq, at(62));
	gvt_sched_remove(&t->rq, &t->e[0], at(63));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
	KUNIT_EXPECT_EQ(test, t->hold_end, at(63));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(63)), &t->e[1]);

	/* the vGPU that would run instead is removed */
	t = pausing(test);
	gvt_sched_pick(&t->rq, at(62));
	gvt_sched_remove(&t->rq, &t->e[1], at(63));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
	KUNIT_EXPECT_NULL(test, next_at(t, at(63)));

	/* the vGPU that would run instead has run out of work */
	t = pausing(test);
	gvt_sched_pick(&t->rq, at(62));
	gvt_sched_dequeue(&t->rq, &t->e[1], at(63));
	KUNIT_EXPECT_NULL(test, next_at(t, at(63)));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
	KUNIT_EXPECT_NULL(test, t->rq.hold.expected);

	/* anticipation_ms becomes 0; other settings end no hold */
	t = pausing(test);
	gvt_sched_pick(&t->rq, at(62));
	t->set.boost_ms++;
	gvt_sched_changed(&t->rq, at(63));
	KUNIT_EXPECT_NULL(test, next_at(t, at(63)));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 0);
	t->set.anticipation_ms = 0;
	gvt_sched_changed(&t->rq, at(63));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(63)), &t->e[1]);
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);

	/* the policy changes */
	t = pausing(test);
	gvt_sched_pick(&t->rq, at(62));
	t->set.policy = GVT_SCHED_WORK_CONSERVING;
	gvt_sched_changed(&t->rq, at(63));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(63)), &t->e[1]);
}

/* A vGPU with work that is owed as much as the expected vGPU ends the hold */
static void hold_ends_for_the_most_owed(struct kunit *test)
{
	struct sched_test *t = pausing(test);

	gvt_sched_pick(&t->rq, at(62));
	t->e[2].vruntime = t->e[0].vruntime;
	gvt_sched_enqueue(&t->rq, &t->e[2], at(63));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(63)), &t->e[2]);
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
	KUNIT_EXPECT_EQ(test, t->e[0].held_ns, MS(1));
}

/* A hold ends when a vGPU is overdue, unless the expected vGPU lacks its guaranteed minimum */
static void hold_ends_for_overdue_vgpu(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	struct gvt_sched_choice choice;

	gvt_sched_switch(&t->rq, NULL, at(62));
	t->e[1].wait_since = at(64) - MS(1000);
	choice = gvt_sched_pick(&t->rq, at(62));
	KUNIT_EXPECT_NULL(test, choice.next);
	KUNIT_EXPECT_EQ(test, choice.wake_at, at(64));
	KUNIT_EXPECT_NULL(test, next_at(t, at(64)));
	has_enough(&t->e[0]);
	choice = gvt_sched_pick(&t->rq, at(64));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_OVERDUE);
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
}

/* min_vruntime does not pass the expected vGPU */
static void hold_keeps_the_credit(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	u64 vruntime = t->e[0].vruntime;

	gvt_sched_pick(&t->rq, at(62));
	gvt_sched_charge(&t->rq, &t->e[1], MS(1), at(63));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(63));
	KUNIT_EXPECT_EQ(test, t->e[0].vruntime, vruntime);
}

static bool holds(struct sched_test *t)
{
	return !next_at(t, at(62));
}

/* Each condition, just met and just missed */
static void hold_needs_all_conditions(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	struct gvt_fair_purchase purchase;
	struct gvt_sched_entity *e = &t->e[0];

	/* the GPU is free */
	t->rq.executing = true;
	KUNIT_EXPECT_FALSE(test, holds(t));
	t->rq.executing = false;
	KUNIT_EXPECT_TRUE(test, holds(t));

	/* the pause is known */
	e->think.samples = 0;
	KUNIT_EXPECT_FALSE(test, holds(t));
	e->think.samples = 1;

	/* the pause is shorter than anticipation_ms */
	sched_test_set(t, anticipation_ms, 3);
	KUNIT_EXPECT_TRUE(test, holds(t));
	sched_test_set(t, anticipation_ms, 1);
	KUNIT_EXPECT_FALSE(test, holds(t));
	sched_test_set(t, anticipation_ms, 0);
	KUNIT_EXPECT_FALSE(test, holds(t));
	sched_test_set(t, anticipation_ms, 20);

	/* the gain exceeds the idle time: idle for 2 ms, for 5 ms in 7 ms instead of in 15 ms */
	sched_test_set_mean(&t->e[1].service, MS(10));
	purchase = gvt_fair_purchase(&t->rq, e, &t->e[1]);
	KUNIT_EXPECT_EQ(test, purchase.window_ns, 1 << 21);
	KUNIT_EXPECT_EQ(test, purchase.idle_ns, MS(2));
	KUNIT_EXPECT_EQ(test, purchase.gain_ns, MS(5) - (u64)MS(5) * MS(7) / MS(15));
	/* which leaves 2/3 ms, and the idle time exceeds that by twice as much */
	KUNIT_EXPECT_EQ(test, gvt_fair_charge_ns(&purchase, US(999)) / 1000, 1997);
	e->vruntime = t->e[1].vruntime - to_vruntime(e, MS(4) + US(1));
	KUNIT_EXPECT_TRUE(test, holds(t));
	e->vruntime = t->e[1].vruntime - to_vruntime(e, MS(4) - US(1));
	KUNIT_EXPECT_FALSE(test, holds(t));
	e->vruntime = t->e[1].vruntime - to_vruntime(e, MS(500));
	KUNIT_EXPECT_TRUE(test, holds(t));
	sched_test_set_mean(&t->e[1].service, US(6600));
	KUNIT_EXPECT_FALSE(test, holds(t));
	sched_test_set_mean(&t->e[1].service, MS(50));

	/* few pauses are too long, or the engine would idle for longer than the gain */
	has_enough(e);
	e->pauses[GVT_SCHED_PAUSE_BINS] = e->pauses[6];
	KUNIT_EXPECT_TRUE(test, holds(t));
	e->pauses[GVT_SCHED_PAUSE_BINS] = 2 * e->pauses[6];
	KUNIT_EXPECT_FALSE(test, holds(t));
	e->pauses[GVT_SCHED_PAUSE_BINS] = 0;

	/* a vGPU that submits by a clock executes more in late runs, and gains nothing by a hold */
	sched_test_set_mean(&e->late_run, MS(150));
	KUNIT_EXPECT_FALSE(test, holds(t));
	sched_test_set_mean(&e->late_run, MS(5));

	/* the vGPU is owed more than its usual pause */
	e->vruntime = t->e[1].vruntime - to_vruntime(e, MS(2) + 1);
	KUNIT_EXPECT_TRUE(test, holds(t));
	e->vruntime = t->e[1].vruntime - to_vruntime(e, MS(2));
	KUNIT_EXPECT_FALSE(test, holds(t));
	e->vruntime = t->e[1].vruntime + 1;
	KUNIT_EXPECT_FALSE(test, holds(t));
	/* no hold if the time owed is far below 0 */
	e->vruntime = t->e[1].vruntime + to_vruntime(e, MS(500));
	KUNIT_EXPECT_FALSE(test, holds(t));
}

/*
 * Whatever a vGPU makes the scheduler expect, the engine is kept idle for it for no longer than
 * it executes, and anticipation_ms
 */
static void holds_are_earned(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	struct gvt_sched_entity *e = &t->e[0], *other = &t->e[1];
	u64 now = at(62), exec_ns = MS(10);
	u32 i;

	for (i = 0; i < 100; i++) {
		/* expected back within 2 ms, but never is */
		sched_test_set_mean(&e->run, MS(5));
		sched_test_set_mean(&e->late_run, MS(5));
		sched_test_set_pause(e, MS(2));
		e->vruntime = other->vruntime - to_vruntime(e, MS(50));
		if (!next_at(t, now))
			now += 1 << 21;
		KUNIT_EXPECT_PTR_EQ(test, next_at(t, now), other);
		sched_test_run(t, other, now, now + MS(50));
		now += MS(50);
		gvt_sched_enqueue(&t->rq, e, now);
		sched_test_run(t, e, now, now + US(20));
		exec_ns += US(20);
		now += US(20);
		gvt_sched_dequeue(&t->rq, e, now);
		KUNIT_EXPECT_LE(test, e->held_ns, exec_ns + MS(20));
	}
	KUNIT_EXPECT_GT(test, e->held_ns, MS(4));
}

/* Add pauses of 12 ms, with weight @n, to the histogram */
static void pauses_for_long(struct gvt_sched_entity *e, u32 n)
{
	e->pauses[9] = n;
	e->paused_ns[9] = (u64)n * MS(12);
}

static void window_is_bounded(struct kunit *test)
{
	struct sched_test *t = pausing(test);
	struct gvt_sched_entity *e = &t->e[0];

	/* to the upper limit of the bin of 2 ms pauses */
	KUNIT_EXPECT_EQ(test, gvt_sched_pick(&t->rq, at(62)).wake_at, at(62) + (1 << 21));

	/* to the bin of 12 ms pauses if the longer wait pays, else to that of 2 ms pauses */
	t = pausing(test);
	e = &t->e[0];
	pauses_for_long(e, e->pauses[6] / 16);
	KUNIT_EXPECT_EQ(test, gvt_sched_pick(&t->rq, at(62)).wake_at, at(62) + (1 << 24));
	t = pausing(test);
	e = &t->e[0];
	pauses_for_long(e, e->pauses[6] / 2);
	has_enough(e);
	KUNIT_EXPECT_EQ(test, gvt_sched_pick(&t->rq, at(62)).wake_at, at(62) + (1 << 21));

	/* to at most anticipation_ms, and at least 0.2 ms */
	t = pausing(test);
	e = &t->e[0];
	sched_test_set_pause(e, MS(19));
	sched_test_set_run(e, MS(50));
	sched_test_set_mean(&t->e[1].service, MS(400));
	e->vruntime -= to_vruntime(e, MS(50));
	KUNIT_EXPECT_EQ(test, gvt_sched_pick(&t->rq, at(62)).wake_at, at(62 + 20));
	t = pausing(test);
	e = &t->e[0];
	sched_test_set_pause(e, US(1));
	KUNIT_EXPECT_EQ(test, gvt_sched_pick(&t->rq, at(62)).wake_at, at_us(62200));
}

/* Of several expected vGPUs, the engine waits for the most owed one */
static void most_owed_is_expected(struct kunit *test)
{
	struct sched_test *t = pausing(test);

	sched_test_set_pause(&t->e[2], US(500));
	sched_test_set_run(&t->e[2], MS(1));
	t->e[2].idle_since = at(62);
	t->e[2].vruntime = t->e[0].vruntime - 1;
	gvt_sched_pick(&t->rq, at(62));
	KUNIT_EXPECT_PTR_EQ(test, t->rq.hold.expected, &t->e[2]);

	/* and for the next vGPU when that wait has expired */
	KUNIT_EXPECT_NULL(test, next_at(t, at(62) + (1 << 19)));
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_EXPIRED], 1);
	KUNIT_EXPECT_PTR_EQ(test, t->hold.expected, &t->e[2]);
	KUNIT_EXPECT_PTR_EQ(test, t->rq.hold.expected, &t->e[0]);
	KUNIT_EXPECT_EQ(test, t->rq.hold.since, at(62) + (1 << 19));
	KUNIT_EXPECT_EQ(test, t->e[2].held_ns, 1 << 19);
}

static void pauses_are_learnt(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 1);
	struct gvt_sched_entity *e = &t->e[0];

	gvt_sched_enqueue(&t->rq, e, at(100));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->think), 0);
	gvt_sched_dequeue(&t->rq, e, at(100));
	gvt_sched_enqueue(&t->rq, e, at(104));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->think), MS(4));
	KUNIT_EXPECT_EQ(test, e->think.samples, 1);

	/* the mean moves a quarter of the way to each new pause */
	gvt_sched_dequeue(&t->rq, e, at(104));
	gvt_sched_enqueue(&t->rq, e, at(116));
	KUNIT_EXPECT_EQ(test, sched_test_dev(&e->think), MS(8));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->think), MS(6));
	gvt_sched_dequeue(&t->rq, e, at(116));
	gvt_sched_enqueue(&t->rq, e, at(118));
	KUNIT_EXPECT_EQ(test, sched_test_dev(&e->think), MS(7));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->think), MS(5));
	KUNIT_EXPECT_EQ(test, e->think.samples, 3);

	/* a long absence is counted, but its length is not learned */
	gvt_sched_dequeue(&t->rq, e, at(118));
	gvt_sched_enqueue(&t->rq, e, at(100000));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->think), MS(5));
	KUNIT_EXPECT_EQ(test, e->pauses[GVT_SCHED_PAUSE_BINS], GVT_SCHED_PAUSE);
	KUNIT_EXPECT_EQ(test, e->pauses[6], GVT_SCHED_PAUSE - 32);
	KUNIT_EXPECT_EQ(test, e->paused_ns[6], e->pauses[6] * MS(2));
	KUNIT_EXPECT_EQ(test, e->pauses[9], GVT_SCHED_PAUSE - 32 - 31);
	KUNIT_EXPECT_EQ(test, e->pauses[7], GVT_SCHED_PAUSE - 32 - 31 - 30);
}

static void service_is_learnt(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_FAIR, 1);

	sched_test_run(t, &t->e[0], at(0), at(8));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[0].service), MS(8));
	sched_test_run(t, &t->e[0], at(8), at(28));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[0].service), MS(11));
	sched_test_run(t, &t->e[0], at(28), at(31));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&t->e[0].service), MS(9));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(guaranteed_minimum_of_a_day),
	KUNIT_CASE(minimum_outlasts_pauses_of_others),
	KUNIT_CASE(vruntime_is_execution_over_share),
	KUNIT_CASE(nice_keeps_debt_and_credit),
	KUNIT_CASE(nice_keeps_order_of_idle_vgpu),
	KUNIT_CASE(smallest_vruntime_goes_next),
	KUNIT_CASE(shorter_workloads_break_ties),
	KUNIT_CASE(vruntime_may_wrap),
	KUNIT_CASE(min_vruntime_is_the_smallest),
	KUNIT_CASE(lag_is_bounded),
	KUNIT_CASE(lag_is_limited_by_others_workloads),
	KUNIT_CASE(absence_earns_no_credit),
	KUNIT_CASE(short_pause_keeps_vruntime),
	KUNIT_CASE(idle_gpu_settles_all_debts),
	KUNIT_CASE(added_vgpu_starts_level),
	KUNIT_CASE(re_added_vgpu_keeps_vruntime),
	KUNIT_CASE(change_of_dispatch_settles_all),
	KUNIT_CASE(turn_is_kept_for_a_millisecond),
	KUNIT_CASE(turn_is_kept_only_with_work),
	KUNIT_CASE(turn_is_in_execution_time),
	KUNIT_CASE(overdue_goes_next),
	KUNIT_CASE(current_is_never_overdue),
	KUNIT_CASE(hold_until_vgpu_comes_back),
	KUNIT_CASE(hold_expires),
	KUNIT_CASE(hold_is_stopped),
	KUNIT_CASE(hold_ends_for_the_most_owed),
	KUNIT_CASE(hold_ends_for_overdue_vgpu),
	KUNIT_CASE(hold_keeps_the_credit),
	KUNIT_CASE(hold_needs_all_conditions),
	KUNIT_CASE(holds_are_earned),
	KUNIT_CASE(window_is_bounded),
	KUNIT_CASE(most_owed_is_expected),
	KUNIT_CASE(pauses_are_learnt),
	KUNIT_CASE(service_is_learnt),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_fair",
	.test_cases = cases,
};

kunit_test_suite(suite);
