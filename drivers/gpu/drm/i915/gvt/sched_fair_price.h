/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_FAIR_PRICE_H_
#define _GVT_SCHED_FAIR_PRICE_H_

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_mean.h"
#include "sched_types.h"

/* Nobody is waited for if the engine would idle for so many times what the vGPU executes more */
#define MOST_PRICE 5

/* Whether a vGPU's workloads come to an end rather than to a preemption point */
static inline bool runs_to_end(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return !gvt_sched_makes_way(rq, e) || e->uncut > GVT_SCHED_UNCUT / 2;
}

/* For how long a vGPU that has begun keeps the engine at most, as far as is known */
static inline u64 occupies_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return runs_to_end(rq, e) ? gvt_sched_mean_ns(&e->service) :
				    rq->mode.turn_ns + gvt_sched_most_ns(&e->way);
}

/* For how long another one has the engine if it is given that */
static inline u64 costs_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *instead)
{
	return runs_to_end(rq, instead) ? gvt_sched_mean_ns(&instead->service) :
					  gvt_sched_most_ns(&instead->way);
}

/* What it costs to keep the engine idle for a vGPU */

/**
 * gvt_fair_window_ns - how long a vGPU is waited for at most
 * @rq: the run queue
 * @e: the vGPU
 *
 * Return: the time from when it had no work any more.
 */
static inline u64 gvt_fair_window_ns(const struct gvt_sched_rq *rq,
				     const struct gvt_sched_entity *e)
{
	u64 window_ns = gvt_sched_most_ns(&e->think);

	/* Timers and the way of a workload through the driver take their time, too */
	window_ns = max(window_ns + window_ns / 4, 200ULL * NSEC_PER_USEC);
	return min(window_ns, rq->mode.anticipation_ns);
}

/* How long the engine idles until a vGPU comes back, with all the times that it does not */
static inline u64 idles_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return gvt_sched_mean_ns(&e->think) +
	       div_u64(gvt_fair_window_ns(rq, e) * e->long_pauses,
		       GVT_SCHED_LONG_PAUSES - e->long_pauses);
}

/**
 * gvt_fair_price_ns - what it costs to wait for a vGPU rather than run another one
 * @rq: the run queue
 * @e: the vGPU, whose pauses are known
 * @instead: the other one
 *
 * If one waits, @e executes s of each t + s, where s is the length of its workloads and t that
 * of its pauses, else of each L + s, where L is for how long @instead has the engine. So the
 * engine idles for t / (t + s), and @e executes s / (t + s) - s / (L + s) more: this is the
 * quotient, times s.
 *
 * Return: for how long the engine idles for each workload that @e has more; %U64_MAX if it has
 * none.
 */
static inline u64 gvt_fair_price_ns(const struct gvt_sched_rq *rq,
				    const struct gvt_sched_entity *e,
				    const struct gvt_sched_entity *instead)
{
	u64 idle_ns = idles_ns(rq, e), other_ns = costs_ns(rq, instead);

	/* So high a price is never paid, and the quotient would have no end */
	if (idle_ns >= other_ns || other_ns - idle_ns < idle_ns / 256)
		return U64_MAX;

	return mul_u64_u64_div_u64(idle_ns, other_ns + gvt_sched_mean_ns(&e->service),
				   other_ns - idle_ns);
}

/* The lowest price for which a vGPU could have more */
static inline u64 least_price_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	const struct gvt_sched_entity *other;
	u64 price_ns = U64_MAX;

	if (!e->think.samples)
		return 0;

	list_for_each_entry(other, &rq->entities, link) {
		if (other != e && other->busy)
			price_ns = min(price_ns, gvt_fair_price_ns(rq, e, other));
	}

	return price_ns;
}

/* At half of %MOST_PRICE it has all of it, at the whole nothing, in between a part */
static inline u64 affordable(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			     u64 ns)
{
	u64 most_ns = gvt_sched_mean_ns(&e->service) * MOST_PRICE / 2;
	u64 price_ns = least_price_ns(rq, e);

	if (price_ns <= most_ns)
		return ns;
	if (price_ns >= 2 * most_ns)
		return 0;
	return mul_u64_u64_div_u64(ns, 2 * most_ns - price_ns, most_ns);
}

#endif /* _GVT_SCHED_FAIR_PRICE_H_ */
