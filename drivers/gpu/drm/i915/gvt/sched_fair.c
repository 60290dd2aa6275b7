// SPDX-License-Identifier: GPL-2.0-only

#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_fair.h"
#include "sched_fair_time.h"
#include "sched_slice.h"

/* Order of the vGPUs */

/* The vGPU with the smaller vruntime goes first; at equal ones, that with the shorter workloads */
static bool fair_before(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
			const struct gvt_sched_entity *b, u64 now)
{
	s64 ahead = vruntime_ahead(a->vruntime, b->vruntime);

	return ahead < 0 ||
	       (!ahead && gvt_sched_mean_ns(&a->service) < gvt_sched_mean_ns(&b->service));
}

static struct gvt_sched_entity *most_owed(const struct gvt_sched_rq *rq, u64 now,
					  const struct gvt_sched_entity *except,
					  u64 *wake_at)
{
	struct gvt_sched_entity *e, *most = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != except && may_run(rq, e, now, wake_at) &&
		    (!most || fair_before(rq, e, most, now)))
			most = e;
	}

	return most;
}

static bool overdue(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	return now - e->wait_since >= rq->mode.max_wait_ns;
}

/* The vGPU that has waited longest of those that are overdue */
static struct gvt_sched_entity *most_overdue(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e, *most = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (may_run(rq, e, now, NULL) && overdue(rq, e, now) &&
		    !(e == rq->current_entity && rq->executing) &&
		    (!most || e->wait_since < most->wait_since))
			most = e;
	}

	return most;
}

/* When the first vGPU will be overdue, or @before if that is earlier */
static u64 first_overdue(const struct gvt_sched_rq *rq, u64 now, u64 before)
{
	const struct gvt_sched_entity *e;
	u64 at;

	list_for_each_entry(e, &rq->entities, link) {
		at = e->wait_since + rq->mode.max_wait_ns;
		if (e->busy && e != rq->current_entity && at > now)
			before = min(before, at);
	}

	return before;
}

/* Turns */

/* Whether the current vGPU keeps its turn although @next is owed more */
static bool keeps_turn(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *next,
		       u64 now)
{
	const struct gvt_sched_entity *e = rq->current_entity;

	return e && e != next && may_run(rq, e, now, NULL) &&
	       -owed_ns(e, next) < (s64)rq->mode.turn_ns;
}

/*
 * The shortest turn of a vGPU. A workload whose preempt latency exceeds a turn may as well be
 * preempted at once.
 */
static u64 least_turn_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return gvt_sched_most_ns(&e->way) < rq->mode.turn_ns ? rq->mode.turn_ns :
							       (u64)GVT_SCHED_LEAST_TURN_NS;
}

/* Whether, with preemptive dispatch, the current turn has only just begun */
static bool has_begun(const struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *e = rq->current_entity;

	return rq->mode.preemptive && e && now - rq->turn_since < least_turn_ns(rq, e) &&
	       may_run(rq, e, now, NULL);
}

/*
 * Whether a vGPU that comes back after a pause may cut into a turn that has just begun. If the
 * engine has been handed over to the vGPU, which executes before its turn begins, the vGPU is
 * not preempted for the rest of the other turn.
 */
static bool cuts_in(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	if (e->executes)
		return true;

	return e->woken && e != rq->current_entity &&
	       (now - e->cut_in_at >= GVT_SCHED_CUT_IN_NS || e->cut_in_at >= rq->turn_since);
}

/*
 * When the turn of a preemptible vGPU will end or, if no other vGPU may run, when the first
 * throttled one may
 */
static u64 turn_ends(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	u64 since = e == rq->current_entity ? rq->turn_since : now;
	const struct gvt_sched_entity *next;
	s64 turn_ns = rq->mode.turn_ns;
	u64 end, wake_at = 0;

	if (!gvt_sched_can_preempt(rq, e))
		return 0;

	next = most_owed(rq, now, e, &wake_at);
	if (!next)
		return wake_at;

	turn_ns += owed_ns(e, next);
	end = first_overdue(rq, now, now + max(turn_ns, GVT_SCHED_LEAST_TURN_NS));
	end = max(end, since + least_turn_ns(rq, e));
	if (e->cap)
		end = min(end, now + max(e->cap_left_ns, GVT_SCHED_LEAST_TURN_NS));
	return end;
}

