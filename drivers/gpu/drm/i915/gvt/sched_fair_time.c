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
 * Each vGPU has a vruntime: the engine's time that it had, over its share. The one with the
 * smallest goes next, as in start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996), and
 * keeps its turn until it is ahead by a turn.
 *
 * The time that a vGPU had is what it executed, and what the engine idled in its turn while
 * others had work: from the end of a workload until the next one is on the engine. What is
 * only executed is next to nothing where workloads are short, and what the engine idles between
 * them would be taken from the others for nothing.
 *
 * Who comes while a workload executes that runs to its end is level with where that one
 * began, as there, too: having to wait for the end it has come late enough.
 *
 * What a vGPU is owed when it runs out of work (its lag, as EEVDF of the CPU scheduler calls
 * it, there and here measured against the mean of the others) it is owed when it comes
 * back, unless that is longer ago than max_wait_ms, up to its share of the time for which each
 * of the others has the engine once, and of 100 ms: it may have had to wait for as long at a time,
 * and what it was owed beyond that it did not come for. Its share of the time that it was away
 * is added, up to its share of 100 ms: what a vGPU may have is a part of the time, not
 * of the time for which it has work, and one that computes between its workloads would get
 * less than that for every pause. If its usual pauses are shorter than anticipation_ms it is
 * owed these and a few turns at least. Pauses of less than a 32nd of its workloads cost it
 * next to nothing, and are not made up for: after a pause between two of 800 ms others would
 * have to wait for as long in the midst of one of theirs.
 *
 * A vGPU that pauses has nothing queued at the moment at which the engine becomes free.
 * To give the engine to another one costs it the time until that one can be taken off: its
 * workload, or if dispatch is preemptive the way to its next preemption point, which is
 * learned from every hand-over. If the pause is expected to be shorter than that, the engine
 * may be kept idle for a moment, as disks are (Iyer and Druschel, Anticipatory Scheduling,
 * SOSP 2001). All pay for that, so it is a purchase: the engine idles, also when the vGPU does
 * not come, and the vGPU executes more than if others had their turns in its pauses. Both
 * follow from how long its pauses were and what it executes from one to the next, with and
 * without a wait before: one that submits by a clock has more to do then, and gains nothing.
 * The engine is kept idle for one that is owed more time than that, up to the length of pause
 * with which it executes most less what the engine idles: if nobody has waited for too long, or,
 * for up to 5 times what it gains, if it has less than it is to have at least.
 *
 * For the same reason only vGPUs fill the gaps of others that usually come to a preemption
 * point within two turns, and are not far ahead of any that waits. Nor is a workload put behind
 * one that runs to its end while a vGPU that pauses is expected back before that.
 *
 * The least that a vGPU is to have is 5/8 of its share, or of what it wants if that is less,
 * where the engine idles for up to 2.5 times what that gains, and ever less up to 5 times.
 * Nobody waits for longer than max_wait_ms for its turn, plus the workloads that are on the GPU
 * or overdue before it and what those are still to have that have less than the least.
 *
 * Where workloads can be taken off, a turn lasts for a millisecond at least, so that the
 * number of hand-overs is bounded. A vGPU that comes back after a pause need not wait for
 * the end of that, but no more than once in 5 ms: for one that uses less than its share
 * the way to the next preemption point is all that it has to wait.
 *
 * Turns of a millisecond would have each workload take as long as all that are under way,
 * where workloads that run to their end have it done at once when its turn has come. So a
 * vGPU that pauses, and uses less than its share, or has had clearly less, goes before
 * others to the end of what it usually does between two pauses, if that is up to 50 ms:
 * as borrowed virtual time does (Duda and Cheriton, SOSP 1999) for up to its share of
 * 100 ms, all of which is counted, so that it has to wait for it afterwards. Of several
 * such vGPUs the one goes first that will pause sooner.
 */

/*
 * Pauses up to the 32nd part of the workloads between them are not made up for, those
 * above twice that are; in between it is a part of them.
 */
#define SHORT_PAUSE 32

/* What is owed for pauses may add up to so much more than a pause */
#define CREDIT_SLACK_NS (4 * GVT_SCHED_TURN_NS)

