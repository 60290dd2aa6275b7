// SPDX-License-Identifier: GPL-2.0-only
/* Differences between the dispatch modes. The other suites include the tested units. */

#include <linux/math64.h>

#include "sched_test.h"

/* vruntime of a vGPU of weight 2 and nice 0: 8 units per nanosecond */
#define VTIME_NS(ns) ((ns) * 8)

static bool shared(const struct sched_test_mode *mode)
{
	return mode->dispatch != GVT_DISPATCH_EXCLUSIVE;
}

static bool preemptive(const struct sched_test_mode *mode)
{
	return mode->dispatch == GVT_DISPATCH_PREEMPTIVE;
}

static bool fair(const struct sched_test_mode *mode)
{
	return mode->policy == GVT_SCHED_FAIR;
}

static bool strict(const struct sched_test_mode *mode)
{
	return mode->policy == GVT_SCHED_STRICT;
}

/* Parameters of the test cases */

static const struct sched_test_mode all_modes[] = {
	MODE(STRICT, EXCLUSIVE), MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE),
	MODE(WORK_CONSERVING, EXCLUSIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE), MODE(FAIR, EXCLUSIVE), MODE(FAIR, PER_ENGINE),
	MODE(FAIR, PREEMPTIVE),
};

static const struct sched_test_mode shared_modes[] = {
	MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

static const struct sched_test_mode preemptive_modes[] = {
	MODE(STRICT, PREEMPTIVE), MODE(WORK_CONSERVING, PREEMPTIVE), MODE(FAIR, PREEMPTIVE),
};

static const struct sched_test_mode fair_modes[] = {
	MODE(FAIR, EXCLUSIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

static const struct sched_test_mode strict_modes[] = {
	MODE(STRICT, EXCLUSIVE), MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE),
};

static const struct sched_test_mode slices_modes[] = {
	MODE(STRICT, EXCLUSIVE), MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE),
	MODE(WORK_CONSERVING, EXCLUSIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE),
};

static const struct sched_test_mode slices_shared_modes[] = {
	MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE),
};

