// SPDX-License-Identifier: GPL-2.0-only

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "sched_fair_time.h"

/**
 * DOC: fair policy
 *
 * A vGPU's share is its part of the weights of all vGPUs that have work, or had work less than
 * anticipation_ms (20 ms) ago. A turn is 1 ms. A vGPU that has waited for max_wait_ms (1 s) is
 * overdue.
 *
 * Each vGPU has a vruntime: the engine time that it used, divided by its weight. The vGPU with
 * the smallest vruntime goes next, as in start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM
 * 1996), and keeps the engine until it is ahead by a turn; with per-engine dispatch, until it is
 * ahead at all.
 *
 * The time that a vGPU used is its execution time, plus the time that the engine idles in its
 * turn, between two workloads, while it and others have work. With short workloads execution
 * time alone would be next to nothing, and the vGPU would take the idle time between its
 * workloads from the others at no charge. The time for which the engine is kept idle for the
 * vGPU (see below) is not part of it.
 *
 * When a vGPU gets work, the others' vruntimes say what it may have. A workload of theirs that
 * runs to completion does not count in that before its end, as in start-time fair queueing, too:
 * waiting for that end is enough of a delay.
 *
 * A vGPU that is owed time when it runs out of work (its lag, as in the CPU scheduler's EEVDF,
 * and measured against the mean of the others as there) is still owed that time if it gets work
 * again within max_wait_ms. The lag is limited to the vGPU's share of 100 ms plus the time in
 * which each of the others has the engine once: the vGPU may have had to wait that long in one
 * go, and did not ask for more. The vGPU's share of the pause is added, up to its share of
 * 100 ms: a share is a part of all time, not of the time with work, and a vGPU that computes
 * between its workloads would otherwise lose time in every pause. Whatever the limits say, its
 * usual pause stays owed if that is shorter than anticipation_ms, plus up to 4 ms. Nor does a
 * pause put the vGPU further behind the first of the others than by what it could have executed in
 * the pause: the mean may be far ahead of that one. All this limits what is forgotten: a vGPU in
 * debt stays in debt. Pauses shorter than a 32nd of the vGPU's workloads cost it next to nothing
 * and are not made up for: else, after a pause between two workloads of 800 ms, others would have
 * to wait as long in the midst of theirs.
 *
 * A vGPU is in debt if it executed more than its share, as its workloads could not be preempted
 * or as it was overdue. When a workload begins, its vGPU's debt from earlier ones is cut to what
 * the others need 10 s to catch up with, or to 100 ms if no other vGPU has work then; the workload
 * itself is charged in full. When no vGPU has had work for anticipation_ms, all debts end.
 *
 * A vGPU that pauses has nothing queued at the moment when the engine becomes free. If the
 * engine goes to another vGPU, the pausing vGPU has to wait until that one finishes its
 * workload or, with preemptive dispatch, reaches its next preemption point, whose distance is
 * learned from every hand-over. If the pause is expected to be shorter than that wait, the engine
 * may be kept idle for a moment, as disks are (Iyer and Druschel, Anticipatory Scheduling, SOSP
 * 2001). That is a purchase. The cost: the engine idles, also when the vGPU does not come back in
 * time. The gain: the vGPU executes more than if others had their turns in its pauses. Both are
 * computed from the lengths of its past pauses and its execution time between them, with and
 * without a preceding wait: a vGPU that submits by a clock has more to do after a wait, and gains
 * nothing. After 16 waits in a row, what the vGPU executed without a wait is forgotten, since the
 * vGPU may have changed. The expected cost never exceeds the expected gain. If the cost is r
 * times the gain less the cost, and r is more than 1, the vGPU is charged r - 1 times the idle
 * time; otherwise all vGPUs bear the cost. The engine is kept idle only for a vGPU that is
 * owed more time than its usual pause, and more than the charge; for at most anticipation_ms, or
 * the shorter time at which the vGPU's execution less the idle time is the largest part of all
 * time; and only if no other vGPU is overdue, unless the expected one has less than its
 * guaranteed minimum. In total it is kept idle for a vGPU for at most as
 * long as the vGPU executed, plus anticipation_ms, whatever its guest makes the scheduler expect.
 *
 * For the same reason a vGPU fills the gaps of others only if it usually reaches a preemption
 * point within two turns. And it gets the engine in a gap, even with a workload that i915 has
 * already, only if it is not ahead of any waiting vGPU by more than a turn and its preempt latency:
 * else it would have the engine for that long in each gap between short workloads that follow each
 * other at once, and nearly always if these are short enough. Nor is a workload put behind one that
 * runs to completion while a pausing vGPU is expected back before the end of that one.
 *
 * An overdue vGPU goes next: after the workloads on the GPU, vGPUs that were overdue earlier, and
 * vGPUs below their guaranteed minimum, each to the end of a workload. The host's work and caps
 * can add to that. The guaranteed minimum is half of a vGPU's share, or of the time that its usual
 * pauses below anticipation_ms leave it. A waiting vGPU with less, and with a smaller vruntime,
 * goes before an overdue one, and the engine may be kept idle for it although another one is
 * overdue. That is all: for a vGPU whose pauses are not worth their cost nothing is kept idle, and
 * beside long workloads that cannot be preempted it does not get its minimum.
 *
 * With preemptive dispatch a turn lasts for at least a millisecond, to bound the number of
 * hand-overs, or 0.1 ms if the vGPU is slow to preempt. A vGPU that comes back after a pause may
 * cut into such a turn, but no more than once in 5 ms: if it uses less than its share, it waits
 * for the next preemption point only.
 */

