// SPDX-License-Identifier: GPL-2.0-only

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_cap.h"

/**
 * DOC: caps
 *
 * A cap is a token bucket: it fills with @cap per cent of the elapsed time, holds at most one
 * period's worth, and is charged for the vGPU's execution time and for the time that the
 * engine idles in the vGPU's turns while others have work. A vGPU with an empty bucket is
 * throttled until the bucket holds enough for a turn, or is full, because switching to the
 * vGPU for less would not pay. As workloads are not divided, the level may go below zero. This
 * debt is paid back before the vGPU runs again, but a cap delays a vGPU by no more than
 * max_wait_ms: a guest considers the GPU hung if it waits for more than about two seconds.
 */

static s64 cap_full_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return div_u64(rq->mode.period_ns * e->cap, 100);
}

/* Level of a vGPU's bucket at @now */
static s64 level(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e, u64 now)
{
	u64 passed_ns;

	/* When slices are charged up to the end of a past period, @now is that end */
	if (now < e->cap_filled)
		return e->cap_left_ns;

	/* Keeps the product from overflowing; the bucket is full long before */
	passed_ns = min(now - e->cap_filled, 1000ULL * NSEC_PER_SEC);
	return min(e->cap_left_ns + (s64)div_u64(passed_ns * e->cap, 100),
		   cap_full_ns(rq, e));
}

/* Level at which a throttled vGPU may run again */
static s64 enough_ns(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e)
{
	return min_t(s64, cap_full_ns(rq, e), GVT_SCHED_TURN_NS);
}

/**
 * gvt_cap_start - fill a vGPU's bucket
 * @rq: the run queue
 * @e: the vGPU
 * @now: the time
 */
void gvt_cap_start(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now)
{
	e->cap_left_ns = cap_full_ns(rq, e);
	e->cap_filled = now;
	e->cap_empty = false;
}

/**
 * gvt_cap_change - change a vGPU's cap
 * @rq: the run queue
 * @e: the vGPU
 * @cap: the new cap, 0 for none
 * @now: the time
 *
 * The bucket of a vGPU that had no cap is full.
 */
void gvt_cap_change(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u32 cap, u64 now)
{
	s64 left_ns = e->cap ? level(rq, e, now) : S64_MAX;

	e->cap = cap;
	e->cap_left_ns = min(left_ns, cap_full_ns(rq, e));
	e->cap_filled = max(e->cap_filled, now);
}

/**
 * gvt_cap_charge - charge time to a vGPU's cap
 * @rq: the run queue
 * @e: the vGPU
 * @exec_ns: the execution or idle time
 * @now: the time
 */
void gvt_cap_charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		    u64 exec_ns, u64 now)
{
	if (!e->cap)
		return;

	e->cap_left_ns = level(rq, e, now);
	if (e->cap_left_ns >= enough_ns(rq, e))
		e->cap_empty = false;
	e->cap_left_ns -= exec_ns;
	if (e->cap_left_ns <= 0)
		e->cap_empty = true;
	e->cap_filled = max(e->cap_filled, now);
}

/**
 * gvt_cap_throttled - whether a vGPU is throttled by its cap
 * @rq: the run queue
 * @e: the vGPU, which has work
 * @now: the time
 * @wake_at: if the vGPU is throttled, lowered to the end of the throttling; may be NULL
 *
 * Return: true if the vGPU must not run now.
 */
bool gvt_cap_throttled(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
		       u64 now, u64 *wake_at)
{
	s64 left_ns, lacks_ns;
	u64 end;

	if (!e->cap)
		return false;

	left_ns = level(rq, e, now);
	lacks_ns = enough_ns(rq, e) - left_ns;
	if (lacks_ns <= 0 || (left_ns > 0 && !e->cap_empty))
		return false;

	end = min(now + div_u64((u64)lacks_ns * 100, e->cap) + 1,
		  e->wait_since + rq->mode.max_wait_ns);
	if (now >= end)
		return false;

	if (wake_at && (!*wake_at || end < *wake_at))
		*wake_at = end;
	return true;
}
