/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_OPS_H_
#define _GVT_SCHED_OPS_H_

#include "sched_types.h"

/**
 * struct gvt_policy_ops - a policy
 * @name: what users call it
 * @on_ticks: decisions of one vGPU at a time are made at ticks, as upstream's were
 * @boosts: a vGPU that starts goes first for a while
 * @borrows: time that no vGPU wants that is entitled to run goes to the others
 * @add: a vGPU takes part; it may have work
 * @come_back: it does again, and keeps what it had when it was removed
 * @remove: it does no longer
 * @enqueue: a vGPU that had no work has some; it is marked busy
 * @dequeue: a vGPU has no work any more; it is not marked busy any more
 * @update: a vGPU has executed for a while
 * @idled: the engine idled for a while in the turn of a vGPU that has work, between two of its
 *   workloads or on the way to one, while another one had work, too
 * @finished: a workload of a vGPU has finished; what it executed was reported
 * @period: hand out what belongs to the periods that have ended
 * @account: charge the current vGPU for the time up to now
 * @allot: work out what each vGPU gets, after vGPUs, shares or settings have changed
 * @set_next: a vGPU begins its turn, or goes on
 * @pick: who shall run next
 * @picked: a choice of @pick's is made
 * @ahead: who shall run when the present workload has finished
 * @before: whether one vGPU that waits goes before another one
 * @fills_gaps: whether a vGPU whose workloads can be taken off may run now whenever
 *   nobody else does
 * @would_wait: whether somebody would be waited for rather than run a vGPU whose workload
 *   i915 has, if nobody else had work; NULL for never
 *
 * @pick, @ahead, @before, @fills_gaps and @would_wait are questions that change nothing; their run
 * queue is const for that. Members for what a policy does not care about are NULL, but
 * for the questions, which have to be answered.
 */
struct gvt_policy_ops {
	const char *name;
	bool on_ticks;
	bool boosts;
	bool borrows;

	void (*add)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*come_back)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*remove)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*enqueue)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*dequeue)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*update)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		       u64 exec_ns, u64 now);
	void (*idled)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		      u64 idle_ns, u64 now);
	void (*finished)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*period)(struct gvt_sched_rq *rq, u64 now);
	void (*account)(struct gvt_sched_rq *rq, u64 now);
	void (*allot)(struct gvt_sched_rq *rq);
	void (*set_next)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);

	struct gvt_sched_choice (*pick)(const struct gvt_sched_rq *rq, u64 now);
	void (*picked)(struct gvt_sched_rq *rq, const struct gvt_sched_choice *choice,
		       u64 now);
	struct gvt_sched_choice (*ahead)(const struct gvt_sched_rq *rq, u64 now);
	bool (*before)(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
		       const struct gvt_sched_entity *b, u64 now);
	bool (*fills_gaps)(const struct gvt_sched_rq *rq,
			   const struct gvt_sched_entity *e, u64 now);
	bool (*would_wait)(const struct gvt_sched_rq *rq,
			   const struct gvt_sched_entity *e, u64 now);
};

struct gvt_lane;

/**
 * struct gvt_dispatch_ops - a way of dispatching
 * @name: what users call it
 * @shared: each engine has a lane of its own, and workloads of several vGPUs can be
 *   there; otherwise one lane has all engines, and one vGPU at a time has them
 * @preemptive: workloads can be taken off an engine
 * @turn_ns: for so long a vGPU keeps its turn while it has work; 0 where the next
 *   workload waits at the engine already
 * @is_free: whether the engines can be had by @next now
 * @ahead: whose workloads are put behind that of the present turn; of none if nobody's
 * @stays: whether a vGPU that is stopped takes part until nothing of it is in flight
 * @offers: whether workloads of the lane's next vGPU go to the engine before its turn
 *
 * All operations are questions about a lane, which change nothing.
 */
struct gvt_dispatch_ops {
	const char *name;
	bool shared;
	bool preemptive;
	u64 turn_ns;

	bool (*is_free)(const struct gvt_lane *lane, const struct gvt_sched_entity *next);
	struct gvt_sched_choice (*ahead)(const struct gvt_lane *lane, u64 now);
	bool (*stays)(const struct gvt_sched_entity *e);
	bool (*offers)(const struct gvt_lane *lane, const struct gvt_sched_entity *e);
};

#endif /* _GVT_SCHED_OPS_H_ */