/*
 * What is owed grows in pauses, up to the share of so much time. As much of what was owed before
 * is kept at least.
 */
#define LAG_NS (100 * NSEC_PER_MSEC)

/*
 * One that uses less than its share, in bursts that are not longer than the one, goes
 * first for as long as is its share of the other
 */
#define EARLY_BURST_NS (50 * NSEC_PER_MSEC)
#define EARLY_NS (100 * NSEC_PER_MSEC)

/* It is looked at so much time for what a vGPU uses */
#define RECENT_NS (1 * NSEC_PER_SEC)

/* The part of what a vGPU wants, and may have, that it has at least: 5/8 */
#define FLOOR_NUMERATOR 5
#define FLOOR_SHIFT 3

/*
 * The vruntime as of when the workload began that executes, if it cannot be taken off. Who
 * comes meanwhile waits for its end, and is owed no less for having come in its midst.
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

/* As much of a pause as is made up for, beside the length of the vGPU's workloads */
static s64 real_pause_ns(const struct gvt_sched_entity *e, s64 pause_ns)
{
	s64 short_ns = gvt_sched_mean_ns(&e->service) / SHORT_PAUSE;

	return clamp(2 * (pause_ns - short_ns), 0LL, pause_ns);
}

/* How much of what a vGPU did not use in pauses is owed to it at most */
static s64 pause_credit_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	s64 most_ns = gvt_sched_most_ns(&e->think);

	if (!e->think.samples)
		return e->came ? 2 * GVT_SCHED_TURN_NS : 0;

	most_ns = real_pause_ns(e, min_t(s64, most_ns, rq->mode.anticipation_ns));
	return most_ns + min_t(s64, most_ns, CREDIT_SLACK_NS);
}

/* For how long a vGPU may have to wait while each of the others has the engine once */
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
 * What a vGPU that comes back was owed when it went, as far as others can have kept it waiting
 * at a time, and its share of the time since. The latter alone does not make it more than its
 * share of %LAG_NS.
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

	pause_ns = real_pause_ns(e, min_t(u64, pause_ns, RECENT_NS));
	pause_ns = mul_u64_u64_div_u64(pause_ns, e->share, shares);
	return min_t(s64, lag_ns + pause_ns, max(lag_ns, most_ns));
}

/* Whether a vGPU's vruntime counts in the mean */
static bool counts(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	return e->busy || is_away_for_a_moment(rq, e, now);
}

/*
 * The mean vruntime, by share, of the other vGPUs that have work or are away for a moment.
 * It does not change when one of them comes or goes, as the smallest one does.
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

	/* Not 0 after workloads of days only, where the last digits do not matter */
	shift = max(fls64(most) + fls64(shares) - 63, 0);
	list_for_each_entry(e, &rq->entities, link) {
		if (e == except || !counts(rq, e, now))
			continue;
		ahead = vruntime_ahead(start_tag(rq, e), rq->min_vruntime);
		sum += (ahead >> shift) * e->share;
	}

	return rq->min_vruntime + ((u64)div64_s64(sum, shares) << shift);
}

/* Those that use less than their shares */

/* Of those that had work within the time that is looked at */
static u64 recent_shares(const struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *e;
	u64 shares = 0;

	list_for_each_entry(e, &rq->entities, link) {
		if (e->busy || now - e->idle_since < RECENT_NS)
			shares += e->share;
	}

	return max(shares, 1ULL);
}

static void update_recent(struct gvt_sched_entity *e, u64 exec_ns, u64 pause_ns, u64 now)
{
	u64 ns = now - e->recent_since;

	e->recent_exec_ns += exec_ns;
	e->recent_pause_ns += pause_ns;
	/* What is longer ago counts for less and less */
	while (ns > RECENT_NS) {
		ns /= 2;
		e->recent_exec_ns /= 2;
		e->recent_pause_ns /= 2;
	}
	e->recent_since = now - ns;
}

/*
 * Whether it wants less than its share, or has had clearly less. What it wants is seen
 * from its pauses only while it need not wait for long.
 */
