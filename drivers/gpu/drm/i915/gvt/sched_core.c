// SPDX-License-Identifier: GPL-2.0-only

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_cap.h"
#include "sched_core.h"
#include "sched_fair.h"
#include "sched_slice.h"

/* 1024 / 1.25^nice, from nice -20 on, as the CPU scheduler has it */
static const u32 nice_to_share[] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
};

static const char * const policy_names[GVT_SCHED_POLICIES] = {
	[GVT_SCHED_STRICT] = "strict",
	[GVT_SCHED_WORK_CONSERVING] = "work-conserving",
	[GVT_SCHED_FAIR] = "fair",
};

static const char * const dispatch_names[GVT_DISPATCHES] = {
	[GVT_DISPATCH_EXCLUSIVE] = "exclusive",
	[GVT_DISPATCH_PER_ENGINE] = "per-engine",
	[GVT_DISPATCH_PREEMPTIVE] = "preemptive",
};

/**
 * gvt_sched_policy_name - what users call a policy
 * @policy: the policy
 *
 * Return: its name.
 */
const char *gvt_sched_policy_name(enum gvt_sched_policy policy)
{
	return policy_names[policy];
}

/**
 * gvt_sched_dispatch_name - what users call a way of dispatching
 * @dispatch: the way
 *
 * Return: its name.
 */
const char *gvt_sched_dispatch_name(enum gvt_sched_dispatch dispatch)
{
	return dispatch_names[dispatch];
}

static bool is_fair(const struct gvt_sched_rq *rq)
{
	return rq->set->policy == GVT_SCHED_FAIR;
}

/**
 * gvt_sched_rq_init - prepare a run queue
 * @rq: the run queue
 * @set: the settings, which must live as long
 * @ops: what the owner wants to hear of, or NULL
 */
void gvt_sched_rq_init(struct gvt_sched_rq *rq,
		       const struct gvt_sched_settings *set,
		       const struct gvt_sched_rq_ops *ops)
{
	*rq = (struct gvt_sched_rq) {
		.set = set,
		.ops = ops,
	};
	INIT_LIST_HEAD(&rq->entities);
}

static void update_share(struct gvt_sched_entity *e)
{
	e->share = e->weight * nice_to_share[e->nice - GVT_SCHED_NICE_MIN];
}

/**
 * gvt_sched_entity_init - prepare a vGPU for scheduling
 * @e: the vGPU
 * @weight: of its type, not 0
 */
void gvt_sched_entity_init(struct gvt_sched_entity *e, u32 weight)
{
	*e = (struct gvt_sched_entity) {
		.weight = weight,
	};
	INIT_LIST_HEAD(&e->link);
	update_share(e);
}

/*
 * Charge what happened before something changes that decides whether time is
 * borrowed. Under the strict policy nothing does, and upstream, which knew of no
 * such moments, charged them to the slice that the next tick may hand out.
 */
static void account_change(struct gvt_sched_rq *rq, u64 now)
{
	if (!gvt_sched_on_ticks(rq))
		gvt_sched_account(rq, now);
}

/**
 * gvt_sched_add - let a vGPU take part
 * @rq: the run queue
 * @e: the vGPU, which may keep its work, nice, cap and counters from before
 * @now: the time
 *
 * Its turn is the next one. It gets a slice at once, of which the others learn at
 * the end of the period.
 */
void gvt_sched_add(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	account_change(rq, now);

	if (list_empty(&rq->entities)) {
		rq->stage = 0;
		rq->period_end = 0;
	}

	list_add(&e->link, &rq->entities);
	e->idle_since = now;
	e->wait_since = now;
	e->boosted = !is_fair(rq) && rq->set->boost_ms;
	e->boost_until = now + rq->set->boost_ms * NSEC_PER_MSEC;
	rq->busy += e->busy;

	gvt_slice_allot(rq);
	e->left_ns = e->slice_ns;
	gvt_fair_join(rq, e);
	gvt_cap_start(rq, e, now);
}

/**
 * gvt_sched_remove - let a vGPU take part no longer
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 */
void gvt_sched_remove(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	account_change(rq, now);

	if (rq->hold.expected == e || rq->hold.instead == e)
		gvt_fair_end_hold(rq, now, GVT_HOLD_STOPPED);
	if (rq->current_entity == e)
		rq->current_entity = NULL;

	list_del_init(&e->link);
	rq->busy -= e->busy;
	gvt_slice_allot(rq);
}

/**
 * gvt_sched_enqueue - a vGPU has a workload more
 * @rq: the run queue
 * @e: the vGPU; when it does not take part, this is remembered
 * @now: the time
 */
void gvt_sched_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (e->busy)
		return;

	account_change(rq, now);
	e->busy = true;
	e->wait_since = now;
	if (!gvt_sched_is_added(e))
		return;

	rq->busy++;
	if (is_fair(rq))
		gvt_fair_enqueue(rq, e, now);
}

/**
 * gvt_sched_idle - a vGPU has no workload left
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 */
void gvt_sched_idle(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	if (!e->busy)
		return;

	account_change(rq, now);
	e->busy = false;
	e->idle_since = now;
	if (!gvt_sched_is_added(e))
		return;

	rq->busy--;
	if (is_fair(rq))
		gvt_fair_idle(rq);
}

/**
 * gvt_sched_used - a vGPU has executed for a while
 * @rq: the run queue
 * @e: the vGPU
 * @exec_ns: for how long it executed since the last call
 * @now: the time
 *
 * With exclusive dispatch slices are charged by gvt_sched_account() instead, as
 * upstream did.
 */
