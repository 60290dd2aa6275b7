// SPDX-License-Identifier: GPL-2.0-only

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_cap.h"
#include "sched_slice.h"

/**
 * DOC: slice policies
 *
 * Each vGPU gets a slice of every period by weight, and is charged for the time that it
 * holds the GPU. Leftover and debt are carried over into the next period, and forgotten
 * every %GVT_SCHED_STAGES periods.
 *
 * %GVT_SCHED_STRICT runs no vGPU without slice left; %GVT_SCHED_WORK_CONSERVING runs one while
 * no vGPU with slice left has work. Such borrowed time is not charged, since no other vGPU has
 * lost time: otherwise a vGPU that has been alone for long would be locked out for as long
 * once others have work. A borrower is charged, however, while a vGPU with slice left waits
 * for the borrower's workload to finish.
 *
 * Unless dispatch is exclusive, a vGPU is charged for its execution time on the engine
 * instead, and periods do not elapse while the host executes there.
 */

static bool on_ticks(const struct gvt_sched_rq *rq)
{
	return rq->mode.on_ticks;
}

static bool borrows(const struct gvt_sched_rq *rq)
{
	return rq->mode.policy->borrows;
}

/**
 * gvt_slice_allot - compute the slices
 * @rq: the run queue
 *
 * Rounds as upstream's scheduler does, if all vGPUs have nice 0.
 */
void gvt_slice_allot(struct gvt_sched_rq *rq)
{
	struct gvt_sched_entity *e;
	u64 total = 0;
	u64 unit_ns;

	list_for_each_entry(e, &rq->entities, link)
		total += e->share;
	if (!total)
		return;

	unit_ns = div64_u64(rq->mode.period_ns * GVT_SCHED_SHARE_UNIT, total);
	list_for_each_entry(e, &rq->entities, link)
		e->slice_ns = div_u64(unit_ns * e->share, GVT_SCHED_SHARE_UNIT);
}

/**
 * gvt_slice_rescale - scale slices and their remainders to a new period
 * @rq: the run queue
 * @was_ns: the old period
 * @now: the time
 */
void gvt_slice_rescale(struct gvt_sched_rq *rq, u64 was_ns, u64 now)
{
	struct gvt_sched_entity *e;

	gvt_slice_allot(rq);
	rq->period_end = min(rq->period_end, now + rq->mode.period_ns);
	list_for_each_entry(e, &rq->entities, link)
		e->left_ns = div64_s64(e->left_ns * (s64)(rq->mode.period_ns / NSEC_PER_MSEC),
				       was_ns / NSEC_PER_MSEC);
}

static s64 carried(const struct gvt_sched_rq *rq, s64 left_ns)
{
	s64 most_ns = gvt_sched_ms_to_ns(rq->set->leftover_max_ms);

	return rq->set->carry_over ? min(left_ns, most_ns) : 0;
}

static void hand_out(struct gvt_sched_rq *rq)
{
	u32 stage = rq->stage;
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link)
		e->left_ns = e->slice_ns + (stage ? carried(rq, e->left_ns) : 0);

	rq->stage = (stage + 1) % GVT_SCHED_STAGES;
	if (rq->ops && rq->ops->balanced)
		rq->ops->balanced(rq, stage);
}

/* Skip whole rounds of stages: stage 0 of the last round forgets their hand-outs anyway */
static void skip_rounds(struct gvt_sched_rq *rq, u64 now, u64 period_ns)
{
	u64 round_ns = GVT_SCHED_STAGES * period_ns;
	u64 rounds = div64_u64(now - rq->period_end, round_ns);

	if (rounds > 1)
		rq->period_end += (rounds - 1) * round_ns;
}

static bool has_boost(const struct gvt_sched_entity *e, u64 now)
{
	return e->boosted && now < e->boost_until;
}

static bool entitled(const struct gvt_sched_entity *e, u64 now)
{
	return has_boost(e, now) || e->left_ns > 0;
}