/* Waiting for a vGPU that is expected back */

/*
 * How long, from when a vGPU ran out of work, waiting for it is better than running @instead; 0
 * for not at all. The vGPU has to be owed more time than its usual pause and than the charge.
 */
static u64 worth_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
		    const struct gvt_sched_entity *instead, u64 now)
{
	struct gvt_fair_purchase purchase;
	s64 owed = owed_ns(e, instead);

	if (!e->think.samples || e->budget_ns <= 0 || gvt_cap_throttled(rq, e, now, NULL) ||
	    owed <= (s64)gvt_sched_mean_ns(&e->think) ||
	    (overdue(rq, instead, now) && !gvt_fair_starves(rq, e, now)))
		return 0;

	purchase = gvt_fair_purchase(rq, e, instead);
	return owed > (s64)gvt_fair_charge_ns(&purchase, purchase.idle_ns) ? purchase.window_ns : 0;
}

/* Until when to wait for a vGPU without work rather than run @instead, 0 for not at all */
static u64 worth_waiting(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			 const struct gvt_sched_entity *instead, u64 now)
{
	u64 window_ns = e->busy ? 0 : worth_ns(rq, e, instead, now);

	return window_ns ? e->idle_since + window_ns : 0;
}

/* The vGPU to wait for rather than run @instead */
static struct gvt_sched_entity *worth_most(const struct gvt_sched_rq *rq,
					   const struct gvt_sched_entity *instead,
					   u64 now, u64 *until)
{
	struct gvt_sched_entity *e, *expected = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		u64 end = worth_waiting(rq, e, instead, now);

		if (end > now &&
		    (!expected || vruntime_ahead(e->vruntime, expected->vruntime) < 0)) {
			expected = e;
			*until = end;
		}
	}

	return expected;
}

/* A vGPU that has less than its guaranteed minimum goes before an overdue one */
static struct gvt_sched_entity *starving(const struct gvt_sched_rq *rq,
					 const struct gvt_sched_entity *late, u64 now)
{
	struct gvt_sched_entity *e, *most = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != late && may_run(rq, e, now, NULL) && gvt_fair_starves(rq, e, now) &&
		    fair_before(rq, e, late, now) && (!most || fair_before(rq, e, most, now)))
			most = e;
	}

	return most;
}

/* Choose an overdue vGPU, or one that goes before it; @choice is unchanged if none is overdue */
static bool choose_overdue(const struct gvt_sched_rq *rq, u64 now,
			   struct gvt_sched_choice *choice)
{
	struct gvt_sched_entity *late = most_overdue(rq, now);

	if (!late)
		return false;

	choice->next = starving(rq, late, now);
	if (!choice->next) {
		choice->next = late;
		choice->reason = GVT_SWITCH_OVERDUE;
	}
	return true;
}

/* Choose the vGPU that goes next, apart from any wait for an expected one */
static void choose(const struct gvt_sched_rq *rq, u64 now, struct gvt_sched_choice *choice)
{
	struct gvt_sched_entity *e = rq->current_entity, *next;

	/* If the current vGPU has work, and yet no vGPU may run, its cap throttles it */
	choice->reason = e && e->busy ? GVT_SWITCH_SLICE : GVT_SWITCH_IDLE;
	next = most_owed(rq, now, NULL, &choice->wake_at);
	if (!next)
		return;

	choice->reason = e && e->busy ? GVT_SWITCH_OWED : GVT_SWITCH_IDLE;

	if (!has_begun(rq, now) && choose_overdue(rq, now, choice))
		return;

	choice->next = keeps_turn(rq, next, now) ||
		       (has_begun(rq, now) && !cuts_in(rq, next, now)) ? e : next;
}

/* Expected remaining time of the present workload, if it takes as long as earlier ones */
static u64 rest_ns(const struct gvt_sched_entity *e)
{
	u64 service_ns = gvt_sched_mean_ns(&e->service);

	return max(service_ns, e->served_ns) - e->served_ns;
}

/* Whether a vGPU that has no work is expected back within @ns */
static bool comes_within(const struct gvt_sched_entity *e, u64 ns, u64 now)
{
	u64 away_ns = now - e->idle_since;

	return !e->busy && e->think.samples && away_ns < gvt_sched_most_ns(&e->think) &&
	       away_ns + ns > gvt_sched_mean_ns(&e->think);
}