static const struct sched_test_mode on_events_modes[] = {
	MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE), MODE(WORK_CONSERVING, EXCLUSIVE),
	MODE(WORK_CONSERVING, PER_ENGINE), MODE(WORK_CONSERVING, PREEMPTIVE),
	MODE(FAIR, EXCLUSIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

KUNIT_ARRAY_PARAM(slice_policy, sched_test_slice_policies, sched_test_name_policy);
KUNIT_ARRAY_PARAM(all, all_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(shared, shared_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(preemptive, preemptive_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(fair, fair_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(strict, strict_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(slices, slices_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(slices_shared, slices_shared_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(on_events, on_events_modes, sched_test_name_mode);

/* All vGPUs have work and can be preempted; no turn has begun */
static struct sched_test *start(struct kunit *test, enum gvt_sched_policy policy,
				enum gvt_sched_dispatch dispatch, u32 vgpus)
{
	struct sched_test *t = sched_test_start(test, policy, vgpus);
	u32 i;

	sched_test_set(t, dispatch, dispatch);
	for (i = 0; i < vgpus; i++) {
		t->e[i].preemptible = true;
		gvt_sched_enqueue(&t->rq, &t->e[i], at(0));
	}

	return t;
}

static struct sched_test *start_mode(struct kunit *test, u32 vgpus)
{
	return start(test, sched_test_mode(test)->policy, sched_test_mode(test)->dispatch, vgpus);
}

/* Begin a vGPU's turn, and charge the execution time of an unfinished workload */
static void execute(struct sched_test *t, struct gvt_sched_entity *e, u64 from, u64 to)
{
	gvt_sched_switch(&t->rq, e, from);
	gvt_sched_used(&t->rq, e, to - from, to);
}

static struct gvt_sched_entity *next_at(struct sched_test *t, u64 now)
{
	return gvt_sched_pick(&t->rq, now).next;
}

static s64 wake_after(struct sched_test *t, u64 now)
{
	u64 wake_at = gvt_sched_pick(&t->rq, now).wake_at;

	return wake_at ? wake_at - now : 0;
}

static void expect_ahead(struct kunit *test, struct sched_test *t, u64 now,
			 const struct gvt_sched_entity *next,
			 enum gvt_switch_reason reason)
{
	struct gvt_sched_choice ahead = gvt_sched_ahead(&t->rq, now);

	KUNIT_EXPECT_PTR_EQ(test, ahead.next, next);
	if (next)
		KUNIT_EXPECT_EQ(test, ahead.reason, reason);
}

/* Names and properties of the modes */

static void names(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, gvt_sched_dispatch_name(GVT_DISPATCH_EXCLUSIVE), "exclusive");
	KUNIT_EXPECT_STREQ(test, gvt_sched_dispatch_name(GVT_DISPATCH_PER_ENGINE), "per-engine");
	KUNIT_EXPECT_STREQ(test, gvt_sched_dispatch_name(GVT_DISPATCH_PREEMPTIVE), "preemptive");
}

static void properties(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 1);
	struct gvt_sched_entity *e = &t->e[0];

	KUNIT_EXPECT_EQ(test, gvt_sched_is_shared(&t->rq), shared(mode));
	KUNIT_EXPECT_EQ(test, gvt_sched_is_preemptive(&t->rq), preemptive(mode));
	KUNIT_EXPECT_EQ(test, gvt_sched_on_ticks(&t->rq), strict(mode) && !shared(mode));
	KUNIT_EXPECT_EQ(test, t->rq.mode.turn_ns,
			mode->dispatch == GVT_DISPATCH_PER_ENGINE ? 0 : MS(1));

	KUNIT_EXPECT_EQ(test, gvt_sched_fills_gaps(&t->rq, e, at(0)),
			preemptive(mode) && !strict(mode));
	e->cap = 99;
	KUNIT_EXPECT_FALSE(test, gvt_sched_fills_gaps(&t->rq, e, at(0)));
	e->cap = 0;
	e->preemptible = false;
	KUNIT_EXPECT_FALSE(test, gvt_sched_fills_gaps(&t->rq, e, at(0)));
}

/* Charging */

/* Exclusive dispatch charges a slice for the turn, other modes for the reported execution time */
static void execution_is_charged(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	gvt_sched_switch(&t->rq, e, at(0));
	gvt_sched_account(&t->rq, at(10));
	KUNIT_EXPECT_EQ(test, e->left_ns,
			MS(50) - (shared(mode) || fair(mode) ? 0 : MS(10)));
	gvt_sched_used(&t->rq, e, MS(4), at(10));
	if (!fair(mode))
		KUNIT_EXPECT_EQ(test, e->left_ns, MS(50) - (shared(mode) ? MS(4) : MS(10)));
	else
		KUNIT_EXPECT_EQ(test, e->vruntime, VTIME_NS(MS(4)));
	gvt_sched_charge(&t->rq, e, MS(3), at(13));
	gvt_sched_switch(&t->rq, NULL, at(13));
	if (!fair(mode))
		KUNIT_EXPECT_EQ(test, e->left_ns, MS(50) - (shared(mode) ? MS(7) : MS(13)));
	else
		/* including the idle time in the turn */
		KUNIT_EXPECT_EQ(test, e->vruntime, VTIME_NS(MS(13)));
}

/* A removed vGPU's charge is negative if an earlier charge included time on other engines */
static void negative_charge_after_removal(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity before, *e = &t->e[0];
	u64 min_vruntime = t->rq.min_vruntime;

	gvt_sched_set_cap(&t->rq, e, 50, at(0));
	execute(t, e, at(0), at(10));
	gvt_sched_remove(&t->rq, e, at(10));
	before = *e;
	gvt_sched_charge(&t->rq, e, -MS(5), at(20));
	KUNIT_EXPECT_EQ(test, e->vruntime, before.vruntime);
	KUNIT_EXPECT_EQ(test, e->service.samples, before.service.samples);
	KUNIT_EXPECT_EQ(test, e->left_ns, before.left_ns);
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, before.cap_left_ns);
	KUNIT_EXPECT_EQ(test, t->rq.min_vruntime, min_vruntime);
	/* the vGPU's next workload starts from 0 */
	KUNIT_EXPECT_EQ(test, e->served_ns, 0);
}

/* Resets do not hide how long a vGPU's workloads take */
static void removed_vgpu_is_learned_from(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	gvt_sched_enqueue(&t->rq, e, at(0));
	gvt_sched_remove(&t->rq, e, at(10));
	gvt_sched_charge(&t->rq, e, MS(40), at(40));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->service),
			fair(sched_test_mode(test)) ? MS(40) : 0);
	KUNIT_EXPECT_EQ(test, e->served_ns, 0);
}

static void pieces_add_up_to_a_workload(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	execute(t, e, at(0), at(4));
	execute(t, e, at(10), at(15));
	KUNIT_EXPECT_EQ(test, e->served_ns, MS(9));
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->service), 0);
	gvt_sched_charge(&t->rq, e, MS(3), at(18));
	KUNIT_EXPECT_EQ(test, e->served_ns, 0);
	KUNIT_EXPECT_EQ(test, gvt_sched_mean_ns(&e->service),
			fair(sched_test_mode(test)) ? MS(12) : 0);

	/* a change of policy resets the time of the unfinished workload */
	gvt_sched_used(&t->rq, e, MS(2), at(20));
	gvt_sched_begin_anew(&t->rq, at(20));
	KUNIT_EXPECT_EQ(test, e->served_ns, 0);
}

/* Any execution ends a wait; with exclusive dispatch, only a finished workload does */
static void executing_is_not_waiting(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	execute(t, e, at(0), at(400));
	KUNIT_EXPECT_EQ(test, e->wait_since, shared(sched_test_mode(test)) ? at(400) : at(0));
	gvt_sched_used(&t->rq, e, 0, at(500));
	KUNIT_EXPECT_EQ(test, e->wait_since, shared(sched_test_mode(test)) ? at(400) : at(0));
	gvt_sched_charge(&t->rq, e, 0, at(600));
	KUNIT_EXPECT_EQ(test, e->wait_since, at(600));
}

static void caps_count_unfinished_workloads(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	/* a bucket of 20 ms, full at first: charged 10 ms, then filled by 3 ms and charged 15 ms */
	gvt_sched_set_cap(&t->rq, e, 20, at(0));
	execute(t, e, at(0), at(10));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(20) - MS(10));
	gvt_sched_used(&t->rq, e, MS(15), at(25));
	KUNIT_EXPECT_EQ(test, e->cap_left_ns, MS(10) + MS(3) - MS(15));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(25)), &t->e[1]);
}