static bool uses_less(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	u64 shares = recent_shares(rq, now), ns = now - e->recent_since;
	u64 used = e->recent_exec_ns * shares;

	return used <= (e->recent_exec_ns + e->recent_pause_ns) * e->share ||
	       used <= (ns * e->share / 4) * 3;
}

static void learn_burst(struct gvt_sched_entity *e)
{
	if (!e->woken || !e->burst_ns)
		return;

	gvt_sched_learn(&e->burst, e->burst_ns);
	e->burst_ns = 0;
}

/* For how long one that comes back goes first, whatever it has had */
static u64 early_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	if (!rq->mode.preemptive || !e->burst.samples ||
	    gvt_sched_most_ns(&e->burst) > EARLY_BURST_NS || !uses_less(rq, e, now))
		return 0;

	/* One that has had more than its share lately keeps what is left of that */
	if (vruntime_ahead(rq->min_vruntime, e->vruntime) < 0)
		return e->early_ns;

	return mul_u64_u64_div_u64(EARLY_NS, e->share, recent_shares(rq, now));
}

/*
 * A vGPU that comes back is behind the others by what it is owed, or goes with those that
 * have had least, whichever is earlier
 */
static void place(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	s64 credit_ns = pause_credit_ns(rq, e);
	u64 level = rq->min_vruntime - to_vruntime(e, credit_ns), lagging;

	lagging = mean_vruntime(rq, e, now) -
		  to_vruntime(e, max(credit_ns, lag_ns(rq, e, now)));
	if (vruntime_ahead(level, lagging) > 0)
		level = lagging;
	e->early_ns = early_ns(rq, e, now);
	if (vruntime_ahead(level, e->vruntime) > 0)
		e->vruntime = level;
}

static void learn_run(struct gvt_sched_entity *e)
{
	if (e->run_ns)
		gvt_sched_learn(e->late ? &e->late_run : &e->run, e->run_ns);
	e->run_ns = 0;
}

static void learn_think(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	u64 pause_ns = now - e->idle_since;

	/* What passed before the first workload was no pause */
	if (!e->came) {
		e->came = true;
		return;
	}

	gvt_sched_learn_pause(e, pause_ns, rq->mode.anticipation_ns);
	/* A long absence says no more than that it was too long to wait for */
	if (pause_ns < rq->mode.anticipation_ns)
		gvt_sched_learn(&e->think, pause_ns);
}

/* The least that a vGPU is to have */

/* What a vGPU is to have of some time: a part of its share, or of what it wants */
static s64 least_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 ns,
		    u64 now)
{
	u64 run_ns = gvt_fair_run_ns(e), think_ns = gvt_sched_mean_ns(&e->think);
	u64 share_ns = mul_u64_u64_div_u64(ns, e->share, active_shares(rq, now));

	if (run_ns)
		share_ns = min(share_ns, mul_u64_u64_div_u64(ns, run_ns, run_ns + think_ns));
	return affordable(rq, e, share_ns * FLOOR_NUMERATOR >> FLOOR_SHIFT);
}

/* By how much it has had less, as far as that is not too long ago */
static s64 floor_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	s64 floor_ns = e->floor_ns;

	if (e->busy || is_away_for_a_moment(rq, e, now))
		floor_ns += least_ns(rq, e, now - e->floor_at, now);

	return min(floor_ns, least_ns(rq, e, 2 * rq->mode.max_wait_ns, now));
}

/**
 * gvt_fair_starves - whether a vGPU has less than the least that it is to have
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 *
 * Return: true if it has had so for a turn.
 */
bool gvt_fair_starves(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	return floor_ns(rq, e, now) > (s64)GVT_SCHED_TURN_NS;
}

static void update_floor(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
			 u64 exec_ns, u64 now)
{
	e->floor_ns = max(floor_ns(rq, e, now) - (s64)exec_ns,
			  -least_ns(rq, e, rq->mode.max_wait_ns, now));
	e->floor_at = now;
}

/* The virtual time */