/* Whether a vGPU other than @other may run and has to wait */
static bool somebody_waits(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *other,
			   u64 now)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != other && e->busy && entitled(e, now) &&
		    !gvt_cap_throttled(rq, e, now, NULL))
			return true;
	}

	return false;
}

/* Charge the time that a vGPU held the GPU, or executed on the engine, to its slice */
static void charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, s64 used_ns, u64 now)
{
	s64 borrowed_ns = 0;

	if (borrows(rq) && !somebody_waits(rq, e, now))
		borrowed_ns = max(used_ns - max(e->left_ns, 0LL), 0LL);

	e->borrowed_ns += borrowed_ns;
	e->left_ns -= used_ns - borrowed_ns;
}

static void slice_update(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns,
			 u64 now)
{
	if (rq->mode.shared)
		charge(rq, e, exec_ns, now);
}

/*
 * Charge the current vGPU for the time since the last call.
 *
 * The strict policy charges a vGPU for its whole turn, as upstream's scheduler does; the
 * work-conserving one only while the vGPU has work. Call before any change that affects
 * whether time is borrowed.
 */
static void slice_account(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;
	s64 delta_ns = now - rq->charged_until;

	/* slice_period() charges up to the end of a period, which may precede the last switch */
	if (delta_ns <= 0)
		return;

	rq->charged_until = now;
	if (e && (e->busy || !borrows(rq)) && !rq->mode.shared)
		charge(rq, e, delta_ns, now);
}

/*
 * Hand out the slices of the periods that have ended.
 *
 * With decisions at ticks, call at each tick, before slice_account(): as in upstream's
 * scheduler, a period then begins when the tick that ended the last one is handled, except
 * when that tick is late because ticks had been stopped.
 */
static void slice_period(struct gvt_sched_rq *rq, u64 now)
{
	u64 period_ns = rq->mode.period_ns;
	bool on_time;

	if (!rq->period_end)
		rq->period_end = now;
	if (now < rq->period_end || list_empty(&rq->entities))
		return;

	on_time = now - rq->period_end < GVT_SCHED_TICK_NS;
	skip_rounds(rq, now, period_ns);

	while (now >= rq->period_end) {
		if (!on_ticks(rq))
			slice_account(rq, rq->period_end);
		hand_out(rq);
		rq->period_end += period_ns;
	}

	if (on_ticks(rq) && on_time)
		rq->period_end = now + period_ns;
}

/*
 * The first vGPU in the order of turns that has work and, without @borrow, is entitled to
 * run. Lowers *wake_at to when the first throttled vGPU may run again.
 */
static struct gvt_sched_entity *first(const struct gvt_sched_rq *rq, bool borrow,
				      const struct gvt_sched_entity *except, u64 now,
				      u64 *wake_at)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e == except || !e->busy || gvt_cap_throttled(rq, e, now, wake_at))
			continue;
		if (entitled(e, now) || borrow)
			return e;
	}

	return NULL;
}

/* Whether the current vGPU continues although @next comes first in the order of turns */
static bool keeps_turn(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *next,
		       u64 now)
{
	const struct gvt_sched_entity *e = rq->current_entity;

	if (on_ticks(rq))
		return false;

	return e && e->busy && now - rq->turn_since < rq->mode.turn_ns &&
	       (e->left_ns > 0 || next->left_ns <= 0) && !has_boost(next, now) &&
	       !gvt_cap_throttled(rq, e, now, NULL);
}

static enum gvt_switch_reason reason_for(const struct gvt_sched_rq *rq,
					 const struct gvt_sched_entity *next, u64 now)
{
	const struct gvt_sched_entity *e = rq->current_entity;

	if (next && !entitled(next, now))
		return GVT_SWITCH_BORROW;

	return gvt_switch_reason(e && e->busy, e ? e->left_ns : 0,
				 next && has_boost(next, now));
}

/*
 * Move a vGPU whose turn begins or continues to the end of the order of turns. A boosted
 * vGPU stays in place, because its extra turns must not change the order.
 */
static void slice_set_next(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (!e->boosted)
		list_move_tail(&e->link, &rq->entities);
}

