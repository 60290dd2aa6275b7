// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the slice policies. This file includes the unit under test, so that
 * the test module needs nothing from kvmgt.
 */

#include "../sched_slice.c"

#include "sched_test.h"

/* The vGPU that gvt_sched_pick() chooses */
static struct gvt_sched_entity *next_at(struct sched_test *t, u64 now)
{
	return gvt_sched_pick(&t->rq, now).next;
}

/* Slices */

static void slices_follow_weights(struct kunit *test)
{
	struct sched_test *t = sched_test_new(test, GVT_SCHED_STRICT);

	t->e[1].weight = 4;
	t->e[2].weight = 8;
	gvt_sched_set_nice(&t->rq, &t->e[1], 0);
	gvt_sched_set_nice(&t->rq, &t->e[2], 0);
	gvt_sched_add(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_EQ(test, t->e[0].slice_ns, MS(100));
	gvt_sched_add(&t->rq, &t->e[1], at(0));
	gvt_sched_add(&t->rq, &t->e[2], at(0));

	/* upstream's rounding: divide 100 ms by 14, then multiply by the weight */
	KUNIT_EXPECT_EQ(test, t->e[0].slice_ns, 2 * 7142857);
	KUNIT_EXPECT_EQ(test, t->e[1].slice_ns, 4 * 7142857);
	KUNIT_EXPECT_EQ(test, t->e[2].slice_ns, 8 * 7142857);

	/* a new vGPU has its slice at once, but takes nothing from the others' present slices */
	KUNIT_EXPECT_EQ(test, t->e[2].left_ns, 8 * 7142857);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(100));

	gvt_sched_remove(&t->rq, &t->e[2], at(0));
	KUNIT_EXPECT_EQ(test, t->e[0].slice_ns, 2 * 16666666);
}

static void slices_follow_nice(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	/* 1024 against 1024 / 1.25^3, which is 526 in the table */
	gvt_sched_set_nice(&t->rq, &t->e[1], 3);
	KUNIT_EXPECT_EQ(test, t->e[0].slice_ns / 10000, 6606);
	KUNIT_EXPECT_EQ(test, t->e[1].slice_ns / 10000, 3393);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50));

	gvt_sched_period(&t->rq, at(100));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50) + t->e[0].slice_ns);
}

static void slices_follow_period(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	sched_test_set(t, period_ms, 10);
	gvt_sched_begin_anew(&t->rq, at(3));
	KUNIT_EXPECT_EQ(test, t->e[0].slice_ns, MS(5));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(5));

	gvt_sched_period(&t->rq, at(4));
	gvt_sched_period(&t->rq, at(13));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(5));
	gvt_sched_period(&t->rq, at(14));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(10));
}

/* Periods and stages */

static void leftover_is_carried_for_ten_stages(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	int stage;

	KUNIT_EXPECT_EQ(test, t->stage, 0);
	for (stage = 1; stage < GVT_SCHED_STAGES; stage++) {
		gvt_sched_period(&t->rq, at(100 * stage) - 1);
		KUNIT_EXPECT_EQ(test, t->stage, stage - 1);
		gvt_sched_period(&t->rq, at(100 * stage));
		KUNIT_EXPECT_EQ(test, t->stage, stage);
		KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50) * (stage + 1));
	}

	gvt_sched_period(&t->rq, at(1000));
	KUNIT_EXPECT_EQ(test, t->stage, 0);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50));
	KUNIT_EXPECT_EQ(test, t->balances, 11);
}

static void debt_is_carried_until_stage_0(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	int stage;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, NULL, at(600));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50 - 600));

	/* stages 1 to 9, six of them late */
	for (stage = 1; stage < GVT_SCHED_STAGES; stage++) {
		gvt_sched_period(&t->rq, at(600 + 100 * stage));
		if (t->rq.stage == 0)
			break;
	}
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50 - 600 + 9 * 50));
	gvt_sched_period(&t->rq, t->rq.period_end);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50));
}

