// SPDX-License-Identifier: GPL-2.0-only

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_cap.h"
#include "sched_fair.h"

/**
 * DOC: fair policy
 *
 * Start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996) over vGPUs. Each
 * workload has a start tag, the virtual time at which it would begin if the GPU
 * could be divided; the workload with the smallest tag goes next, and moves its
 * vGPU's next tag on by its measured execution time over the vGPU's share. The
 * virtual time of the run queue is the smallest tag of those that have work. A
 * vGPU that comes back takes the later of that and its own tag: time that it did
 * not use is gone, and time that it used while nobody else had work is no debt.
 *
 * With workloads that cannot be taken off the GPU this is not enough. A vGPU that
 * computes between its workloads has none queued at the moment at which the GPU
 * becomes free, so the GPU goes to the other one, for 800 ms perhaps, every time.
 * So, as disk schedulers do (Iyer and Druschel, Anticipatory Scheduling, SOSP
 * 2001), nothing is run for a moment if a vGPU
 *
 * - is owed more time than the wait is expected to cost,
 * - usually comes back sooner than the other's workload takes,
 * - usually comes back within anticipation_ms, and
 * - makes use of at least half of the time that is so kept for it.
 *
 * Where workloads can be taken off the engine, none of this is needed. What a vGPU
 * did not use while it was away for a moment is then owed to it instead, up to
 * anticipation_ms: without it a vGPU that computes between its workloads would get
 * less than its share for every pause. Pauses of less than a 32nd of its workloads
 * cost it next to nothing, and are not made up for: after a pause between two of
 * 800 ms others would have to wait for as long in the midst of one of theirs.
 *
 * No vGPU waits longer than max_wait_ms for its turn, plus the workloads that are
 * on the GPU or overdue before it.
 */

/* vtime advances by this many units per nanosecond at a share of 1 */
#define VTIME_SCALE 16384

/* Means follow new samples with this weight, as 1 / 2^n */
#define MEAN_SHIFT 2

/* A pause is short beside workloads that take so many times as long */
#define SHORT_PAUSE 32

/* A vGPU must have come with work so often before its next pause is predicted */
#define THINKS_KNOWN 2

static u64 to_vtime(const struct gvt_sched_entity *e, u64 exec_ns)
{
	return mul_u64_u32_div(exec_ns, VTIME_SCALE, e->share);
}

static s64 to_exec_ns(const struct gvt_sched_entity *e, s64 vtime)
{
	s64 exec_ns = mul_u64_u32_div(abs(vtime), e->share, VTIME_SCALE);

	return vtime < 0 ? -exec_ns : exec_ns;
}

/* By how much a is ahead of b; tags may wrap */
static s64 vtime_ahead(u64 a, u64 b)
{
	return (s64)(a - b);
}

static void follow_mean(u64 *mean_ns, u64 sample_ns)
{
	*mean_ns += ((s64)(sample_ns - *mean_ns)) >> MEAN_SHIFT;
}

/* How much of what a vGPU did not use, or its cap kept it from using, is owed to it */
static u64 most_credit(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	if (!gvt_sched_is_preemptive(rq) || e->think_ns * SHORT_PAUSE < e->service_ns)
		return 0;

	return to_vtime(e, rq->set->anticipation_ms * NSEC_PER_MSEC);
}

static void forget_credit(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e)
{
	u64 least = rq->vclock - most_credit(rq, e);

	if (vtime_ahead(least, e->vtime) > 0)
		e->vtime = least;
}

/* Move the virtual time on to the smallest tag of those that have work and may run */
static void advance_clock(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e, *least = rq->hold.expected;

	list_for_each_entry(e, &rq->entities, link) {
		if (e->busy && !gvt_cap_throttled(rq, e, now, NULL) &&
		    (!least || vtime_ahead(e->vtime, least->vtime) < 0))
			least = e;
	}

	if (least && vtime_ahead(least->vtime, rq->vclock) > 0)
		rq->vclock = least->vtime;
}

/*
 * When the last vGPU runs out of work, all is settled: whoever comes next starts
 * level with the one that had most.
 */
static void settle(struct gvt_sched_rq *rq)
{
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (vtime_ahead(e->vtime, rq->vclock) > 0)
			rq->vclock = e->vtime;
	}
}

/**
 * gvt_fair_join - let a vGPU start level with the others
 * @rq: the run queue
 * @e: the vGPU
 */
void gvt_fair_join(struct gvt_sched_rq *rq, struct gvt_sched_entity *e)
{
	e->vtime = rq->vclock;
	e->thinks = 0;
}

static void learn_think(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	/* A long absence says no more than that it was too long to wait for */
	u64 most_ns = 2 * rq->set->anticipation_ms * NSEC_PER_MSEC;
	u64 sample_ns = min(now - e->idle_since, most_ns);

	if (e->thinks == THINKS_KNOWN) {
		follow_mean(&e->think_dev_ns, abs_diff(sample_ns, e->think_ns));
		follow_mean(&e->think_ns, sample_ns);
		return;
	}

	/* What passed before the first workload was no pause */
	e->think_ns = e->thinks ? sample_ns : 0;
	e->think_dev_ns = 0;
	e->thinks++;
}