/* Move on to the smallest of those that have work and may run */
static void update_min_vruntime(struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *e, *least = rq->hold.expected;

	list_for_each_entry(e, &rq->entities, link) {
		if (may_run(rq, e, now, NULL) &&
		    (!least || vruntime_ahead(start_tag(rq, e), start_tag(rq, least)) < 0))
			least = e;
	}

	if (least && vruntime_ahead(start_tag(rq, least), rq->min_vruntime) > 0)
		rq->min_vruntime = start_tag(rq, least);
}

/* What a cap keeps a vGPU from using is not owed to it */
static void forget_throttled(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e;
	u64 least;

	list_for_each_entry(e, &rq->entities, link) {
		if (!e->busy || !gvt_cap_throttled(rq, e, now, NULL))
			continue;
		least = rq->min_vruntime - to_vruntime(e, pause_credit_ns(rq, e));
		if (vruntime_ahead(least, e->vruntime) > 0)
			e->vruntime = least;
	}
}

/*
 * When nobody has had work for a while all is settled: whoever comes next starts level
 * with the one that had most.
 */
static void settle(struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *e;

	if (rq->busy > 1 || now - rq->idle_since < rq->mode.anticipation_ns)
		return;

	list_for_each_entry(e, &rq->entities, link) {
		if (vruntime_ahead(e->vruntime, rq->min_vruntime) > 0)
			rq->min_vruntime = e->vruntime;
	}
}

/* Operations of &struct gvt_policy_ops, where they are described */

void gvt_fair_add(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	e->vruntime = rq->min_vruntime;
	e->lag_ns = 0;
	e->early_ns = 0;
	e->recent_exec_ns = 0;
	e->recent_pause_ns = 0;
	e->recent_since = now;
	e->run_ns = 0;
	e->run = (struct gvt_sched_mean) {};
	e->late_run = (struct gvt_sched_mean) {};
	e->burst_ns = 0;
	e->burst = (struct gvt_sched_mean) {};
	e->floor_ns = 0;
	e->floor_at = now;
	e->came = e->busy;
	memset(e->pauses, 0, sizeof(e->pauses));
	e->think = (struct gvt_sched_mean) {};
}

/* What it was owed is lost, what it has had too much of is not */
void gvt_fair_come_back(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	s64 floor_ns = min(e->floor_ns, 0LL);
	u64 vruntime = e->vruntime;

	gvt_fair_add(rq, e, now);
	e->floor_ns = floor_ns;
	if (vruntime_ahead(vruntime, e->vruntime) > 0)
		e->vruntime = vruntime;
}

void gvt_fair_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	settle(rq, now);
	e->woken = now - e->idle_since >= GVT_SCHED_TURN_NS;
	e->ready_since = now;
	update_floor(rq, e, 0, now);
	update_recent(e, 0, now - e->idle_since, now);
	learn_burst(e);
	if (rq->hold.expected != e)
		place(rq, e, now);
	learn_think(rq, e, now);
}

void gvt_fair_dequeue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	learn_run(e);
	update_floor(rq, e, 0, now);
	update_min_vruntime(rq, now);
	e->lag_ns = to_exec_ns(e, vruntime_ahead(mean_vruntime(rq, e, now), e->vruntime));
}

void gvt_fair_update(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns,
		     u64 now)
{
	e->vruntime += to_vruntime(e, exec_ns);
	e->early_ns -= min(e->early_ns, exec_ns);
	if (!e->run_ns)
		e->late = now >= e->ready_since + exec_ns + GVT_SCHED_TURN_NS;
	e->run_ns += exec_ns;
	e->burst_ns += exec_ns;
	update_recent(e, exec_ns, 0, now);
	e->woken &= !exec_ns;
	update_floor(rq, e, exec_ns, now);
	update_min_vruntime(rq, now);
	forget_throttled(rq, now);
}

void gvt_fair_idled(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 idle_ns, u64 now)
{
	e->vruntime += to_vruntime(e, idle_ns);
	e->early_ns -= min(e->early_ns, idle_ns);
	update_recent(e, idle_ns, 0, now);
	update_floor(rq, e, idle_ns, now);
	update_min_vruntime(rq, now);
}

void gvt_fair_finished(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	gvt_sched_learn(&e->service, e->served_ns);
	/* It need no longer be waited for */
	e->served_ns = 0;
	update_min_vruntime(rq, now);
}