/*
 * When to decide again while a preemptible vGPU runs: at the end of its turn or slice, or, if
 * no other vGPU could run, at @wake_at or at the end of another vGPU's throttling, if earlier
 */
static u64 turn_ends(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now,
		     u64 wake_at)
{
	u64 since = e == rq->current_entity ? rq->turn_since : now;
	s64 turn_ns;

	if (!gvt_sched_can_preempt(rq, e))
		return 0;
	if (!first(rq, true, e, now, &wake_at))
		return wake_at;

	/* Neither the turn nor the slice of a boosted vGPU ends */
	turn_ns = rq->period_end - now;
	if (has_boost(e, now))
		turn_ns = min_t(s64, turn_ns, e->boost_until - now);
	else if (first(rq, false, e, now, NULL))
		turn_ns = min_t(s64, turn_ns, since + rq->mode.turn_ns - now);
	if (!has_boost(e, now) && e->left_ns > 0)
		turn_ns = min(turn_ns, e->left_ns);
	if (e->cap)
		turn_ns = min(turn_ns, e->cap_left_ns);
	return now + max(turn_ns, GVT_SCHED_LEAST_TURN_NS);
}

/* When a vGPU may run again, if none may now; ticks notice the end of a period in any case */
static u64 next_look(const struct gvt_sched_rq *rq, u64 wake_at)
{
	if (!rq->busy || on_ticks(rq) || borrows(rq))
		return wake_at;

	return wake_at ? min(wake_at, rq->period_end) : rq->period_end;
}

static struct gvt_sched_choice slice_pick(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = {};
	struct gvt_sched_entity *next;

	next = first(rq, false, NULL, now, &choice.wake_at);
	if (!next && borrows(rq))
		next = first(rq, true, NULL, now, NULL);
	if (next && keeps_turn(rq, next, now))
		next = rq->current_entity;

	choice.next = next;
	choice.wake_at = next ? turn_ends(rq, next, now, 0) : next_look(rq, choice.wake_at);
	choice.reason = reason_for(rq, next, now);

	return choice;
}

/* Update boosts when choosing, not after the engines have drained for the chosen vGPU */
static void slice_picked(struct gvt_sched_rq *rq, const struct gvt_sched_choice *choice, u64 now)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link)
		e->boosted = has_boost(e, now);
}

static struct gvt_sched_choice slice_ahead(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;
	struct gvt_sched_choice choice = { .next = first(rq, false, e, now, NULL) };

	/* A current vGPU with slice left continues before others borrow */
	if (!choice.next && borrows(rq) && (!e || e->left_ns <= 0))
		choice.next = first(rq, true, e, now, NULL);
	choice.reason = reason_for(rq, choice.next, now);

	return choice;
}

/* vGPUs that are entitled to run go before others; among equals, the order of turns decides */
static bool slice_before(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
			 const struct gvt_sched_entity *b, u64 now)
{
	const struct gvt_sched_entity *e;

	if (entitled(a, now) != entitled(b, now))
		return entitled(a, now);

	list_for_each_entry(e, &rq->entities, link) {
		if (e == a || e == b)
			return e == a;
	}

	return false;
}

/* Idle time can be borrowed, and preemptible vGPUs give it back at once */
static bool slice_fills_gaps(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			     u64 now)
{
	return borrows(rq);
}

#define SLICE_OPERATIONS			\
	.boosts = true,				\
	.update = slice_update,			\
	.period = slice_period,			\
	.account = slice_account,		\
	.allot = gvt_slice_allot,		\
	.set_next = slice_set_next,		\
	.pick = slice_pick,			\
	.picked = slice_picked,			\
	.ahead = slice_ahead,			\
	.before = slice_before,			\
	.fills_gaps = slice_fills_gaps

const struct gvt_policy_ops gvt_strict_policy = {
	.name = "strict",
	.on_ticks = true,
	SLICE_OPERATIONS,
};

const struct gvt_policy_ops gvt_work_conserving_policy = {
	.name = "work-conserving",
	.borrows = true,
	SLICE_OPERATIONS,
};