/*
 * Pauses up to a 32nd of the workloads between them are not made up for, pauses of more than
 * twice that are made up for in full, pauses in between in part.
 */
#define SHORT_PAUSE 32

/* The credit for pauses may exceed the length of one pause by this much */
#define CREDIT_SLACK_NS (4 * GVT_SCHED_TURN_NS)

/*
 * The time owed to a vGPU grows in a pause up to the vGPU's share of this time. Lag from before
 * the pause is kept up to at least the same amount.
 */
#define LAG_NS (100 * NSEC_PER_MSEC)

/*
 * The others never need longer than this to catch up with a vGPU: shares are kept over this time.
 * A guest whose workloads nobody could preempt for an hour is not starved for the next one.
 */
#define DEBT_NS (10 * NSEC_PER_SEC)

/*
 * The vruntime at the start of the executing workload, if that runs to completion: a vGPU that
 * gets work meanwhile has to wait for the workload's end, and must not be owed less for that.
 */
static u64 start_tag(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return runs_to_end(rq, e) ? e->vruntime - to_vruntime(e, e->served_ns) : e->vruntime;
}

static bool is_away_for_a_moment(const struct gvt_sched_rq *rq,
				 const struct gvt_sched_entity *e, u64 now)
{
	return !e->busy && now - e->idle_since < rq->mode.anticipation_ns;
}

static u64 active_shares(const struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *e;
	u64 shares = 0;

	list_for_each_entry(e, &rq->entities, link) {
		if (e->busy || is_away_for_a_moment(rq, e, now))
			shares += e->share;
	}

	return max(shares, 1ULL);
}

/* The part of a pause that is made up for, which depends on the length of the workloads */
static s64 real_pause_ns(const struct gvt_sched_entity *e, s64 pause_ns)
{
	s64 short_ns = gvt_sched_mean_ns(&e->service) / SHORT_PAUSE;

	return clamp(2 * (pause_ns - short_ns), 0LL, pause_ns);
}

/* The time that a vGPU is owed for its usual pauses in any case */
static s64 pause_credit_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	s64 most_ns = gvt_sched_most_ns(&e->think);

	if (!e->think.samples)
		return e->came ? 2 * GVT_SCHED_TURN_NS : 0;

	most_ns = real_pause_ns(e, min_t(s64, most_ns, rq->mode.anticipation_ns));
	return most_ns + min_t(s64, most_ns, CREDIT_SLACK_NS);
}

/* How long a vGPU may have to wait while each of the others has the engine once */
static u64 others_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	const struct gvt_sched_entity *other;
	u64 others_ns = 0;

	list_for_each_entry(other, &rq->entities, link) {
		if (other != e)
			others_ns += costs_ns(rq, other);
	}

	return others_ns;
}