/* Unless decisions are made at ticks, any event after the end of a period hands out slices */
static void events_hand_out_slices(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 2);

	gvt_sched_dequeue(&t->rq, &t->e[1], at(1));
	gvt_sched_enqueue(&t->rq, &t->e[1], at_us(100300));
	KUNIT_EXPECT_EQ(test, t->balances, strict(mode) && !shared(mode) ? 1 : 2);
	gvt_sched_period(&t->rq, at_us(100400));
	KUNIT_EXPECT_EQ(test, t->balances, 2);
	KUNIT_EXPECT_EQ(test, t->rq.period_end,
			strict(mode) && !shared(mode) ? at_us(200400) : at(200));
}

static void borrowed_execution_is_free(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	/* 50 ms of slice, 10 ms with the other vGPU idle, 5 ms with the other vGPU waiting */
	gvt_sched_dequeue(&t->rq, &t->e[1], at(0));
	execute(t, e, at(0), at(60));
	KUNIT_EXPECT_EQ(test, e->left_ns, strict(mode) ? -MS(10) : 0);
	KUNIT_EXPECT_EQ(test, e->borrowed_ns, strict(mode) ? 0 : MS(10));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(60));
	gvt_sched_used(&t->rq, e, MS(5), at(65));
	KUNIT_EXPECT_EQ(test, e->left_ns, strict(mode) ? -MS(15) : -MS(5));
	KUNIT_EXPECT_EQ(test, e->borrowed_ns, strict(mode) ? 0 : MS(10));
}

/* Turns */

static void turn_is_kept(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 2);

	execute(t, &t->e[0], at(0), at_us(999));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(999)),
			    &t->e[mode->dispatch == GVT_DISPATCH_PER_ENGINE]);
	gvt_sched_used(&t->rq, &t->e[0], US(1), at_us(1000));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(1000)), &t->e[1]);
}

/* When to decide again, with two vGPUs that have work and are level */

static void wake_up_only_to_preempt(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);

	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)),
			preemptive(sched_test_mode(test)) ? MS(1) : 0);
}

static void wake_up_at_the_end_of_a_turn(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	execute(t, e, at(0), at_us(400));
	KUNIT_EXPECT_EQ(test, wake_after(t, at_us(400)), US(600));
	/* no timer sooner than GVT_SCHED_LEAST_TURN_NS */
	gvt_sched_used(&t->rq, e, US(550), at_us(950));
	KUNIT_EXPECT_EQ(test, wake_after(t, at_us(950)), US(100));

	/* no wake-up if the workload cannot be preempted, or no other vGPU has work */
	e->preemptible = false;
	KUNIT_EXPECT_EQ(test, wake_after(t, at_us(950)), 0);
	e->preemptible = true;
	gvt_sched_dequeue(&t->rq, &t->e[1], at_us(950));
	KUNIT_EXPECT_EQ(test, wake_after(t, at_us(950)), 0);
}

static void wake_up_when_a_cap_is_used_up(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[0];

	/* the cap leaves 0.7 ms, then less than the shortest timer */
	gvt_sched_set_cap(&t->rq, e, 10, at(0));
	e->cap_left_ns = US(700);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), US(700));
	gvt_sched_switch(&t->rq, e, at(0));
	e->cap_left_ns = US(30);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), US(100));
}

static void wake_up_for_throttled_vgpu(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);

	/* a bucket of 10 % fills from -3 ms to a turn of 1 ms in 40 ms */
	gvt_sched_set_cap(&t->rq, &t->e[1], 10, at(0));
	t->e[1].cap_left_ns = -MS(3);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), MS(40) + 1);
}

/* Slices */

static void wake_up_at_the_end_of_a_slice(struct kunit *test)
{
	struct sched_test *t = start(test, sched_test_policy(test), GVT_DISPATCH_PREEMPTIVE, 2);

	t->e[0].left_ns = US(300);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), US(300));
	/* the slice ends, not the turn: the other vGPU has no slice left */
	t->e[0].left_ns = MS(30);
	t->e[1].left_ns = 0;
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), MS(30));
	/* the period ends before the slice */
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	t->e[0].left_ns = MS(500);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(40)), MS(60));
}

static void wake_up_borrower_at_end_of_period(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_WORK_CONSERVING,
				     GVT_DISPATCH_PREEMPTIVE, 2);

	t->e[0].left_ns = 0;
	t->e[1].left_ns = -MS(1);
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_pick(&t->rq, at(30));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(30)), &t->e[1]);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(30)), MS(70));
}

