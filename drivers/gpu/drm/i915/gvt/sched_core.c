// SPDX-License-Identifier: GPL-2.0-only

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_account.h"
#include "sched_cap.h"
#include "sched_core.h"
#include "sched_ops.h"

/* 1024 / 1.25^nice, from nice -20 on, as in the CPU scheduler */
static const u32 nice_to_share[] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
};

static const struct gvt_policy_ops *policy_of(const struct gvt_sched_rq *rq)
{
	return rq->mode.policy;
}

static u32 share_of(const struct gvt_sched_entity *e)
{
	return e->weight * nice_to_share[e->nice - GVT_SCHED_NICE_MIN];
}

/**
 * gvt_sched_entity_init - prepare a vGPU for scheduling
 * @e: the vGPU
 * @weight: weight of its type, not 0
 */
void gvt_sched_entity_init(struct gvt_sched_entity *e, u32 weight)
{
	*e = (struct gvt_sched_entity) { .weight = weight };
	INIT_LIST_HEAD(&e->link);
	e->share = share_of(e);
}

/* Operations that a policy may leave out */

static void allot(struct gvt_sched_rq *rq)
{
	if (policy_of(rq)->allot)
		policy_of(rq)->allot(rq);
}

static void set_next(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (e && policy_of(rq)->set_next)
		policy_of(rq)->set_next(rq, e, now);
}

static void finished(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (policy_of(rq)->finished)
		policy_of(rq)->finished(rq, e, now);
}

/*
 * Charge the time up to now before a change that affects whether time is borrowed. With
 * decisions at ticks no time is borrowed: as in upstream's scheduler, the time is charged
 * at the next tick, which may first hand out the slice that it charges.
 */
static void account_change(struct gvt_sched_rq *rq, u64 now)
{
	if (!rq->mode.on_ticks)
		gvt_sched_account(rq, now);
}

/**
 * gvt_sched_end_hold - end the wait for an expected vGPU, if there is one
 * @rq: the run queue
 * @now: the time
 * @result: how the wait ended
 */
void gvt_sched_end_hold(struct gvt_sched_rq *rq, u64 now, enum gvt_hold_result result)
{
	struct gvt_sched_hold *hold = &rq->hold;

	if (!hold->expected)
		return;

	count_time(rq, now);
	hold->expected->held_ns += now - hold->since;
	if (policy_of(rq)->held)
		policy_of(rq)->held(rq, hold->expected, hold->instead, now - hold->since);
	if (rq->ops && rq->ops->hold_ended)
		rq->ops->hold_ended(rq, hold, now, result);

	*hold = (struct gvt_sched_hold) {};
}

/* Begin, continue or end a wait for an expected vGPU */
static void follow_hold(struct gvt_sched_rq *rq, const struct gvt_sched_choice *choice, u64 now)
{
	if (choice->expected == rq->hold.expected)
		return;

	gvt_sched_end_hold(rq, now, now >= rq->hold.until ? GVT_HOLD_EXPIRED : GVT_HOLD_STOPPED);
	count_time(rq, now);
	if (choice->expected)
		rq->hold = (struct gvt_sched_hold) {
			.expected = choice->expected,
			.instead = choice->instead,
			.since = now,
			.until = choice->until,
		};
}

static void charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns, u64 now)
{
	e->served_ns += exec_ns;
	gvt_cap_charge(rq, e, exec_ns, now);
	if (policy_of(rq)->update)
		policy_of(rq)->update(rq, e, exec_ns, now);
}

/* Drop debt, leftover and credit; the learned service time and preempt latency stay */
static void begin_anew(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	e->epoch = rq->epoch;
	e->left_ns = e->slice_ns;
	if (policy_of(rq)->add)
		policy_of(rq)->add(rq, e, now);
	gvt_cap_start(rq, e, now);
}

/* The vGPU keeps its debt and the level of its cap */
static void come_back(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	e->left_ns = min(e->left_ns, e->slice_ns);
	if (policy_of(rq)->come_back)
		policy_of(rq)->come_back(rq, e, now);
	charge(rq, e, e->absent_exec_ns, now);
	e->served_ns = 0;
}

static void start_boost(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	u64 boost_ns = gvt_sched_ms_to_ns(rq->set->boost_ms);

	if (!e->boost_until || now >= e->boost_until + (GVT_SCHED_BOOST_EVERY - 1) * boost_ns)
		e->boost_until = now + boost_ns;
	e->boosted = policy_of(rq)->boosts && now < e->boost_until;
}

/**
 * gvt_sched_add - add a vGPU to a run queue
 * @rq: the run queue
 * @e: the vGPU, which may have work, nice, cap and counters from before
 * @now: the time
 *
 * The vGPU is first in the order of turns and gets its slice at once; the slices of the
 * others shrink from the next period on.
 *
 * A guest can stop and start its vGPU at any time by resetting its GPU, and must gain
 * nothing by resets: a vGPU that comes back has no more than when it was removed, and
 * is boosted again only after %GVT_SCHED_BOOST_EVERY times the length of the boost.
 */