void gvt_sched_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		    u64 exec_ns, u64 now)
{
	e->served_ns += exec_ns;
	if (exec_ns && gvt_sched_is_shared(rq))
		e->wait_since = now;
	gvt_cap_charge(rq, e, exec_ns, now);
	if (is_fair(rq))
		gvt_fair_used(rq, e, exec_ns, now);
	else if (gvt_sched_is_shared(rq))
		gvt_slice_used(rq, e, exec_ns, now);
}

/**
 * gvt_sched_charge - a workload has finished
 * @rq: the run queue
 * @e: its vGPU
 * @exec_ns: for how long the vGPU executed since it was charged last
 * @now: the time
 */
void gvt_sched_charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		      u64 exec_ns, u64 now)
{
	e->wait_since = now;
	gvt_sched_used(rq, e, exec_ns, now);
	if (is_fair(rq))
		gvt_fair_learn_service(e);
	e->served_ns = 0;
}

/**
 * gvt_sched_period - hand out slices if a period has ended
 * @rq: the run queue
 * @now: the time
 *
 * Call at each tick under the strict policy; gvt_sched_pick() does it under the
 * others.
 */
void gvt_sched_period(struct gvt_sched_rq *rq, u64 now)
{
	if (!is_fair(rq))
		gvt_slice_period(rq, now);
}

/**
 * gvt_sched_account - charge the current vGPU's slice for the time up to now
 * @rq: the run queue
 * @now: the time
 */
void gvt_sched_account(struct gvt_sched_rq *rq, u64 now)
{
	if (is_fair(rq))
		return;

	/* Time before a period's end is not charged to the slice of the next one */
	if (!gvt_sched_on_ticks(rq))
		gvt_slice_period(rq, now);
	gvt_slice_account(rq, now);
}

/**
 * gvt_sched_pick - choose who runs next
 * @rq: the run queue
 * @now: the time
 *
 * May be called at any time and as often as wanted. The choice takes effect with
 * gvt_sched_switch().
 *
 * Return: the choice.
 */
struct gvt_sched_choice gvt_sched_pick(struct gvt_sched_rq *rq, u64 now)
{
	if (is_fair(rq))
		return gvt_fair_pick(rq, now);

	account_change(rq, now);
	return gvt_slice_pick(rq, now);
}

static bool can_be_taken_off(const struct gvt_sched_rq *rq,
			     const struct gvt_sched_entity *e)
{
	return e && gvt_sched_makes_way(rq, e);
}

/**
 * gvt_sched_ahead - who will run when the present workload has finished
 * @rq: the run queue, on whose engine a workload of the current vGPU executes
 * @now: the time
 *
 * Return: the choice of another vGPU than the current one; of none if there is none,
 * or if it depends on what comes.
 */
struct gvt_sched_choice gvt_sched_ahead(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = is_fair(rq) ? gvt_fair_ahead(rq, now) :
						       gvt_slice_ahead(rq, now);

	/* What cannot be put off again would keep others from the engine before its turn */
	if (can_be_taken_off(rq, rq->current_entity) && !can_be_taken_off(rq, choice.next))
		choice.next = NULL;

	return choice;
}

/**
 * gvt_sched_fills_gaps - whether a vGPU may run whenever nobody else does
 * @rq: the run queue
 * @e: the vGPU
 *
 * Return: true if its workloads may be put behind those of the others, because
 * they can be taken off the engine again.
 */
bool gvt_sched_fills_gaps(const struct gvt_sched_rq *rq,
			  const struct gvt_sched_entity *e)
{
	return gvt_sched_makes_way(rq, e) && !e->cap &&
	       rq->set->policy != GVT_SCHED_STRICT;
}

/**
 * gvt_sched_before - whether one waiting vGPU goes before another one
 * @rq: the run queue
 * @a: the one
 * @b: the other one
 * @now: the time
 *
 * Return: true if @a does.
 */
bool gvt_sched_before(struct gvt_sched_rq *rq, struct gvt_sched_entity *a,
		      struct gvt_sched_entity *b, u64 now)
{
	return is_fair(rq) ? gvt_fair_before(a, b) : gvt_slice_before(rq, a, b, now);
}

/**
 * gvt_sched_switch - a vGPU begins its turn
 * @rq: the run queue
 * @e: the vGPU, or NULL for nobody
 * @now: the time
 */
void gvt_sched_switch(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	gvt_sched_account(rq, now);
	if (e && !is_fair(rq))
		gvt_slice_turn(rq, e);
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
 * Takes effect with the next workload under the fair policy, with the next period
 * under the others.
 */
void gvt_sched_set_nice(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, int nice)
{
	e->nice = nice;
	update_share(e);
	gvt_slice_allot(rq);
}

/**
 * gvt_sched_set_cap - change a vGPU's cap
 * @rq: the run queue
 * @e: the vGPU
 * @cap: per cent, 0 for none
 * @now: the time
 */
void gvt_sched_set_cap(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		       u32 cap, u64 now)
{
	e->cap = cap;
	gvt_cap_start(rq, e, now);
}

/**
 * gvt_sched_changed - begin anew after a change of settings
 * @rq: the run queue, whose settings have been changed
 * @now: the time
 *
 * Nobody keeps debt, leftover, credit or a boost from before.
 */
void gvt_sched_changed(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e;

	gvt_fair_end_hold(rq, now, GVT_HOLD_STOPPED);
	gvt_slice_allot(rq);
	rq->stage = 0;
	rq->period_end = 0;
	rq->charged_until = now;

	list_for_each_entry(e, &rq->entities, link) {
		e->left_ns = e->slice_ns;
		e->boosted = false;
		e->served_ns = 0;
		gvt_fair_join(rq, e);
		gvt_cap_start(rq, e, now);
	}
}