/*
 * Whether it is too early to put the workload of @next behind the present one, where neither can
 * be preempted: another vGPU is expected back while the present workload executes, and would
 * have to wait for both. If @next is not put there, the engine idles between the two for as long
 * as a submission takes, which is little compared to a workload that lasts for a turn.
 */
static bool is_too_early(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *next,
			 u64 now)
{
	const struct gvt_sched_entity *e, *turn = rq->current_entity;

	if (!rq->mode.shared || !rq->executing || !turn || !may_run(rq, turn, now, NULL) ||
	    gvt_sched_can_preempt(rq, turn) || gvt_sched_can_preempt(rq, next) ||
	    costs_ns(rq, next) < GVT_SCHED_TURN_NS)
		return false;

	list_for_each_entry(e, &rq->entities, link) {
		if (comes_within(e, rest_ns(turn), now))
			return true;
	}

	return false;
}

static struct gvt_sched_choice fair_pick(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = {};
	u64 until = 0;

	choose(rq, now, &choice);
	if (!choice.next)
		return choice;
	if (choice.next != rq->current_entity && is_too_early(rq, choice.next, now))
		choice.next = rq->current_entity;

	choice.wake_at = turn_ends(rq, choice.next, now);

	/* Do not keep the engine idle while a workload executes or is on its way to the engine */
	if (rq->executing || has_begun(rq, now))
		return choice;

	choice.expected = worth_most(rq, choice.next, now, &until);
	if (!choice.expected)
		return choice;

	choice.instead = choice.next;
	choice.until = until;
	if (choice.reason != GVT_SWITCH_IDLE)
		choice.reason = GVT_SWITCH_TURN;
	choice.wake_at = first_overdue(rq, now, until);
	choice.next = NULL;
	return choice;
}

static void fair_picked(struct gvt_sched_rq *rq, const struct gvt_sched_choice *choice, u64 now)
{
	struct gvt_sched_entity *e = choice->next;

	if (e && e != rq->current_entity && has_begun(rq, now) &&
	    e->cut_in_at < rq->turn_since)
		e->cut_in_at = now;
}

static struct gvt_sched_choice fair_ahead(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = { .reason = GVT_SWITCH_OWED };
	const struct gvt_sched_entity *e = rq->current_entity;
	struct gvt_sched_entity *next = most_owed(rq, now, e, NULL);
	u64 until;

	if (!e || !next)
		return choice;

	if (choose_overdue(rq, now, &choice)) {
		/* The current vGPU's next workload follows anyway */
		if (choice.next == e)
			choice.next = NULL;
		return choice;
	}

	if (vruntime_ahead(next->vruntime, e->vruntime) > (s64)to_vruntime(e, rest_ns(e)) ||
	    is_too_early(rq, next, now) || worth_most(rq, next, now, &until))
		return choice;

	choice.next = next;
	return choice;
}

/*
 * A vGPU that fills gaps must not delay vGPUs that have had less: neither those with work, which
 * may still be on its way to the engine, nor those that will be back at once.
 */
static bool fair_would_wait(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			    u64 now)
{
	s64 occupies = occupies_ns(rq, e);
	const struct gvt_sched_entity *other;
	u64 until;

	list_for_each_entry(other, &rq->entities, link) {
		if (other != e && may_run(rq, other, now, NULL) &&
		    owed_ns(other, e) > occupies)
			return true;
	}

	return worth_most(rq, e, now, &until);
}

static bool fair_fills_gaps(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			    u64 now)
{
	return occupies_ns(rq, e) <= 3 * GVT_SCHED_TURN_NS && !fair_would_wait(rq, e, now);
}

const struct gvt_policy_ops gvt_fair_policy = {
	.name = "fair",
	.add = gvt_fair_add,
	.come_back = gvt_fair_come_back,
	.enqueue = gvt_fair_enqueue,
	.dequeue = gvt_fair_dequeue,
	.update = gvt_fair_update,
	.idled = gvt_fair_idled,
	.held = gvt_fair_held,
	.finished = gvt_fair_finished,
	.reweight = gvt_fair_reweight,
	.allot = gvt_slice_allot,
	.pick = fair_pick,
	.picked = fair_picked,
	.ahead = fair_ahead,
	.before = fair_before,
	.fills_gaps = fair_fills_gaps,
	.would_wait = fair_would_wait,
};