/* Without slices, wake up at the end of the period, unless ticks notice it anyway */
static void wake_up_strict_at_end_of_period(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 2);

	t->e[0].left_ns = 0;
	t->e[1].left_ns = 0;
	KUNIT_EXPECT_NULL(test, next_at(t, at(20)));
	KUNIT_EXPECT_EQ(test, wake_after(t, at(20)), shared(mode) ? MS(80) : 0);

	/* or when throttling ends, if sooner: 40 ms from -3 ms to a turn of 1 ms at 10 % */
	t->e[1].left_ns = MS(1);
	gvt_sched_set_cap(&t->rq, &t->e[1], 10, at(20));
	t->e[1].cap_left_ns = -MS(3);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(20)), MS(40) + 1);
	t->e[1].cap_left_ns = -MS(9);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(20)), shared(mode) ? MS(80) : MS(100) + 1);

	gvt_sched_dequeue(&t->rq, &t->e[0], at(20));
	gvt_sched_dequeue(&t->rq, &t->e[1], at(20));
	KUNIT_EXPECT_EQ(test, wake_after(t, at(20)), 0);
}

/* Neither the turn nor the slice of a boosted vGPU ends during the boost */
static void boost_outlasts_turn_and_slice(struct kunit *test)
{
	struct sched_test *t = start(test, sched_test_policy(test), GVT_DISPATCH_PREEMPTIVE, 2);
	struct gvt_sched_entity *e = &t->e[0];

	e->boosted = true;
	e->boost_until = at(70);
	e->left_ns = US(10);
	gvt_sched_switch(&t->rq, e, at(0));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(5)), e);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(5)), MS(65));
	e->boost_until = at(2000);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(5)), MS(95));
	/* the boost is over, and so is the turn */
	e->boost_until = at(5);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(5)), US(100));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(5)), &t->e[1]);
}

/* gvt_sched_ahead() and gvt_sched_before() */

static void entitled_vgpu_is_ahead(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);

	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	expect_ahead(test, t, at(0), &t->e[1], GVT_SWITCH_TURN);
	t->e[0].left_ns = 0;
	expect_ahead(test, t, at(0), &t->e[1], GVT_SWITCH_SLICE);
	t->e[1].boosted = true;
	t->e[1].boost_until = at(1);
	expect_ahead(test, t, at(0), &t->e[1], GVT_SWITCH_BOOST);
	t->e[1].boosted = false;
	gvt_sched_dequeue(&t->rq, &t->e[0], at(0));
	expect_ahead(test, t, at(0), &t->e[1], GVT_SWITCH_IDLE);

	gvt_sched_set_cap(&t->rq, &t->e[1], 10, at(0));
	t->e[1].cap_left_ns = 0;
	expect_ahead(test, t, at(0), NULL, 0);
	gvt_sched_set_cap(&t->rq, &t->e[1], 0, at(0));
	gvt_sched_dequeue(&t->rq, &t->e[1], at(0));
	expect_ahead(test, t, at(0), NULL, 0);
}

static void borrower_is_ahead_after_slice(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);
	bool borrows = sched_test_mode(test)->policy == GVT_SCHED_WORK_CONSERVING;

	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	t->e[1].left_ns = 0;
	t->e[0].left_ns = 1;
	expect_ahead(test, t, at(0), NULL, 0);
	t->e[0].left_ns = 0;
	expect_ahead(test, t, at(0), borrows ? &t->e[1] : NULL, GVT_SWITCH_BORROW);
}

/* A workload that cannot be preempted is not submitted behind a preemptible one */
static void no_blocking_workload_ahead(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);

	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_PTR_EQ(test, gvt_sched_ahead(&t->rq, at(0)).next, &t->e[1]);
	t->e[1].preemptible = false;
	KUNIT_EXPECT_PTR_EQ(test, gvt_sched_ahead(&t->rq, at(0)).next,
			    preemptive(sched_test_mode(test)) ? NULL : &t->e[1]);
	t->e[0].preemptible = false;
	KUNIT_EXPECT_PTR_EQ(test, gvt_sched_ahead(&t->rq, at(0)).next, &t->e[1]);
	t->e[1].preemptible = true;
	KUNIT_EXPECT_PTR_EQ(test, gvt_sched_ahead(&t->rq, at(0)).next, &t->e[1]);
}

static void fair_ahead_expects_rest_of_workload(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PER_ENGINE, 2);
	struct gvt_sched_entity *e = &t->e[0], *other = &t->e[1];

	expect_ahead(test, t, at(0), NULL, 0);

	/* 4 ms executed of an expected 10 ms */
	sched_test_set_mean(&e->service, MS(10));
	execute(t, e, at(0), at(4));
	other->vruntime = VTIME_NS(MS(10));
	expect_ahead(test, t, at(4), other, GVT_SWITCH_OWED);
	other->vruntime++;
	expect_ahead(test, t, at(4), NULL, 0);

	/* a workload that has taken longer than expected may end at any time */
	gvt_sched_used(&t->rq, e, MS(8), at(12));
	other->vruntime = VTIME_NS(MS(12));
	expect_ahead(test, t, at(12), other, GVT_SWITCH_OWED);
	other->vruntime++;
	expect_ahead(test, t, at(12), NULL, 0);

	other->vruntime = 0;
	gvt_sched_set_cap(&t->rq, other, 10, at(12));
	other->cap_left_ns = 0;
	expect_ahead(test, t, at(12), NULL, 0);
	gvt_sched_set_cap(&t->rq, other, 0, at(12));
	gvt_sched_dequeue(&t->rq, other, at(12));
	expect_ahead(test, t, at(12), NULL, 0);
}