static void no_carry_over(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	sched_test_set(t, carry_over, false);
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, NULL, at(80));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(-30));

	gvt_sched_period(&t->rq, at(100));
	KUNIT_EXPECT_EQ(test, t->stage, 1);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50));
	KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(50));
}

static void leftover_is_bounded_debt_is_not(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	sched_test_set(t, leftover_max_ms, 20);
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, NULL, at(95));
	gvt_sched_period(&t->rq, at(100));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(50 - 45));
	KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(50 + 20));

	sched_test_set(t, leftover_max_ms, 0);
	gvt_sched_period(&t->rq, at(200));
	KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(50));
}

/* A tick that is less than 1 ms late delays the following periods */
static void strict_period_drifts_with_ticks(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 1);

	gvt_sched_period(&t->rq, at_us(100300));
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at_us(200300));
	gvt_sched_period(&t->rq, at_us(200299));
	KUNIT_EXPECT_EQ(test, t->balances, 2);
	gvt_sched_period(&t->rq, at_us(200300));
	KUNIT_EXPECT_EQ(test, t->balances, 3);
}

/* gvt_sched_period() hands out the slices of all periods missed while ticks were stopped */
static void strict_catches_up(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	gvt_sched_period(&t->rq, at(370));
	KUNIT_EXPECT_EQ(test, t->stage, 3);
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at(400));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(200));

	/* less than one period missed */
	gvt_sched_period(&t->rq, at(430));
	KUNIT_EXPECT_EQ(test, t->stage, 4);
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at(500));
}

/* gvt_sched_period() skips whole rounds of stages without shifting stage or period_end */
static void long_pauses_are_skipped(struct kunit *test)
{
	static const enum gvt_sched_policy policies[] = {
		GVT_SCHED_STRICT, GVT_SCHED_WORK_CONSERVING,
	};
	struct sched_test *t;
	int i;

	for (i = 0; i < ARRAY_SIZE(policies); i++) {
		t = sched_test_start(test, policies[i], 2);
		gvt_sched_period(&t->rq, at(24 * 3600 * 1000LL + 250));
		KUNIT_EXPECT_EQ(test, t->stage, 2);
		KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(150));
		KUNIT_EXPECT_EQ(test, t->rq.period_end, at(24 * 3600 * 1000LL + 300));
		KUNIT_EXPECT_LE(test, t->balances, 1 + 2 * GVT_SCHED_STAGES + 2);
	}
}

/* At a tick, upstream hands out slices before charging the time up to the tick */
static void strict_charges_a_tick_to_the_new_slice(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	gvt_sched_period(&t->rq, at(900));
	gvt_sched_switch(&t->rq, &t->e[0], at(900));
	sched_test_tick(t, at(999));
	sched_test_tick(t, at(1000));
	KUNIT_EXPECT_EQ(test, t->stage, 0);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(49));
}

/*
 * Upstream charges at ticks only: a workload that finishes between two ticks does not
 * split the time charged at the second tick.
 */
static void strict_charges_at_ticks_only(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_period(&t->rq, at(900));
	gvt_sched_switch(&t->rq, &t->e[0], at(900));
	sched_test_tick(t, at(999));
	gvt_sched_charge(&t->rq, &t->e[0], MS(1), at_us(999600));
	gvt_sched_dequeue(&t->rq, &t->e[0], at_us(999600));
	sched_test_tick(t, at(1000));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(49));
}

/* Strict */

static void strict_charges_all_time(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(3));
	sched_test_tick(t, at(10));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(40));
	KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(50));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, 0);
}

static void strict_idles_without_slice(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	struct gvt_sched_choice choice;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	choice = sched_test_tick(t, at(50) - 1);
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	choice = sched_test_tick(t, at(50));
	KUNIT_EXPECT_NULL(test, choice.next);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_SLICE);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);

	choice = sched_test_tick(t, at(100));
	KUNIT_EXPECT_NULL(test, choice.next);
	gvt_sched_switch(&t->rq, NULL, at(100));
	choice = sched_test_tick(t, at(200));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_IDLE);
}