/*
 * The time owed to a vGPU that comes back: its lag when it ran out of work, as far as others can
 * have kept it waiting in one go, plus its share of the pause, which cannot raise the sum above
 * its share of %LAG_NS.
 */
static s64 lag_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	u64 shares = active_shares(rq, now), pause_ns = now - e->idle_since;
	s64 most_ns = mul_u64_u64_div_u64(LAG_NS, e->share, shares), lag_ns = 0;

	if (!e->came)
		return 0;
	if (pause_ns < rq->mode.max_wait_ns)
		lag_ns = min_t(s64, e->lag_ns,
			       most_ns + mul_u64_u64_div_u64(others_ns(rq, e), e->share, shares));

	pause_ns = real_pause_ns(e, pause_ns);
	pause_ns = mul_u64_u64_div_u64(pause_ns, e->share, shares);
	return min_t(s64, lag_ns + pause_ns, max(lag_ns, most_ns));
}

/* Whether mean_vruntime() includes a vGPU */
static bool counts(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	return e->busy || is_away_for_a_moment(rq, e, now);
}

/*
 * Mean vruntime, weighted by share, of the vGPUs other than @except that have work or are away
 * for a moment. Unlike the smallest vruntime, it does not jump when one of them comes or goes.
 */
static u64 mean_vruntime(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *except,
			 u64 now)
{
	s64 sum = 0, shares = 0, ahead, most = 0;
	const struct gvt_sched_entity *e;
	int shift;

	list_for_each_entry(e, &rq->entities, link) {
		if (e == except || !counts(rq, e, now))
			continue;
		ahead = vruntime_ahead(start_tag(rq, e), rq->min_vruntime);
		most = max(most, abs(ahead));
		shares += e->share;
	}
	if (!shares)
		return rq->min_vruntime;

	/* 0 unless workloads take days, and then the lost digits do not matter */
	shift = max(fls64(most) + fls64(shares) - 63, 0);
	list_for_each_entry(e, &rq->entities, link) {
		if (e == except || !counts(rq, e, now))
			continue;
		ahead = vruntime_ahead(start_tag(rq, e), rq->min_vruntime);
		sum += (ahead >> shift) * e->share;
	}

	return rq->min_vruntime + ((u64)div64_s64(sum, shares) << shift);
}

/* The smallest by vruntime of the vGPUs that count, but @except, or of those not throttled */
static const struct gvt_sched_entity *first(const struct gvt_sched_rq *rq,
					    const struct gvt_sched_entity *except,
					    bool throttled, u64 now)
{
	const struct gvt_sched_entity *e, *least = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (e == except || !counts(rq, e, now) ||
		    (!throttled && gvt_cap_throttled(rq, e, now, NULL)))
			continue;
		if (!least || vruntime_ahead(start_tag(rq, e), start_tag(rq, least)) < 0)
			least = e;
	}

	return least;
}

/*
 * Place a vGPU that comes back at the others' mean vruntime less the time that it is owed, or at
 * the smallest vruntime less its credit for pauses, whichever is earlier. Behind the first of the
 * others, a pause costs no more than what the vGPU could have executed in it.
 */
static void place(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	u64 pause_ns = min_t(u64, now - e->idle_since, DEBT_NS), level;
	const struct gvt_sched_entity *other = first(rq, e, true, now);
	s64 credit_ns = pause_credit_ns(rq, e);

	level = earlier(rq->min_vruntime - to_vruntime(e, credit_ns),
			mean_vruntime(rq, e, now) -
			to_vruntime(e, max(credit_ns, lag_ns(rq, e, now))));
	if (other)
		level = earlier(level, later(start_tag(rq, other),
					     e->vruntime + to_vruntime(e, pause_ns)));
	e->vruntime = later(e->vruntime, level);
}

static void learn_think(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	u64 pause_ns = now - e->idle_since;

	/* The time before the first workload was no pause */
	if (!e->came) {
		e->came = true;
		return;
	}

	gvt_fair_learn_pause(e, pause_ns, rq->mode.anticipation_ns);
	/* Of a long pause only the fact that it was too long to wait for matters */
	if (pause_ns < rq->mode.anticipation_ns)
		gvt_sched_learn(&e->think, pause_ns);
}