/**
 * gvt_fair_end_hold - do not wait for a vGPU any longer
 * @rq: the run queue
 * @now: the time
 * @result: how the wait ended
 */
void gvt_fair_end_hold(struct gvt_sched_rq *rq, u64 now, enum gvt_hold_result result)
{
	struct gvt_sched_hold *hold = &rq->hold;

	if (!hold->expected)
		return;

	hold->expected->held_ns += now - hold->since;
	if (rq->ops && rq->ops->hold_ended)
		rq->ops->hold_ended(rq, hold, now, result);

	*hold = (struct gvt_sched_hold) {};
}

/**
 * gvt_fair_enqueue - a vGPU that had no work has some
 * @rq: the run queue
 * @e: the vGPU, marked busy
 * @now: the time
 */
void gvt_fair_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	learn_think(rq, e, now);

	forget_credit(rq, e);
	if (rq->hold.expected == e)
		gvt_fair_end_hold(rq, now, GVT_HOLD_CAME);
}

/**
 * gvt_fair_idle - a vGPU has no work any more
 * @rq: the run queue, which does not count the vGPU as busy any more
 */
void gvt_fair_idle(struct gvt_sched_rq *rq)
{
	if (!rq->busy)
		settle(rq);
}

/**
 * gvt_fair_used - a vGPU has executed for a while
 * @rq: the run queue
 * @e: the vGPU
 * @exec_ns: for how long
 * @now: the time
 */
void gvt_fair_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns,
		   u64 now)
{
	e->vtime += to_vtime(e, exec_ns);
	advance_clock(rq, now);
}

/**
 * gvt_fair_learn_service - learn from a workload that has finished
 * @e: its vGPU
 */
void gvt_fair_learn_service(struct gvt_sched_entity *e)
{
	if (e->service_ns)
		follow_mean(&e->service_ns, e->served_ns);
	else
		e->service_ns = e->served_ns;
}

static bool may_run(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now,
		    u64 *wake_at)
{
	if (!e->busy)
		return false;

	forget_credit(rq, e);
	return !gvt_cap_throttled(rq, e, now, wake_at);
}

static bool overdue(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
		    u64 now)
{
	return e != rq->current_entity &&
	       now - e->wait_since >= rq->set->max_wait_ms * NSEC_PER_MSEC;
}

/* The vGPU that has waited for longest of those that have waited for too long */
static struct gvt_sched_entity *most_overdue(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e, *most = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (may_run(rq, e, now, NULL) && overdue(rq, e, now) &&
		    (!most || e->wait_since < most->wait_since))
			most = e;
	}

	return most;
}

/* When, before a given time, somebody will have waited for too long */
static u64 first_overdue(const struct gvt_sched_rq *rq, u64 before)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e->busy && e != rq->current_entity)
			before = min(before, e->wait_since +
				     rq->set->max_wait_ms * NSEC_PER_MSEC);
	}

	return before;
}

/**
 * gvt_fair_before - whether one vGPU goes before another one
 * @a: the one
 * @b: the other one
 *
 * Return: true if @a has the smaller tag, or the same and shorter workloads.
 */
bool gvt_fair_before(const struct gvt_sched_entity *a, const struct gvt_sched_entity *b)
{
	s64 ahead = vtime_ahead(a->vtime, b->vtime);

	return ahead < 0 || (!ahead && a->service_ns < b->service_ns);
}

static struct gvt_sched_entity *most_owed(struct gvt_sched_rq *rq, u64 now,
					  const struct gvt_sched_entity *except,
					  u64 *wake_at)
{
	struct gvt_sched_entity *e, *most = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != except && may_run(rq, e, now, wake_at) &&
		    (!most || gvt_fair_before(e, most)))
			most = e;
	}

	return most;
}

/* Whether the current vGPU, though not the most owed one, keeps its turn */
static bool keeps_turn(struct gvt_sched_rq *rq, const struct gvt_sched_entity *next,
		       u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;

	return e && e != next && may_run(rq, e, now, NULL) &&
	       to_exec_ns(e, vtime_ahead(e->vtime, next->vtime)) <
	       (s64)gvt_sched_turn_ns(rq);
}

/* Whether a workload was taken off the engine for a turn that has only just begun */
static bool has_begun(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;

	return gvt_sched_is_preemptive(rq) && e &&
	       now - rq->turn_since < gvt_sched_turn_ns(rq) && may_run(rq, e, now, NULL);
}

/*
 * When a vGPU whose workload can be taken off the engine will have had its turn, or,
 * if nobody waits for that, when a cap ends
 */