void gvt_sched_add(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	bool known = e->epoch == rq->epoch;

	count_time(rq, now);
	account_change(rq, now);

	if (list_empty(&rq->entities)) {
		rq->stage = 0;
		rq->period_end = 0;
	}

	list_add(&e->link, &rq->entities);
	start_boost(rq, e, now);
	e->idle_since = now;
	e->wait_since = now;
	rq->busy += e->busy;

	allot(rq);
	if (known)
		come_back(rq, e, now);
	else
		begin_anew(rq, e, now);
	e->absent_exec_ns = 0;
}

/**
 * gvt_sched_remove - remove a vGPU from its run queue
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 */
void gvt_sched_remove(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	count_time(rq, now);
	account_change(rq, now);

	if (rq->hold.expected == e || rq->hold.instead == e)
		gvt_sched_end_hold(rq, now, GVT_HOLD_STOPPED);
	if (rq->current_entity == e)
		rq->current_entity = NULL;

	list_del_init(&e->link);
	rq->busy -= e->busy;
	if (policy_of(rq)->remove)
		policy_of(rq)->remove(rq, e, now);
	allot(rq);
}

/**
 * gvt_sched_enqueue - a vGPU has queued a workload
 * @rq: the run queue
 * @e: the vGPU; if it is not in the run queue, it has work when it is added
 * @now: the time
 */
void gvt_sched_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (e->busy)
		return;

	count_time(rq, now);
	account_change(rq, now);
	e->busy = true;
	e->wait_since = now;
	if (!gvt_sched_is_added(e))
		return;

	rq->busy++;
	if (policy_of(rq)->enqueue)
		policy_of(rq)->enqueue(rq, e, now);
	if (rq->hold.expected == e)
		gvt_sched_end_hold(rq, now, GVT_HOLD_CAME);
}

/**
 * gvt_sched_dequeue - a vGPU has no workload left
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 */
void gvt_sched_dequeue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (!e->busy)
		return;

	count_time(rq, now);
	account_change(rq, now);
	e->busy = false;
	e->idle_since = now;
	if (!gvt_sched_is_added(e))
		return;

	rq->busy--;
	rq->idle_since = now;
	if (policy_of(rq)->dequeue)
		policy_of(rq)->dequeue(rq, e, now);
}

/**
 * gvt_sched_used - a vGPU has executed for a while
 * @rq: the run queue
 * @e: the vGPU
 * @exec_ns: its execution time since the last call
 * @now: the time
 *
 * With exclusive dispatch gvt_sched_account() charges slices instead, as in upstream's scheduler.
 */
void gvt_sched_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		    u64 exec_ns, u64 now)
{
	count_time(rq, now);
	count_executed(rq, e, exec_ns);
	if (exec_ns && rq->mode.shared)
		e->wait_since = now;
	charge(rq, e, exec_ns, now);
}

/**
 * gvt_sched_host_used - the host has executed for a while
 * @rq: the run queue
 * @exec_ns: for how long the host, and no vGPU, executed since the last call
 * @now: the time
 */
void gvt_sched_host_used(struct gvt_sched_rq *rq, u64 exec_ns, u64 now)
{
	count_time(rq, now);
	take_counted(rq, exec_ns);
	/* If execution time is charged, periods divide the time that the host leaves to vGPUs */
	if (rq->mode.shared && rq->period_end)
		rq->period_end += exec_ns;
}

/**
 * gvt_sched_charge - a workload has finished
 * @rq: the run queue
 * @e: its vGPU
 * @exec_ns: the vGPU's execution time since it was last charged
 * @now: the time
 *
 * A vGPU that has been removed is charged when it comes back, unless @exec_ns is negative as a
 * signed value because the last charge included time on other engines.
 */
void gvt_sched_charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		      u64 exec_ns, u64 now)
{
	e->wait_since = now;
	if (gvt_sched_is_added(e)) {
		gvt_sched_used(rq, e, exec_ns, now);
		finished(rq, e, now);
	} else if ((s64)exec_ns > 0) {
		count_time(rq, now);
		count_executed(rq, e, exec_ns);
		e->served_ns += exec_ns;
		e->absent_exec_ns += exec_ns;
		/* A guest must not hide the length of its workloads by resets */
		finished(rq, e, now);
	}
	e->served_ns = 0;
}

/**
 * gvt_sched_period - hand out slices if a period has ended
 * @rq: the run queue
 * @now: the time
 *
 * Call at each tick if decisions are made at ticks; otherwise gvt_sched_pick() does so.
 */
void gvt_sched_period(struct gvt_sched_rq *rq, u64 now)
{
	if (policy_of(rq)->period)
		policy_of(rq)->period(rq, now);
}

/**
 * gvt_sched_account - charge the current vGPU's slice for the time up to now
 * @rq: the run queue
 * @now: the time
 */
void gvt_sched_account(struct gvt_sched_rq *rq, u64 now)
{
	/* Do not charge time before the end of a period to the next period's slice */
	if (!rq->mode.on_ticks)
		gvt_sched_period(rq, now);
	if (policy_of(rq)->account)
		policy_of(rq)->account(rq, now);
}