static void strict_takes_turns(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 3);
	struct gvt_sched_choice choice;
	int i;

	for (i = 0; i < 3; i++)
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	for (i = 0; i < 7; i++) {
		choice = sched_test_tick(t, at(i));
		KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[i % 3]);
		KUNIT_EXPECT_EQ(test, choice.reason, i ? GVT_SWITCH_TURN : GVT_SWITCH_IDLE);
		gvt_sched_switch(&t->rq, choice.next, at(i));
	}

	/* a vGPU without work keeps its place */
	gvt_sched_dequeue(&t->rq, &t->e[1], at(7));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(7)), &t->e[2]);
	gvt_sched_switch(&t->rq, &t->e[2], at(7));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(8));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(8)), &t->e[1]);
}

static void boost_goes_first_until_it_ends(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);
	struct gvt_sched_choice choice;
	int i;

	sched_test_set(t, boost_ms, 2000);
	gvt_sched_add(&t->rq, &t->e[2], at(0));
	for (i = 0; i < 3; i++)
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	t->e[2].left_ns = MS(-1000);
	gvt_sched_switch(&t->rq, &t->e[0], at(1));

	/* a boosted vGPU is chosen without slice, and in every pick */
	for (i = 0; i < 3; i++) {
		choice = gvt_sched_pick(&t->rq, at(2000) - 1);
		KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[2]);
		KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_BOOST);
	}

	choice = gvt_sched_pick(&t->rq, at(2000));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_FALSE(test, t->e[2].boosted);
}

static void boost_does_not_cost_the_turn(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_STRICT, 2);

	sched_test_set(t, boost_ms, 5);
	gvt_sched_add(&t->rq, &t->e[2], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[2], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, next_at(t, at(1)), at(1));
	KUNIT_EXPECT_PTR_EQ(test, t->rq.current_entity, &t->e[2]);

	/* the boost has ended, but the vGPU still has its regular turn */
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(5)), &t->e[2]);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(6)), &t->e[0]);
}

static void no_boost_under_fair(struct kunit *test)
{
	struct sched_test *t = sched_test_new(test, GVT_SCHED_FAIR);

	sched_test_set(t, boost_ms, 2000);
	gvt_sched_add(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_FALSE(test, t->e[0].boosted);
}

/* Work-conserving */

static void borrowed_time_is_free(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);
	struct gvt_sched_choice choice;

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	choice = gvt_sched_pick(&t->rq, at(0));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_IDLE);
	gvt_sched_switch(&t->rq, &t->e[0], at(0));

	/* in one turn the vGPU uses up its slice, then borrows */
	gvt_sched_account(&t->rq, at(80));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, 0);
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(30));

	gvt_sched_switch(&t->rq, NULL, at(80));
	choice = gvt_sched_pick(&t->rq, at(80));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_BORROW);
}

static void borrower_pays_while_entitled_vgpu_waits(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 3);

	t->e[0].left_ns = 0;
	t->e[2].left_ns = MS(-5);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));

	/* the borrower does not pay while only a vGPU without slice waits */
	gvt_sched_enqueue(&t->rq, &t->e[2], at(10));
	gvt_sched_account(&t->rq, at(20));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(20));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, 0);

	gvt_sched_enqueue(&t->rq, &t->e[1], at(25));
	gvt_sched_account(&t->rq, at(40));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(25));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(-15));

	/* time is borrowed again once no vGPU with slice has work */
	gvt_sched_dequeue(&t->rq, &t->e[1], at(45));
	gvt_sched_account(&t->rq, at(50));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(30));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(-20));
}

static void borrower_pays_while_boosted_vgpu_waits(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 1);

	t->e[0].left_ns = 0;
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	sched_test_set(t, boost_ms, 100);
	gvt_sched_add(&t->rq, &t->e[1], at(0));
	t->e[1].left_ns = 0;
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	gvt_sched_account(&t->rq, at(10));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(-10));
}