/* The first vGPU pauses for 2 ms and is owed 50 ms; the second vGPU has work */
static void expect_first(struct sched_test *t, u64 now)
{
	struct gvt_sched_entity *e = &t->e[0];

	gvt_sched_dequeue(&t->rq, e, now);
	e->think.samples = 2;
	sched_test_set_pause(e, MS(2));
	sched_test_set_run(e, MS(5));
	sched_test_set_mean(&t->e[1].service, MS(50));
	t->e[1].vruntime = e->vruntime + VTIME_NS(MS(50));
}

static void fair_ahead_waits_for_expected_vgpu(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 3);
	const struct sched_test_mode *mode = sched_test_mode(test);

	gvt_sched_switch(&t->rq, &t->e[2], at(0));
	gvt_sched_used(&t->rq, &t->e[2], MS(50), at(50));
	expect_first(t, at(50));
	expect_ahead(test, t, at(50), preemptive(mode) ? &t->e[1] : NULL, GVT_SWITCH_OWED);
	t->e[1].preemptible = false;
	t->e[2].preemptible = false;
	expect_ahead(test, t, at(50), NULL, 0);
	t->e[0].think.samples = 0;
	expect_ahead(test, t, at(50), &t->e[1], GVT_SWITCH_OWED);
}

/* No workload is put behind one of 20 ms while another vGPU is expected back after 12 ms */
static void no_workload_ahead_of_expected_vgpu(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PER_ENGINE, 3);
	struct gvt_sched_entity *e = &t->e[0], *turn = &t->e[1], *other = &t->e[2];

	gvt_sched_dequeue(&t->rq, e, at(0));
	sched_test_set_mean(&e->think, MS(12));
	sched_test_set_mean(&turn->service, MS(20));
	sched_test_set_mean(&other->service, MS(20));
	execute(t, turn, at(0), at(1));
	t->rq.executing = true;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), turn);
	expect_ahead(test, t, at(1), NULL, 0);

	/* unless the vGPU is expected after the workload's end, or is late already */
	sched_test_set_mean(&e->think, MS(21));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), other);
	sched_test_set_mean(&e->think, MS(1));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), other);
	expect_ahead(test, t, at(1), other, GVT_SWITCH_OWED);

	/* unless the workload behind is short */
	sched_test_set_mean(&e->think, MS(12));
	sched_test_set_mean(&other->service, GVT_SCHED_TURN_NS - 1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), other);

	/* unless the workloads can be preempted */
	sched_test_set_mean(&other->service, MS(20));
	sched_test_set(t, dispatch, GVT_DISPATCH_PREEMPTIVE);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), other);
}

static void fair_order(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);
	struct gvt_sched_entity *a = &t->e[0], *b = &t->e[1];

	b->vruntime = 1;
	KUNIT_EXPECT_TRUE(test, gvt_sched_before(&t->rq, a, b, at(0)));
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, b, a, at(0)));
	a->vruntime = 1;
	sched_test_set_mean(&b->service, 1);
	KUNIT_EXPECT_TRUE(test, gvt_sched_before(&t->rq, a, b, at(0)));
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, b, a, at(0)));
	sched_test_set_mean(&a->service, 1);
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, a, b, at(0)));
}

static void slice_order(struct kunit *test)
{
	struct sched_test *t = start(test, sched_test_policy(test), GVT_DISPATCH_PREEMPTIVE, 2);
	struct gvt_sched_entity *a = &t->e[0], *b = &t->e[1];

	KUNIT_EXPECT_TRUE(test, gvt_sched_before(&t->rq, a, b, at(0)));
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, b, a, at(0)));
	a->left_ns = 0;
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, a, b, at(0)));
	KUNIT_EXPECT_TRUE(test, gvt_sched_before(&t->rq, b, a, at(0)));
	a->boosted = true;
	a->boost_until = at(1);
	KUNIT_EXPECT_TRUE(test, gvt_sched_before(&t->rq, a, b, at(0)));
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, a, b, at(1)));

	/* a vGPU goes last once its turn has begun */
	a->left_ns = 1;
	a->boosted = false;
	gvt_sched_switch(&t->rq, a, at(1));
	KUNIT_EXPECT_FALSE(test, gvt_sched_before(&t->rq, a, b, at(1)));
	KUNIT_EXPECT_TRUE(test, gvt_sched_before(&t->rq, b, a, at(1)));
}

/* Fair */

/* After a long pause a vGPU is owed its share of 100 ms */
static void long_pause_is_owed_share_of_100_ms(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 3);
	u64 owed_ns;

	gvt_sched_dequeue(&t->rq, &t->e[1], at(0));
	gvt_sched_dequeue(&t->rq, &t->e[2], at(0));
	gvt_sched_set_nice(&t->rq, &t->e[2], 10);
	execute(t, &t->e[0], at(0), at(300));
	gvt_sched_charge(&t->rq, &t->e[0], 0, at(300));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(300));
	KUNIT_EXPECT_EQ(test, t->e[1].vruntime, VTIME_NS(MS(250)));
	/* a share of 220 beside two of 2048; the mean of 300 ms and 250 ms is 275 ms */
	owed_ns = MS(100) * 220 / (220 + 2 * 2048);
	gvt_sched_enqueue(&t->rq, &t->e[2], at(300));
	KUNIT_EXPECT_EQ(test, t->e[2].vruntime, VTIME_NS(MS(275)) - owed_ns * 16384 / 220);
}

