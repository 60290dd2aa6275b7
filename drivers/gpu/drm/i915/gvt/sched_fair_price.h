/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_FAIR_PRICE_H_
#define _GVT_SCHED_FAIR_PRICE_H_

#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_mean.h"
#include "sched_types.h"

/*
 * After so many late runs in a row, what the vGPU executed in time is forgotten: the vGPU may
 * have changed since, and beside long workloads is always late unless the engine is kept idle.
 * One wait in so many runs costs others 6 % of what waiting for each run would.
 */
#define LATE_RUNS 16

/* Whether a vGPU's workloads usually finish before they reach a preemption point */
static inline bool runs_to_end(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return !gvt_sched_can_preempt(rq, e) || e->uncut > GVT_SCHED_UNCUT / 2;
}

/* The longest time that a vGPU is expected to keep the engine, once it has begun */
static inline u64 occupies_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return runs_to_end(rq, e) ? gvt_sched_mean_ns(&e->service) :
				    rq->mode.turn_ns + gvt_sched_most_ns(&e->way);
}

/* How long others have to wait for the engine if @instead gets it */
static inline u64 costs_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *instead)
{
	u64 service_ns = gvt_sched_mean_ns(&instead->service);

	if (!runs_to_end(rq, instead))
		return gvt_sched_most_ns(&instead->way);

	/* Of all engines, whose workloads may overlap */
	return rq->mode.shared ? service_ns : max(service_ns, gvt_sched_mean_ns(&instead->way));
}

/* What the cost of keeping the engine idle for a vGPU depends on */

/* Pauses of @anticipation_ns or more are too long to wait for */
static inline void gvt_fair_learn_pause(struct gvt_sched_entity *e, u64 pause_ns,
					u64 anticipation_ns)
{
	u32 bin = fls64(pause_ns >> GVT_SCHED_PAUSE_SHIFT), i;

	for (i = 0; i <= GVT_SCHED_PAUSE_BINS; i++)
		e->pauses[i] -= e->pauses[i] / 32;
	for (i = 0; i < GVT_SCHED_PAUSE_BINS; i++)
		e->paused_ns[i] -= e->paused_ns[i] / 32;
	if (pause_ns >= anticipation_ns || bin >= GVT_SCHED_PAUSE_BINS) {
		e->pauses[GVT_SCHED_PAUSE_BINS] += GVT_SCHED_PAUSE;
		return;
	}

	e->pauses[bin] += GVT_SCHED_PAUSE;
	e->paused_ns[bin] += pause_ns * GVT_SCHED_PAUSE;
}

static inline void gvt_fair_learn_run(struct gvt_sched_entity *e)
{
	if (!e->run_ns)
		return;

	if (e->late) {
		gvt_sched_learn(&e->late_run, e->run_ns);
		if (e->late_run.samples > LATE_RUNS)
			e->run = (struct gvt_sched_mean) {};
	} else {
		gvt_sched_learn(&e->run, e->run_ns);
		e->late_run.samples = 0;
	}
	e->run_ns = 0;
}

/* The cost of keeping the engine idle for a vGPU, and the gain */

/**
 * struct gvt_fair_purchase - cost and gain of keeping the engine idle for a vGPU
 * @window_ns: the longest wait, from when the vGPU ran out of work; 0 to not wait at all
 * @idle_ns: how long the engine idles in each pause
 * @gain_ns: how much more the vGPU executes for that
 */
struct gvt_fair_purchase {
	u64 window_ns;
	u64 idle_ns;
	u64 gain_ns;
};

/* Clamps times, so that their products fit into 64 bits */
#define MOST_NS (16LL * NSEC_PER_SEC)

/* Usual execution time of a vGPU from one pause to the next, of runs that start without a wait */
static inline s64 gvt_fair_run_ns(const struct gvt_sched_entity *e)
{
	return min_t(u64, gvt_sched_mean_ns(e->run.samples ? &e->run : &e->late_run), MOST_NS);
}

/*
 * Let a vGPU execute s from one pause to the next, and the engine wait for it for up to w in
 * each pause. In a fraction 1 - q of the pauses the wait is in vain: another vGPU then has the
 * engine for L, after which the vGPU executes s'. If the engine idles for E in the mean pause,
 * the vGPU executes S = q s + (1 - q) s' in each S + E + (1 - q) L; without waiting, s' in each
 * s' + L. The best w maximizes the fraction of time (S - E) / (S + E + (1 - q) L).
 */
static inline struct gvt_fair_purchase
gvt_fair_purchase(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
		  const struct gvt_sched_entity *instead)
{
	s64 other_ns = min_t(u64, costs_ns(rq, instead), MOST_NS);
	/* A vGPU that submits by a clock has more to do after it had to wait */
	s64 run_ns = gvt_fair_run_ns(e), late_ns = gvt_sched_mean_ns(&e->late_run);
	s64 n = 0, before_ns = 0, came = 0, w, idle_ns, all_ns, exec_ns, value, most;
	struct gvt_fair_purchase best = {};
	u32 bin;

	for (bin = 0; bin <= GVT_SCHED_PAUSE_BINS; bin++)
		n += e->pauses[bin];
	if (!n || !run_ns)
		return best;

	late_ns = clamp(late_ns, run_ns, MOST_NS);
	most = div64_s64(late_ns << 20, late_ns + other_ns);
	for (bin = 0; bin < GVT_SCHED_PAUSE_BINS; bin++) {
		w = 1LL << (GVT_SCHED_PAUSE_SHIFT + bin);
		/* Counted when anticipation_ms was larger */
		if (w / 2 >= (s64)rq->mode.anticipation_ns)
			break;
		if (!e->pauses[bin])
			continue;
		w = min_t(s64, w, rq->mode.anticipation_ns);
		came += e->pauses[bin];
		before_ns += min_t(s64, e->paused_ns[bin], e->pauses[bin] * w);
		idle_ns = div64_s64(before_ns + (n - came) * w, n);
		exec_ns = div64_s64(came * run_ns + (n - came) * late_ns, n);
		all_ns = exec_ns + idle_ns + div64_s64((n - came) * other_ns, n);
		value = div64_s64((exec_ns - idle_ns) * (1 << 20), all_ns);
		if (value <= most)
			continue;
		most = value;
		best.window_ns = max_t(u64, w, 200 * NSEC_PER_USEC);
		best.idle_ns = idle_ns;
		best.gain_ns = exec_ns - mul_u64_u64_div_u64(late_ns, all_ns, late_ns + other_ns);
	}

	return best;
}

/*
 * The charge to a vGPU for which the engine was kept idle for @idle_ns: nothing if the engine
 * idles for no longer than the net gain, which is the gain less the idle time. Beyond that the
 * charge rises without limit as the net gain falls to 0, so the engine is kept idle for the vGPU
 * less and less often, and there is no pause at which the vGPU's share drops all at once.
 */
static inline u64 gvt_fair_charge_ns(const struct gvt_fair_purchase *purchase, u64 idle_ns)
{
	u64 net_ns = purchase->gain_ns - purchase->idle_ns;

	if (!purchase->window_ns || purchase->idle_ns <= net_ns)
		return 0;

	return mul_u64_u64_div_u64(idle_ns, purchase->idle_ns - net_ns, max(net_ns, 1ULL));
}

#endif /* _GVT_SCHED_FAIR_PRICE_H_ */
