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
	bool strict = rq->set->policy == GVT_SCHED_STRICT;
	u64 period_ns = rq->set->period_ms * NSEC_PER_MSEC;
	bool on_time;

	if (!rq->period_end)
		rq->period_end = now;
	if (now < rq->period_end || list_empty(&rq->entities))
		return;

	on_time = now - rq->period_end < GVT_SCHED_TICK_NS;
	skip_rounds(rq, now, period_ns);

	while (now >= rq->period_end) {
		if (!strict)
			gvt_slice_account(rq, rq->period_end);
		hand_out(rq);
		rq->period_end += period_ns;
	}

	if (strict && on_time)
		rq->period_end = now + period_ns;
}

/* Whether a vGPU that may run has to wait for the current one */
static bool somebody_waits(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != rq->current_entity && e->busy &&
		    (e->boosted || e->left_ns > 0) &&
		    !gvt_cap_throttled(rq, e, now, NULL))
			return true;
	}

	return false;
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
	s64 borrowed_ns = 0;

	/* A period's end can lie before the latest switch */
	if (delta_ns <= 0)
		return;

	rq->charged_until = now;
	if (!e || (!e->busy && !strict))
		return;

	if (!strict && !somebody_waits(rq, now))
		borrowed_ns = max(delta_ns - max(e->left_ns, 0LL), 0LL);

	e->borrowed_ns += borrowed_ns;
	e->left_ns -= delta_ns - borrowed_ns;
}

static bool has_boost(struct gvt_sched_entity *e, u64 now)
{
	if (e->boosted && now >= e->boost_until)
		e->boosted = false;

	return e->boosted;
}

/* The first in the order of turns that may run; sets *wake_at for those capped */
static struct gvt_sched_entity *first_entitled(struct gvt_sched_rq *rq, u64 now,
					       u64 *wake_at)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (!e->busy || gvt_cap_throttled(rq, e, now, wake_at))
			continue;
		if (has_boost(e, now) || e->left_ns > 0)
			return e;
	}

	return NULL;
}

static struct gvt_sched_entity *first_borrower(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e->busy && !gvt_cap_throttled(rq, e, now, NULL))
			return e;
	}

	return NULL;
}

/* Whether the current vGPU may go on although it is another one's turn */
static bool keeps_turn(struct gvt_sched_rq *rq, const struct gvt_sched_entity *next,
		       u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;

	if (rq->set->policy == GVT_SCHED_STRICT)
		return false;

	return e && e->busy && now - rq->turn_since < GVT_SCHED_TURN_NS &&
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

	next = first_entitled(rq, now, &choice.wake_at);
	if (!next && rq->set->policy == GVT_SCHED_WORK_CONSERVING)
		next = first_borrower(rq, now);
	if (next)
		choice.wake_at = 0;
	if (next && keeps_turn(rq, next, now))
		next = rq->current_entity;

	choice.next = next;
	choice.reason = reason_for(rq, next);
	if (next && next == rq->current_entity)
		gvt_slice_turn(rq, next);

	return choice;
}
