// SPDX-License-Identifier: GPL-2.0-only

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_cap.h"
#include "sched_slice.h"

/**
 * DOC: slice policies
 *
 * Every period each vGPU gets a slice of it by weight and is charged the time for
 * which it holds the GPU. What is left, or owed, goes on into the next period for
 * %GVT_SCHED_STAGES periods (carry-over).
 *
 * %GVT_SCHED_STRICT lets nobody run without slice. %GVT_SCHED_WORK_CONSERVING
 * does when nobody with slice has work. Time borrowed so is not charged, as it was
 * nobody's loss: a vGPU that is alone for long would otherwise be locked out for
 * as long once others come. While a vGPU with slice waits for the borrower, whose
 * workload cannot be taken off the GPU, the borrower is charged.
 *
 * Unless dispatch is exclusive, a vGPU is charged the time for which it executes on
 * the engine instead.
 */

/**
 * gvt_slice_allot - work out the slices
 * @rq: the run queue
 *
 * To be called when the vGPUs, their shares or the period change. The rounding is
 * upstream's, where shares are weights.
 */
void gvt_slice_allot(struct gvt_sched_rq *rq)
{
	u64 period_ns = rq->set->period_ms * NSEC_PER_MSEC;
	struct gvt_sched_entity *e;
	u64 total = 0;
	u64 unit_ns;

	list_for_each_entry(e, &rq->entities, link)
		total += e->share;
	if (!total)
		return;

	unit_ns = div64_u64(period_ns * GVT_SCHED_SHARE_UNIT, total);
	list_for_each_entry(e, &rq->entities, link)
		e->slice_ns = div_u64(unit_ns * e->share, GVT_SCHED_SHARE_UNIT);
}

static s64 carried(const struct gvt_sched_rq *rq, s64 left_ns)
{
	s64 most_ns = rq->set->leftover_max_ms * NSEC_PER_MSEC;

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

/* Skip whole rounds of stages, after which slices are as if they had been handed out */
static void skip_rounds(struct gvt_sched_rq *rq, u64 now, u64 period_ns)
{
	u64 round_ns = GVT_SCHED_STAGES * period_ns;
	u64 rounds = div64_u64(now - rq->period_end, round_ns);

	if (rounds > 1)
		rq->period_end += (rounds - 1) * round_ns;
}

/**
 * gvt_slice_period - hand out the slices of the periods that have ended
 * @rq: the run queue
 * @now: the time
 *
 * Under the strict policy, call at ticks only and before gvt_sched_account(), as
 * upstream did. There a period begins when the tick that saw the last one end was
 * handled, unless it is late because the ticks had been stopped.
 */
void gvt_slice_period(struct gvt_sched_rq *rq, u64 now)
{
	bool on_ticks = gvt_sched_on_ticks(rq);
	u64 period_ns = rq->set->period_ms * NSEC_PER_MSEC;
	bool on_time;

	if (!rq->period_end)
		rq->period_end = now;
	if (now < rq->period_end || list_empty(&rq->entities))
		return;

	on_time = now - rq->period_end < GVT_SCHED_TICK_NS;
	skip_rounds(rq, now, period_ns);

	while (now >= rq->period_end) {
		if (!on_ticks)
			gvt_slice_account(rq, rq->period_end);
		hand_out(rq);
		rq->period_end += period_ns;
	}

	if (on_ticks && on_time)
		rq->period_end = now + period_ns;
}

/* Whether a vGPU that may run has to wait for another one */
static bool somebody_waits(struct gvt_sched_rq *rq, const struct gvt_sched_entity *other,
			   u64 now)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != other && e->busy && (e->boosted || e->left_ns > 0) &&
		    !gvt_cap_throttled(rq, e, now, NULL))
			return true;
	}

	return false;
}

/**
 * gvt_slice_used - charge a vGPU's slice
 * @rq: the run queue
 * @e: the vGPU
 * @used_ns: for how long it had the GPU, or executed on the engine
 * @now: the time
 */
void gvt_slice_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, s64 used_ns,
		    u64 now)
{
	s64 borrowed_ns = 0;

	if (rq->set->policy != GVT_SCHED_STRICT && !somebody_waits(rq, e, now))
		borrowed_ns = max(used_ns - max(e->left_ns, 0LL), 0LL);

	e->borrowed_ns += borrowed_ns;
	e->left_ns -= used_ns - borrowed_ns;
}

/**
 * gvt_slice_account - charge the current vGPU for the time since the last call
 * @rq: the run queue
 * @now: the time
 *
 * The strict policy charges all time for which a vGPU is the current one, as
 * upstream did; the other one only time in which it has work. To be called before
 * anything changes that decides whether time is borrowed.
 */
void gvt_slice_account(struct gvt_sched_rq *rq, u64 now)
{
	bool strict = rq->set->policy == GVT_SCHED_STRICT;
	struct gvt_sched_entity *e = rq->current_entity;
	s64 delta_ns = now - rq->charged_until;

	/* A period's end can lie before the latest switch */
	if (delta_ns <= 0)
		return;

	rq->charged_until = now;
	if (e && (e->busy || strict) && !gvt_sched_is_shared(rq))
		gvt_slice_used(rq, e, delta_ns, now);
}

static bool has_boost(struct gvt_sched_entity *e, u64 now)
{
	if (e->boosted && now >= e->boost_until)
		e->boosted = false;

	return e->boosted;
}