/* The guaranteed minimum */

/* A vGPU's guaranteed minimum of @ns: half of its share, or of the time that it wants */
static s64 least_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 ns,
		    u64 now)
{
	u64 run_ns = gvt_fair_run_ns(e), think_ns = gvt_sched_mean_ns(&e->think);
	u64 shares = max_t(u64, active_shares(rq, now), e->share);
	u64 share_ns = mul_u64_u64_div_u64(ns, e->share, shares);

	if (run_ns)
		share_ns = min(share_ns, mul_u64_u64_div_u64(ns, run_ns, run_ns + think_ns));
	return share_ns / 2;
}

/* How much a vGPU lacks to its guaranteed minimum, limited to what it loses in one wait */
static s64 floor_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	s64 floor_ns = e->floor_ns;

	if (e->busy || is_away_for_a_moment(rq, e, now))
		floor_ns += least_ns(rq, e, now - e->floor_at, now);

	return min(floor_ns, least_ns(rq, e, rq->mode.max_wait_ns + others_ns(rq, e), now));
}

/**
 * gvt_fair_starves - whether a vGPU has less than its guaranteed minimum
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 *
 * Return: true if the vGPU lacks more than a turn.
 */
bool gvt_fair_starves(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	return floor_ns(rq, e, now) > (s64)GVT_SCHED_TURN_NS;
}

static void update_floor(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
			 u64 exec_ns, u64 now)
{
	u64 most_ns = rq->mode.max_wait_ns + others_ns(rq, e);

	/* More than the minimum counts for as long as less than it, and one workload */
	e->floor_ns = max(floor_ns(rq, e, now) - (s64)exec_ns,
			  -least_ns(rq, e, most_ns, now) - (s64)costs_ns(rq, e));
	e->floor_at = now;
}

/* The virtual time */

/*
 * Advance min_vruntime to the smallest of the vGPUs with work and of the expected one. Throttled
 * ones count: a vGPU placed beyond them would have to wait until they have used as much.
 */
static void update_min_vruntime(struct gvt_sched_rq *rq)
{
	const struct gvt_sched_entity *e, *least = rq->hold.expected;

	list_for_each_entry(e, &rq->entities, link) {
		if (!e->busy)
			continue;
		if (!least || vruntime_ahead(start_tag(rq, e), start_tag(rq, least)) < 0)
			least = e;
	}

	if (least)
		rq->min_vruntime = later(rq->min_vruntime, start_tag(rq, least));
}

/* A vGPU is not owed the time that its cap keeps it from using */
static void forget_throttled(struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *least = first(rq, NULL, false, now);
	struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (least && e->busy && gvt_cap_throttled(rq, e, now, NULL))
			e->vruntime = later(e->vruntime, start_tag(rq, least) -
					    to_vruntime(e, pause_credit_ns(rq, e)));
	}
}

/*
 * When no vGPU has had work for a while, all debts are settled: the first one to get work starts
 * level with the one that has had most.
 */
static void settle(struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *e;

	if (rq->busy > 1 || now - rq->idle_since < rq->mode.anticipation_ns)
		return;

	list_for_each_entry(e, &rq->entities, link)
		rq->min_vruntime = later(rq->min_vruntime, e->vruntime);
}

/*
 * Limit the debt of a vGPU whose workload has begun at @since: to what the others need %DEBT_NS to
 * catch up with or, if no other vGPU had work then, so that the vGPU took the engine from nobody,
 * %LAG_NS, as the lag of a vGPU that comes back. The others are placed by the mean vruntime, in
 * which a large debt outweighs a small share.
 */
static void limit_debt(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 since,
		       u64 now)
{
	const struct gvt_sched_entity *other;
	u64 shares = 0, most_ns = LAG_NS, level;

	list_for_each_entry(other, &rq->entities, link) {
		if (other == e || !counts(rq, other, now))
			continue;
		if (other->busy && other->ready_since < since)
			most_ns = DEBT_NS;
		shares += other->share;
	}
	if (!shares)
		return;

	level = mean_vruntime(rq, e, now) + mul_u64_u32_div(most_ns, VRUNTIME_SCALE, shares);
	e->vruntime = earlier(e->vruntime, level);
}