/**
 * gvt_sched_pick - choose the vGPU that runs next
 * @rq: the run queue
 * @now: the time
 *
 * Charges for the time up to now, hands out slices, and begins or ends the wait for an
 * expected vGPU. May be called at any time and repeatedly. The choice of another vGPU takes
 * effect with gvt_sched_switch().
 *
 * Return: the choice.
 */
struct gvt_sched_choice gvt_sched_pick(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice;

	account_change(rq, now);
	settle(rq, now);
	choice = policy_of(rq)->pick(rq, now);
	if (policy_of(rq)->picked)
		policy_of(rq)->picked(rq, &choice, now);
	follow_hold(rq, &choice, now);
	if (choice.next == rq->current_entity)
		set_next(rq, choice.next, now);

	return choice;
}

/**
 * gvt_sched_ahead - choose the vGPU that runs when the present workload has finished
 * @rq: the run queue, on whose engine a workload of the current vGPU executes
 * @now: the time
 *
 * Return: the choice of a vGPU other than the current one, or of none if there is no such
 * vGPU or if it is too early to decide.
 */
struct gvt_sched_choice gvt_sched_ahead(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = policy_of(rq)->ahead(rq, now);
	const struct gvt_sched_entity *e = rq->current_entity;

	/* A workload that cannot be preempted would block others before its vGPU's turn */
	if (choice.next && e && gvt_sched_can_preempt(rq, e) &&
	    !gvt_sched_can_preempt(rq, choice.next))
		choice.next = NULL;

	return choice;
}

/**
 * gvt_sched_fills_gaps - whether a vGPU may use engine time that is otherwise idle
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 *
 * Return: true if the vGPU's workloads may be put behind those of the others, because
 * they can be preempted soon enough.
 */
bool gvt_sched_fills_gaps(const struct gvt_sched_rq *rq,
			  const struct gvt_sched_entity *e, u64 now)
{
	return gvt_sched_can_preempt(rq, e) && !e->cap &&
	       policy_of(rq)->fills_gaps(rq, e, now);
}

/**
 * gvt_sched_would_wait - whether to keep the engine idle rather than give it to a vGPU
 * @rq: the run queue
 * @e: the vGPU, whose workload waits at the engine
 * @now: the time
 *
 * Return: true if the engine would be kept idle for another vGPU while, of all vGPUs, only
 * @e had work.
 */
bool gvt_sched_would_wait(const struct gvt_sched_rq *rq,
			  const struct gvt_sched_entity *e, u64 now)
{
	return rq->mode.preemptive && policy_of(rq)->would_wait &&
	       policy_of(rq)->would_wait(rq, e, now);
}

/**
 * gvt_sched_before - whether one waiting vGPU goes before another one
 * @rq: the run queue
 * @a: the one
 * @b: the other one
 * @now: the time
 *
 * Return: true if @a goes first.
 */
bool gvt_sched_before(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
		      const struct gvt_sched_entity *b, u64 now)
{
	return policy_of(rq)->before(rq, a, b, now);
}

/**
 * gvt_sched_switch - begin a vGPU's turn
 * @rq: the run queue
 * @e: the vGPU, or NULL for none
 * @now: the time
 */
void gvt_sched_switch(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	gvt_sched_account(rq, now);
	settle(rq, now);
	set_next(rq, e, now);
	rq->current_entity = e;
	rq->turn_since = now;
	rq->charged_until = now;
}

/**
 * gvt_sched_set_nice - change a vGPU's nice value
 * @rq: the run queue
 * @e: the vGPU
 * @nice: %GVT_SCHED_NICE_MIN to %GVT_SCHED_NICE_MAX
 *
 * Takes effect at once under the fair policy, with the next period otherwise.
 */
void gvt_sched_set_nice(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, int nice)
{
	u32 before = e->share;

	e->nice = nice;
	e->share = share_of(e);
	if (policy_of(rq)->reweight)
		policy_of(rq)->reweight(rq, e, before);
	allot(rq);
}

/**
 * gvt_sched_set_cap - change a vGPU's cap
 * @rq: the run queue
 * @e: the vGPU
 * @cap: per cent, 0 for none
 * @now: the time
 *
 * The vGPU keeps the remainder of the old cap, up to the size of the new cap's bucket.
 */
void gvt_sched_set_cap(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		       u32 cap, u64 now)
{
	if (cap == e->cap)
		return;

	gvt_cap_change(rq, e, cap, now);
}

/**
 * gvt_sched_begin_anew - drop all vGPUs' debt, credit and boost, but not what was learned
 * @rq: the run queue
 * @now: the time
 */
void gvt_sched_begin_anew(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e;

	gvt_sched_end_hold(rq, now, GVT_HOLD_STOPPED);
	rq->epoch++;
	allot(rq);
	rq->stage = 0;
	rq->period_end = 0;
	rq->charged_until = now;
	rq->counted_until = now;
	rq->denied_ns = 0;
	rq->alone_ns = 0;

	list_for_each_entry(e, &rq->entities, link) {
		e->boosted = false;
		e->served_ns = 0;
		begin_anew(rq, e, now);
	}
}
