/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_ACCOUNT_H_
#define _GVT_SCHED_ACCOUNT_H_

#include <linux/minmax.h>

#include "sched_cap.h"
#include "sched_ops.h"

/*
 * The account: while others have work for the engine, each nanosecond of it is counted for
 * one vGPU. It is what that one executes, or what the engine idles in its turn, from the end
 * of a workload until the next one is on the engine, or is kept for it. What executed is
 * known afterwards; what idled is the rest. What the host executed is counted for nobody.
 */

/* Whether a vGPU could use the engine if it was not another one's turn */
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

/* To be called before anything changes that decides what time is counted as */
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

/* Somebody executed, so that the engine did not idle; returns for how long others had work */
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
 * What idled in the present turn is charged. Where one vGPU at a time has the engines, it is
 * not known before the end of a workload what it executed.
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