/* The borrower does not pay while only a vGPU throttled by its cap waits */
static void borrower_ignores_throttled_vgpu(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_set_cap(&t->rq, &t->e[1], 10, at(0));
	gvt_sched_charge(&t->rq, &t->e[1], MS(30), at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	t->e[0].left_ns = 0;
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_account(&t->rq, at(10));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(10));

	/* nor at the end of a period that precedes the cap's last charge */
	gvt_sched_charge(&t->rq, &t->e[1], MS(30), at(150));
	gvt_sched_period(&t->rq, at(151));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(100));
}

static void idle_time_is_not_charged(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(3));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(8));
	gvt_sched_account(&t->rq, at(10));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(45));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, 0);
}

/* Except with exclusive dispatch, which charges slices for the host's time, too */
static void host_time_extends_the_period(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_host_used(&t->rq, MS(30), at(40));
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at(100));

	sched_test_set(t, dispatch, GVT_DISPATCH_PER_ENGINE);
	gvt_sched_host_used(&t->rq, MS(30), at(80));
	gvt_sched_period(&t->rq, at(129));
	KUNIT_EXPECT_EQ(test, t->stage, 0);
	gvt_sched_period(&t->rq, at(130));
	KUNIT_EXPECT_EQ(test, t->stage, 1);
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at(230));
}

static void slice_is_handed_out_during_workload(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));

	/* 50 ms of the first slice, 50 ms borrowed, 50 ms of the second slice, 10 ms borrowed */
	gvt_sched_pick(&t->rq, at(160));
	KUNIT_EXPECT_EQ(test, t->stage, 1);
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, 0);
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(60));
	KUNIT_EXPECT_EQ(test, t->e[1].left_ns, MS(100));
	KUNIT_EXPECT_EQ(test, t->rq.period_end, at(200));
}

/* Time is charged to the slice of its own period */
static void time_is_charged_to_its_own_period(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	sched_test_set(t, carry_over, false);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(80));
	gvt_sched_switch(&t->rq, &t->e[0], at(80));

	/* 20 ms of the first slice, with 30 ms lost, 50 ms of the second, 10 ms borrowed */
	gvt_sched_pick(&t->rq, at(160));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, 0);
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(10));
}

/* gvt_sched_enqueue() hands out the slices of ended periods before it charges later time */
static void enqueue_accounts_for_ended_periods(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(155));
	gvt_sched_pick(&t->rq, at(160));
	KUNIT_EXPECT_EQ(test, t->e[0].borrowed_ns, MS(55));
	KUNIT_EXPECT_EQ(test, t->e[0].left_ns, MS(-5));
}

static void entitled_goes_before_borrower(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 3);
	struct gvt_sched_choice choice;

	t->e[0].left_ns = 0;
	t->e[1].left_ns = MS(-90);
	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[2], at(0));
	choice = gvt_sched_pick(&t->rq, at(0));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[2]);
	gvt_sched_switch(&t->rq, &t->e[2], at(0));
	gvt_sched_dequeue(&t->rq, &t->e[2], at(1));

	/* borrowers take turns, whatever their debt */
	choice = gvt_sched_pick(&t->rq, at(1));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[0]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_BORROW);
	gvt_sched_switch(&t->rq, &t->e[0], at(1));
	choice = gvt_sched_pick(&t->rq, at(3));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
}

static void turn_is_kept_for_a_millisecond(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	gvt_sched_switch(&t->rq, next_at(t, at(0)), at(0));
	KUNIT_EXPECT_PTR_EQ(test, t->rq.current_entity, &t->e[0]);

	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(999)), &t->e[0]);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(1000)), &t->e[1]);
}

static void turn_ends_early(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);

	gvt_sched_enqueue(&t->rq, &t->e[0], at(0));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(0));
	gvt_sched_switch(&t->rq, next_at(t, at(0)), at(0));

	/* only the other vGPU has slice left */
	t->e[0].left_ns = US(500);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(500)), &t->e[1]);
	/* neither has slice left: the current vGPU keeps its turn */
	t->e[1].left_ns = 0;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(600)), &t->e[0]);
	/* the other vGPU is boosted */
	t->e[0].left_ns = MS(50);
	t->e[1].boosted = true;
	t->e[1].boost_until = at(1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(700)), &t->e[1]);
	t->e[1].boosted = false;
	/* the current vGPU has no work */
	t->e[1].left_ns = MS(50);
	gvt_sched_dequeue(&t->rq, &t->e[0], at_us(800));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(800)), &t->e[1]);
}