/*
 * A vGPU that comes back while a workload runs to completion is placed level with the start of
 * that workload, less the time owed for the pause
 */
static void placed_level_with_start_of_workload(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);

	t->e[0].preemptible = false;
	gvt_sched_dequeue(&t->rq, &t->e[1], at(0));
	execute(t, &t->e[0], at(0), at(300));
	gvt_sched_charge(&t->rq, &t->e[0], 0, at(300));
	execute(t, &t->e[0], at(300), at(400));
	gvt_sched_enqueue(&t->rq, &t->e[1], at(400));
	KUNIT_EXPECT_EQ(test, t->e[1].vruntime, VTIME_NS(MS(250)));
}

/* Credit in us after a usual pause of 5 ms, when the other vGPU has had 100 ms */
static u64 credit_us(struct kunit *test, u64 service_ns)
{
	struct sched_test *t = start_mode(test, 2);
	struct gvt_sched_entity *e = &t->e[1];

	sched_test_set_mean(&e->think, MS(5));
	sched_test_set_mean(&e->service, service_ns);
	gvt_sched_dequeue(&t->rq, e, at(0));
	t->e[0].vruntime = VTIME_NS(MS(100));
	t->rq.min_vruntime = VTIME_NS(MS(100));
	gvt_sched_enqueue(&t->rq, e, at(5));
	return div_u64(VTIME_NS(MS(100)) - e->vruntime, VTIME_NS(NSEC_PER_USEC));
}

/* The credit is a pause plus up to four turns; less if the pause is short beside workloads */
static void pause_is_credited(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, credit_us(test, MS(1)), 9000);
	KUNIT_EXPECT_EQ(test, credit_us(test, MS(80)), 9000);
	KUNIT_EXPECT_EQ(test, credit_us(test, MS(120)), 5000);
	KUNIT_EXPECT_EQ(test, credit_us(test, MS(160)), 0);
	KUNIT_EXPECT_EQ(test, credit_us(test, MS(800)), 0);
}

/*
 * A vGPU whose workloads of 120 ms finish rather than being preempted fills no gaps, until a
 * workload is preempted again
 */
static void one_preemption_restores_gap_filling(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);
	struct gvt_sched_entity *e = &t->e[0];
	int i;

	sched_test_set_mean(&e->service, MS(120));
	gvt_sched_handed_over(e, US(10), false);
	KUNIT_EXPECT_TRUE(test, gvt_sched_fills_gaps(&t->rq, e, at(0)));
	for (i = 0; i < 100; i++)
		gvt_sched_handed_over(e, US(10), true);
	KUNIT_EXPECT_FALSE(test, gvt_sched_fills_gaps(&t->rq, e, at(0)));
	gvt_sched_handed_over(e, US(10), false);
	KUNIT_EXPECT_TRUE(test, gvt_sched_fills_gaps(&t->rq, e, at(0)));
}

/* Whether to wait for the first of two vGPUs, if the other's preempt latency is @way_ns */
static bool would_wait(struct sched_test *t, u64 way_ns)
{
	sched_test_set_mean(&t->e[1].way, way_ns);
	return gvt_sched_would_wait(&t->rq, &t->e[1], at(0));
}

/* A vGPU whose next workload is on its way to the engine, and which never pauses */
static void would_wait_for_owed_vgpu(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);

	t->e[1].vruntime = VTIME_NS(MS(20));
	KUNIT_EXPECT_TRUE(test, would_wait(t, MS(1)));
	/* it is owed less than the other would take */
	KUNIT_EXPECT_FALSE(test, would_wait(t, MS(20)));
	/* not the other way round */
	KUNIT_EXPECT_FALSE(test, gvt_sched_would_wait(&t->rq, &t->e[0], at(0)));
	/* not for a vGPU that its cap throttles */
	t->e[0].cap = 10;
	t->e[0].cap_filled = at(0);
	t->e[0].cap_empty = true;
	KUNIT_EXPECT_FALSE(test, would_wait(t, MS(1)));
}

static void would_wait_if_preemption_takes_long(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);

	t->e[1].vruntime = VTIME_NS(MS(20));
	sched_test_set_run(&t->e[0], MS(18));
	sched_test_set_pause(&t->e[0], MS(5));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_TRUE(test, would_wait(t, MS(100)));
	KUNIT_EXPECT_FALSE(test, would_wait(t, MS(1)));
	/* but not beyond the usual length of the pause */
	KUNIT_EXPECT_FALSE(test, gvt_sched_would_wait(&t->rq, &t->e[1], at(20)));
	gvt_sched_enqueue(&t->rq, &t->e[0], at(20));

	/* not for a vGPU that has had as much */
	t->e[1].vruntime = t->e[0].vruntime;
	KUNIT_EXPECT_FALSE(test, would_wait(t, MS(100)));
}