static u64 turn_ends(struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	u64 since = e == rq->current_entity ? rq->turn_since : now;
	const struct gvt_sched_entity *next;
	s64 turn_ns = gvt_sched_turn_ns(rq);
	u64 end, wake_at = 0;

	if (!gvt_sched_makes_way(rq, e))
		return 0;

	next = most_owed(rq, now, e, &wake_at);
	if (!next)
		return wake_at;

	turn_ns -= to_exec_ns(e, vtime_ahead(e->vtime, next->vtime));
	end = first_overdue(rq, now + max(turn_ns, GVT_SCHED_LEAST_TURN_NS));
	end = max(end, since + gvt_sched_turn_ns(rq));
	if (e->cap)
		end = min(end, now + max(e->cap_left_ns, GVT_SCHED_LEAST_TURN_NS));
	return end;
}

/*
 * Until when to wait for a vGPU that has no work rather than run @instead, 0 for
 * not at all.
 */
static u64 worth_waiting(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
			 const struct gvt_sched_entity *instead, u64 now)
{
	u64 window_ns = e->think_ns + 2 * e->think_dev_ns;
	s64 owed_ns = to_exec_ns(e, vtime_ahead(instead->vtime, e->vtime));

	if (e->busy || e->thinks < THINKS_KNOWN || gvt_cap_throttled(rq, e, now, NULL))
		return 0;
	if (e->think_ns >= rq->set->anticipation_ms * NSEC_PER_MSEC ||
	    e->think_ns >= owed_ns || e->think_ns >= instead->service_ns ||
	    e->think_ns > e->service_ns)
		return 0;

	/* Timers and the way of a workload through the driver take their time, too */
	window_ns = max(window_ns + window_ns / 4, 200 * NSEC_PER_USEC);
	return e->idle_since +
	       min(window_ns, rq->set->anticipation_ms * NSEC_PER_MSEC);
}

/* The vGPU to wait for rather than run @instead */
static struct gvt_sched_entity *worth_most(struct gvt_sched_rq *rq,
					   const struct gvt_sched_entity *instead,
					   u64 now, u64 *until)
{
	struct gvt_sched_entity *e, *expected = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		u64 end = worth_waiting(rq, e, instead, now);

		if (end > now && (!expected || vtime_ahead(e->vtime, expected->vtime) < 0)) {
			expected = e;
			*until = end;
		}
	}

	return expected;
}

/* Whether nothing shall run for now; begins or continues that */
static bool hold(struct gvt_sched_rq *rq, struct gvt_sched_entity *instead, u64 now)
{
	u64 until = 0;
	struct gvt_sched_entity *expected = worth_most(rq, instead, now, &until);

	if (expected == rq->hold.expected)
		return expected;

	gvt_fair_end_hold(rq, now, now >= rq->hold.until ? GVT_HOLD_EXPIRED :
						       GVT_HOLD_STOPPED);
	if (expected)
		rq->hold = (struct gvt_sched_hold) {
			.expected = expected,
			.instead = instead,
			.since = now,
			.until = until,
		};

	return expected;
}

/**
 * gvt_fair_pick - choose who runs next
 * @rq: the run queue
 * @now: the time
 *
 * Return: the choice; nobody while an expected vGPU is waited for.
 */
struct gvt_sched_choice gvt_fair_pick(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;
	struct gvt_sched_choice choice = {};

	choice.next = has_begun(rq, now) ? NULL : most_overdue(rq, now);
	if (choice.next) {
		gvt_fair_end_hold(rq, now, GVT_HOLD_STOPPED);
		choice.reason = GVT_SWITCH_OVERDUE;
		choice.wake_at = turn_ends(rq, choice.next, now);
		return choice;
	}

	choice.next = most_owed(rq, now, NULL, &choice.wake_at);
	if (!choice.next) {
		gvt_fair_end_hold(rq, now, GVT_HOLD_STOPPED);
		return choice;
	}

	choice.reason = e && e->busy ? GVT_SWITCH_OWED : GVT_SWITCH_IDLE;
	if (has_begun(rq, now) || keeps_turn(rq, choice.next, now))
		choice.next = e;
	choice.wake_at = turn_ends(rq, choice.next, now);

	/* While a workload executes the GPU is not kept idle for anybody */
	if (rq->executing || gvt_sched_makes_way(rq, choice.next)) {
		gvt_fair_end_hold(rq, now, GVT_HOLD_STOPPED);
	} else if (hold(rq, choice.next, now)) {
		choice.wake_at = first_overdue(rq, rq->hold.until);
		choice.next = NULL;
	}

	return choice;
}

/**
 * gvt_fair_ahead - who will run when the present workload has finished
 * @rq: the run queue
 * @now: the time
 *
 * Return: the choice.
 */
struct gvt_sched_choice gvt_fair_ahead(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_choice choice = { .reason = GVT_SWITCH_OWED };
	struct gvt_sched_entity *e = rq->current_entity;
	struct gvt_sched_entity *next = most_owed(rq, now, e, NULL);
	u64 until, rest_ns;

	if (!e || !next)
		return choice;

	/* Its present workload is expected to take as long as the others did */
	rest_ns = max(e->service_ns, e->served_ns) - e->served_ns;
	if (vtime_ahead(next->vtime, e->vtime + to_vtime(e, rest_ns)) > 0 ||
	    (!gvt_sched_makes_way(rq, next) && worth_most(rq, next, now, &until)))
		return choice;

	choice.next = next;
	return choice;
}