/* A repeated gvt_sched_pick() does not cost the chosen vGPU its turn */
static void repeated_pick_changes_nothing(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 3);
	int i;

	for (i = 0; i < 3; i++)
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	gvt_sched_switch(&t->rq, next_at(t, at(0)), at(0));
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(5 + i)), &t->e[1]);
	gvt_sched_switch(&t->rq, &t->e[1], at(10));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(11)), &t->e[2]);
}

static void no_vgpu_has_work(struct kunit *test)
{
	struct sched_test *t = sched_test_start(test, GVT_SCHED_WORK_CONSERVING, 2);
	struct gvt_sched_choice choice = gvt_sched_pick(&t->rq, at(1));

	KUNIT_EXPECT_NULL(test, choice.next);
	KUNIT_EXPECT_EQ(test, choice.wake_at, 0);
}

/* Reasons for a switch */

static void reasons(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, gvt_switch_reason(false, 1, true), GVT_SWITCH_IDLE);
	KUNIT_EXPECT_EQ(test, gvt_switch_reason(true, 1, true), GVT_SWITCH_BOOST);
	KUNIT_EXPECT_EQ(test, gvt_switch_reason(true, 1, false), GVT_SWITCH_TURN);
	KUNIT_EXPECT_EQ(test, gvt_switch_reason(true, 0, false), GVT_SWITCH_SLICE);
	KUNIT_EXPECT_EQ(test, gvt_switch_reason(true, -1, false), GVT_SWITCH_SLICE);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(slices_follow_weights),
	KUNIT_CASE(slices_follow_nice),
	KUNIT_CASE(slices_follow_period),
	KUNIT_CASE(leftover_is_carried_for_ten_stages),
	KUNIT_CASE(debt_is_carried_until_stage_0),
	KUNIT_CASE(no_carry_over),
	KUNIT_CASE(leftover_is_bounded_debt_is_not),
	KUNIT_CASE(strict_period_drifts_with_ticks),
	KUNIT_CASE(strict_catches_up),
	KUNIT_CASE(long_pauses_are_skipped),
	KUNIT_CASE(strict_charges_a_tick_to_the_new_slice),
	KUNIT_CASE(strict_charges_at_ticks_only),
	KUNIT_CASE(strict_charges_all_time),
	KUNIT_CASE(strict_idles_without_slice),
	KUNIT_CASE(strict_takes_turns),
	KUNIT_CASE(boost_goes_first_until_it_ends),
	KUNIT_CASE(boost_does_not_cost_the_turn),
	KUNIT_CASE(no_boost_under_fair),
	KUNIT_CASE(borrowed_time_is_free),
	KUNIT_CASE(borrower_pays_while_entitled_vgpu_waits),
	KUNIT_CASE(borrower_pays_while_boosted_vgpu_waits),
	KUNIT_CASE(borrower_ignores_throttled_vgpu),
	KUNIT_CASE(idle_time_is_not_charged),
	KUNIT_CASE(host_time_extends_the_period),
	KUNIT_CASE(slice_is_handed_out_during_workload),
	KUNIT_CASE(time_is_charged_to_its_own_period),
	KUNIT_CASE(enqueue_accounts_for_ended_periods),
	KUNIT_CASE(entitled_goes_before_borrower),
	KUNIT_CASE(turn_is_kept_for_a_millisecond),
	KUNIT_CASE(turn_ends_early),
	KUNIT_CASE(repeated_pick_changes_nothing),
	KUNIT_CASE(no_vgpu_has_work),
	KUNIT_CASE(reasons),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_slice",
	.test_cases = cases,
};

kunit_test_suite(suite);