/* Lag in us of one of two vGPUs after a pause, from a lag of @lag_ns before the pause */
static s64 lag_us(struct kunit *test, s64 lag_ns, u64 pause_ms)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);
	struct gvt_sched_entity *e = &t->e[1];

	t->e[0].vruntime = VTIME_NS(MS(100));
	e->vruntime = VTIME_NS(MS(100) - lag_ns);
	gvt_sched_dequeue(&t->rq, e, at(0));
	execute(t, &t->e[0], at(0), at(pause_ms));
	gvt_sched_charge(&t->rq, &t->e[0], 0, at(pause_ms));
	gvt_sched_enqueue(&t->rq, e, at(pause_ms));
	return div_s64(t->e[0].vruntime - e->vruntime, VTIME_NS(NSEC_PER_USEC));
}

/* Lag outlasts a pause, and grows by the vGPU's share of the pause, up to its share of 100 ms */
static void lag_grows_in_pauses(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lag_us(test, MS(10), 5), 12500);
	KUNIT_EXPECT_EQ(test, lag_us(test, MS(10), 60), 40000);
	KUNIT_EXPECT_EQ(test, lag_us(test, MS(10), 500), 50000);
	/* lag beyond the share of 100 ms is dropped, since preempt latency is short */
	KUNIT_EXPECT_EQ(test, lag_us(test, MS(70), 500), 50000);
	/* in debt, the vGPU keeps its vruntime: only the other's execution reduces the debt */
	KUNIT_EXPECT_EQ(test, lag_us(test, -MS(10), 5), -5000);
	/* lag from before a pause of max_wait_ms is forgotten */
	KUNIT_EXPECT_EQ(test, lag_us(test, MS(70), 1000), 50000);
}

/* A turn lasts for the time owed plus 1 ms, unless another vGPU becomes overdue before */
static void wake_up_when_nothing_is_owed(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);

	t->e[1].vruntime = VTIME_NS(MS(30));
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), MS(31));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	gvt_sched_used(&t->rq, &t->e[0], MS(10), at(10));
	KUNIT_EXPECT_EQ(test, wake_after(t, at(10)), MS(21));

	/* the other vGPU has waited since 0 ms */
	sched_test_set(t, max_wait_ms, 20);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(10)), MS(10));
}

static void no_hold_against_preemptible_work(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	struct sched_test *t = start_mode(test, 2);
	bool held = !preemptive(mode);

	expect_first(t, at(0));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), held ? NULL : &t->e[1]);
	KUNIT_EXPECT_PTR_EQ(test, t->rq.hold.expected, held ? &t->e[0] : NULL);
	t->e[1].preemptible = false;
	KUNIT_EXPECT_NULL(test, next_at(t, at(0)));
	KUNIT_EXPECT_PTR_EQ(test, t->rq.hold.expected, &t->e[0]);
	KUNIT_EXPECT_EQ(test, wake_after(t, at(0)), 1 << 21);
}

static void execution_ends_a_hold(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 3);

	t->e[1].preemptible = false;
	t->e[2].vruntime = VTIME_NS(MS(900));
	expect_first(t, at(0));
	KUNIT_EXPECT_NULL(test, next_at(t, at(0)));
	t->rq.executing = true;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), &t->e[1]);
	KUNIT_EXPECT_NULL(test, t->rq.hold.expected);
	KUNIT_EXPECT_EQ(test, t->holds[GVT_HOLD_STOPPED], 1);
	KUNIT_EXPECT_EQ(test, t->e[0].held_ns, MS(1));

	/* a vGPU that becomes preemptible ends a hold, too */
	t->rq.executing = false;
	KUNIT_EXPECT_NULL(test, next_at(t, at(1)));
	t->e[1].preemptible = true;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(2)), &t->e[1]);
	KUNIT_EXPECT_NULL(test, t->rq.hold.expected);
}

/* A vGPU that has cut in executes before its turn begins, and is not preempted meanwhile */
static void no_preemption_after_cutting_in(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);
	struct gvt_sched_entity *e = &t->e[1];

	gvt_sched_dequeue(&t->rq, e, at(0));
	execute(t, &t->e[0], at(0), at(100));
	gvt_sched_switch(&t->rq, &t->e[0], at(100));
	gvt_sched_enqueue(&t->rq, e, at(100));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(100)), e);
	e->executes = true;
	gvt_sched_used(&t->rq, e, US(24), at_us(100500));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(100500)), e);
	/* but only while the vGPU executes */
	e->executes = false;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(100500)), &t->e[0]);
}

/* A vGPU is overdue max_wait_ms after it last executed, and then gets a whole turn */
static void overdue_vgpu_gets_a_turn(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 3);
	struct gvt_sched_choice choice;

	gvt_sched_dequeue(&t->rq, &t->e[2], at(0));
	execute(t, &t->e[1], at(0), at(5));
	t->e[1].vruntime = VTIME_NS(MS(9000));
	execute(t, &t->e[0], at(5), at(1005) - 1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1005) - 1), &t->e[0]);
	choice = gvt_sched_pick(&t->rq, at(1005));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.reason, GVT_SWITCH_OVERDUE);
	KUNIT_EXPECT_EQ(test, choice.wake_at, at(1006));

	/* not even another overdue vGPU may preempt this vGPU at once */
	gvt_sched_switch(&t->rq, &t->e[1], at(1005));
	choice = gvt_sched_pick(&t->rq, at(1005));
	KUNIT_EXPECT_PTR_EQ(test, choice.next, &t->e[1]);
	KUNIT_EXPECT_EQ(test, choice.wake_at, at(1006));
	gvt_sched_enqueue(&t->rq, &t->e[2], at(1005));
	t->e[2].wait_since = at(0);
	t->e[2].woken = false;
	gvt_sched_used(&t->rq, &t->e[1], MS(1) - 1, at(1006) - 1);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1006) - 1), &t->e[1]);
	gvt_sched_used(&t->rq, &t->e[1], 1, at(1006));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1006)), &t->e[2]);
	t->e[2].wait_since = at(1006);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1006)), &t->e[2]);
}