/* Operations; see &struct gvt_policy_ops */

void gvt_fair_add(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	e->vruntime = rq->min_vruntime;
	e->lag_ns = 0;
	e->run_ns = 0;
	e->run = (struct gvt_sched_mean) {};
	e->late_run = (struct gvt_sched_mean) {};
	e->budget_ns = 0;
	e->floor_ns = 0;
	e->floor_at = now;
	e->came = e->busy;
	memset(e->pauses, 0, sizeof(e->pauses));
	memset(e->paused_ns, 0, sizeof(e->paused_ns));
	e->think = (struct gvt_sched_mean) {};
}

/* The vGPU loses its credit, but not its debt */
void gvt_fair_come_back(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	s64 floor_ns = min(e->floor_ns, 0LL), budget_ns = min(e->budget_ns, 0LL);
	u64 vruntime = e->vruntime;

	gvt_fair_add(rq, e, now);
	e->budget_ns = budget_ns;
	e->floor_ns = floor_ns;
	e->vruntime = later(e->vruntime, vruntime);
}

void gvt_fair_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	settle(rq, now);
	e->woken = now - e->idle_since >= GVT_SCHED_TURN_NS;
	e->ready_since = now;
	update_floor(rq, e, 0, now);
	/* If the others are gone for a moment, by a reset, the vGPU is owed as much as before */
	if (rq->hold.expected != e && (active_shares(rq, now) > e->share ||
				       now - e->idle_since >= rq->mode.anticipation_ns))
		place(rq, e, now);
	learn_think(rq, e, now);
}

void gvt_fair_dequeue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	gvt_fair_learn_run(e);
	update_floor(rq, e, 0, now);
	update_min_vruntime(rq);
	e->lag_ns = to_exec_ns(e, vruntime_ahead(mean_vruntime(rq, e, now), e->vruntime));
}

void gvt_fair_update(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns,
		     u64 now)
{
	if (exec_ns && exec_ns == e->served_ns)
		limit_debt(rq, e, now - exec_ns, now);
	e->vruntime += to_vruntime(e, exec_ns);
	if (!e->run_ns)
		e->late = now >= e->ready_since + exec_ns + GVT_SCHED_TURN_NS;
	e->run_ns += exec_ns;
	e->budget_ns = min_t(s64, e->budget_ns + exec_ns, rq->mode.anticipation_ns);
	e->woken &= !exec_ns;
	update_floor(rq, e, exec_ns, now);
	forget_throttled(rq, now);
	update_min_vruntime(rq);
}

void gvt_fair_idled(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 idle_ns, u64 now)
{
	e->vruntime += to_vruntime(e, idle_ns);
	update_floor(rq, e, idle_ns, now);
	update_min_vruntime(rq);
}

void gvt_fair_held(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		   const struct gvt_sched_entity *instead, u64 idle_ns)
{
	struct gvt_fair_purchase purchase = gvt_fair_purchase(rq, e, instead);
	s64 charge_ns = gvt_fair_charge_ns(&purchase, idle_ns);

	e->budget_ns -= idle_ns;
	/* The vGPU was owed more when the wait began, but has learned another pause since */
	charge_ns = min(charge_ns, owed_ns(e, instead));
	if (charge_ns > 0)
		e->vruntime += to_vruntime(e, charge_ns);
}

void gvt_fair_finished(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	gvt_sched_learn(&e->service, e->served_ns);
	/* For start_tag(): vGPUs need no longer wait for this workload */
	e->served_ns = 0;
	update_min_vruntime(rq);
}

/* What a vGPU is owed, or in debt for, is a time: with another share, that is another vruntime */
void gvt_fair_reweight(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u32 old_share)
{
	s64 ahead = vruntime_ahead(e->vruntime, rq->min_vruntime);
	/* Of more than an hour, as of a vGPU that was idle for days, the product need not fit */
	u64 distance = min_t(u64, abs(ahead), MOST_VRUNTIME / old_share);

	distance = mul_u64_u32_div(distance, old_share, e->share);
	e->vruntime = rq->min_vruntime + (ahead < 0 ? -distance : distance);
}