static bool entitled(struct gvt_sched_entity *e, u64 now)
{
	return has_boost(e, now) || e->left_ns > 0;
}

/*
 * The first in the order of turns that has work and is entitled to run, or, with
 * @borrow, has work; sets *wake_at for those that their cap holds back.
 */
static struct gvt_sched_entity *first(struct gvt_sched_rq *rq, bool borrow,
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

/* Whether the current vGPU may go on although it is another one's turn */
static bool keeps_turn(struct gvt_sched_rq *rq, const struct gvt_sched_entity *next,
		       u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;

	if (gvt_sched_on_ticks(rq))
		return false;

	return e && e->busy && now - rq->turn_since < gvt_sched_turn_ns(rq) &&
	       (e->left_ns > 0 || next->left_ns <= 0) && !next->boosted &&
	       !gvt_cap_throttled(rq, e, now, NULL);
}

static enum gvt_switch_reason reason_for(const struct gvt_sched_rq *rq,
					 const struct gvt_sched_entity *next)
{
	const struct gvt_sched_entity *e = rq->current_entity;

	if (next && !next->boosted && next->left_ns <= 0)
		return GVT_SWITCH_BORROW;

	return gvt_switch_reason(e && e->busy, e ? e->left_ns : 0,
				 next && next->boosted);
}

/**
 * gvt_slice_turn - move a vGPU to the end of the order of turns
 * @rq: the run queue
 * @e: the vGPU, whose turn begins or goes on
 *
 * One that has its turn for its start boost stays where it is: so the others keep
 * their turns.
 */
void gvt_slice_turn(struct gvt_sched_rq *rq, struct gvt_sched_entity *e)
{
	if (!e->boosted)
		list_move_tail(&e->link, &rq->entities);
}

/*
 * When a vGPU whose workload can be taken off the engine will have had its turn or
 * used up its slice; @wake_at if nobody waits for that
 */
static u64 turn_ends(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now,
		     u64 wake_at)
{
	u64 since = e == rq->current_entity ? rq->turn_since : now;
	s64 turn_ns;

	if (!gvt_sched_makes_way(rq, e))
		return 0;
	if (!first(rq, true, e, now, &wake_at))
		return wake_at;

	/* Neither a turn nor a slice ends while there is a boost */
	turn_ns = rq->period_end - now;
	if (e->boosted)
		turn_ns = min_t(s64, turn_ns, e->boost_until - now);
	else if (first(rq, false, e, now, NULL))
		turn_ns = min_t(s64, turn_ns, since + gvt_sched_turn_ns(rq) - now);
	if (!e->boosted && e->left_ns > 0)
		turn_ns = min(turn_ns, e->left_ns);
	if (e->cap)
		turn_ns = min(turn_ns, e->cap_left_ns);
	return now + max(turn_ns, GVT_SCHED_LEAST_TURN_NS);
}

/* When somebody may run although nobody may now; slices are handed out at ticks, too */
static u64 next_look(const struct gvt_sched_rq *rq, u64 wake_at)
{
	if (!rq->busy || gvt_sched_on_ticks(rq) || rq->set->policy != GVT_SCHED_STRICT)
		return wake_at;

	return wake_at ? min(wake_at, rq->period_end) : rq->period_end;
}

/**
 * gvt_slice_pick - choose who runs next
 * @rq: the run queue
 * @now: the time
 *
 * Return: the choice.
 */
struct gvt_sched_choice gvt_slice_pick(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = {};
	struct gvt_sched_entity *next;

	next = first(rq, false, NULL, now, &choice.wake_at);
	if (!next && rq->set->policy == GVT_SCHED_WORK_CONSERVING)
		next = first(rq, true, NULL, now, NULL);
	if (next && keeps_turn(rq, next, now))
		next = rq->current_entity;

	choice.next = next;
	choice.wake_at = next ? turn_ends(rq, next, now, 0) : next_look(rq, choice.wake_at);
	choice.reason = reason_for(rq, next);
	if (next && next == rq->current_entity)
		gvt_slice_turn(rq, next);

	return choice;
}

/**
 * gvt_slice_ahead - who will run when the present workload has finished
 * @rq: the run queue
 * @now: the time
 *
 * Return: the choice.
 */
struct gvt_sched_choice gvt_slice_ahead(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;
	struct gvt_sched_choice choice = { .next = first(rq, false, e, now, NULL) };

	/* Who has slice left goes on before others borrow */
	if (!choice.next && rq->set->policy == GVT_SCHED_WORK_CONSERVING &&
	    (!e || e->left_ns <= 0))
		choice.next = first(rq, true, e, now, NULL);
	choice.reason = reason_for(rq, choice.next);

	return choice;
}

/**
 * gvt_slice_before - whether one vGPU goes before another one
 * @rq: the run queue
 * @a: the one
 * @b: the other one
 * @now: the time
 *
 * Return: true if only @a is entitled to run, or both are and @a's turn comes first.
 */
bool gvt_slice_before(struct gvt_sched_rq *rq, struct gvt_sched_entity *a,
		      struct gvt_sched_entity *b, u64 now)
{
	struct gvt_sched_entity *e;

	if (entitled(a, now) != entitled(b, now))
		return entitled(a, now);

	list_for_each_entry(e, &rq->entities, link) {
		if (e == a || e == b)
			return e == a;
	}

	return false;
}
