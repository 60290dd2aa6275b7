/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_ACCOUNT_H_
#define _GVT_SCHED_ACCOUNT_H_

#include <linux/minmax.h>

#include "sched_cap.h"
#include "sched_ops.h"

/*
 * Accounting: while other vGPUs have work for the engine, each nanosecond of the engine's time
 * is counted for one vGPU, either as the vGPU's execution time or as idle time in the vGPU's
 * turn, between the end of a workload and the start of the next one. Execution time is reported
 * afterwards; the rest is idle time. Neither the host's execution time nor the time that the
 * engine is kept idle for an expected vGPU is counted for any vGPU.
 */

/* Whether a vGPU other than @turn has work and is not throttled */
static inline bool somebody_waits(const struct gvt_sched_rq *rq,
				  const struct gvt_sched_entity *turn, u64 now)
{
	const struct gvt_sched_entity *e;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != turn && e->busy && !gvt_cap_throttled(rq, e, now, NULL))
			return true;
	}

	return false;
}

/* Call before any change that affects how time is counted */
static inline void count_time(struct gvt_sched_rq *rq, u64 now)
{
	const struct gvt_sched_entity *turn = rq->current_entity;
	u64 since = rq->counted_until;

	if (now <= since)
		return;

	rq->counted_until = now;
	if (!rq->hold.expected && turn && turn->busy && somebody_waits(rq, turn, since))
		rq->denied_ns += now - since;
	else
		rq->alone_ns += now - since;
}

/* Subtract execution time from the counted time; returns the part in which others had work */
static inline u64 take_counted(struct gvt_sched_rq *rq, u64 exec_ns)
{
	u64 alone_ns = min(exec_ns, rq->alone_ns);

	rq->alone_ns -= alone_ns;
	rq->denied_ns -= exec_ns - alone_ns;
	return exec_ns - alone_ns;
}

static inline void count_executed(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns)
{
	e->denied_ns += take_counted(rq, exec_ns);
}

/*
 * Charge the idle time of the present turn. With exclusive dispatch, a workload's execution
 * time is not known before the workload has finished.
 */
static inline void settle(struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;
	u64 idle_ns;

	count_time(rq, now);
	if (rq->executing && !rq->mode.shared)
		return;

	rq->alone_ns = 0;
	if (!e || rq->denied_ns <= 0)
		return;

	idle_ns = rq->denied_ns;
	rq->denied_ns = 0;
	e->denied_ns += idle_ns;
	e->idled_ns += idle_ns;
	gvt_cap_charge(rq, e, idle_ns, now);
	if (rq->mode.policy->idled)
		rq->mode.policy->idled(rq, e, idle_ns, now);
}

#endif /* _GVT_SCHED_ACCOUNT_H_ */