/* With preemptive dispatch a turn lasts for 1 ms even if the vGPU is owed nothing */
static void begun_turn_continues(struct kunit *test)
{
	struct sched_test *t = start_mode(test, 2);

	t->e[0].vruntime = VTIME_NS(MS(10));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at_us(999)),
			    &t->e[!preemptive(sched_test_mode(test))]);
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(1)), &t->e[1]);
}

/* A turn that has just begun ends without work, or when the cap is used up */
static void turn_ends_without_work(struct kunit *test)
{
	struct sched_test *t = start(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 2);

	t->e[0].vruntime = VTIME_NS(MS(10));
	gvt_sched_switch(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[0]);
	gvt_sched_set_cap(&t->rq, &t->e[0], 10, at(0));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[0]);
	t->e[0].cap_left_ns = 0;
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[1]);
	gvt_sched_set_cap(&t->rq, &t->e[0], 0, at(0));
	gvt_sched_dequeue(&t->rq, &t->e[0], at(0));
	KUNIT_EXPECT_PTR_EQ(test, next_at(t, at(0)), &t->e[1]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names),
	KUNIT_CASE_PARAM(properties, all_gen_params),
	KUNIT_CASE_PARAM(execution_is_charged, all_gen_params),
	KUNIT_CASE_PARAM(negative_charge_after_removal, all_gen_params),
	KUNIT_CASE_PARAM(removed_vgpu_is_learned_from, all_gen_params),
	KUNIT_CASE_PARAM(pieces_add_up_to_a_workload, all_gen_params),
	KUNIT_CASE_PARAM(executing_is_not_waiting, all_gen_params),
	KUNIT_CASE_PARAM(caps_count_unfinished_workloads, all_gen_params),
	KUNIT_CASE_PARAM(events_hand_out_slices, slices_gen_params),
	KUNIT_CASE_PARAM(borrowed_execution_is_free, slices_shared_gen_params),
	KUNIT_CASE_PARAM(turn_is_kept, on_events_gen_params),
	KUNIT_CASE_PARAM(wake_up_only_to_preempt, all_gen_params),
	KUNIT_CASE_PARAM(wake_up_at_the_end_of_a_turn, preemptive_gen_params),
	KUNIT_CASE_PARAM(wake_up_when_a_cap_is_used_up, preemptive_gen_params),
	KUNIT_CASE_PARAM(wake_up_for_throttled_vgpu, preemptive_gen_params),
	KUNIT_CASE_PARAM(wake_up_at_the_end_of_a_slice, slice_policy_gen_params),
	KUNIT_CASE(wake_up_borrower_at_end_of_period),
	KUNIT_CASE_PARAM(wake_up_strict_at_end_of_period, strict_gen_params),
	KUNIT_CASE_PARAM(boost_outlasts_turn_and_slice, slice_policy_gen_params),
	KUNIT_CASE_PARAM(entitled_vgpu_is_ahead, slices_shared_gen_params),
	KUNIT_CASE_PARAM(borrower_is_ahead_after_slice, slices_shared_gen_params),
	KUNIT_CASE_PARAM(no_blocking_workload_ahead, shared_gen_params),
	KUNIT_CASE(fair_ahead_expects_rest_of_workload),
	KUNIT_CASE_PARAM(fair_ahead_waits_for_expected_vgpu, fair_gen_params),
	KUNIT_CASE(no_workload_ahead_of_expected_vgpu),
	KUNIT_CASE(fair_order),
	KUNIT_CASE_PARAM(slice_order, slice_policy_gen_params),
	KUNIT_CASE_PARAM(pause_is_credited, fair_gen_params),
	KUNIT_CASE_PARAM(long_pause_is_owed_share_of_100_ms, fair_gen_params),
	KUNIT_CASE_PARAM(placed_level_with_start_of_workload, fair_gen_params),
	KUNIT_CASE(one_preemption_restores_gap_filling),
	KUNIT_CASE(would_wait_for_owed_vgpu),
	KUNIT_CASE(would_wait_if_preemption_takes_long),
	KUNIT_CASE(lag_grows_in_pauses),
	KUNIT_CASE(wake_up_when_nothing_is_owed),
	KUNIT_CASE_PARAM(no_hold_against_preemptible_work, fair_gen_params),
	KUNIT_CASE(execution_ends_a_hold),
	KUNIT_CASE(no_preemption_after_cutting_in),
	KUNIT_CASE(overdue_vgpu_gets_a_turn),
	KUNIT_CASE_PARAM(begun_turn_continues, fair_gen_params),
	KUNIT_CASE(turn_ends_without_work),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_shared",
	.test_cases = cases,
};

kunit_test_suite(suite);
