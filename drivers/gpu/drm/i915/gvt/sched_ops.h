/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_OPS_H_
#define _GVT_SCHED_OPS_H_

#include "sched_types.h"

/**
 * struct gvt_policy_ops - operations of a policy
 * @name: user-visible name
 * @on_ticks: with exclusive dispatch, decisions are made at ticks, as in upstream's scheduler
 * @boosts: a vGPU that starts goes first for a while
 * @borrows: vGPUs that are not entitled to run may use the time that entitled ones do not need
 * @add: a vGPU was added; it may have work
 * @come_back: a vGPU was added again, and keeps its state from before it was removed
 * @remove: a vGPU was removed
 * @enqueue: a vGPU without work has got some, and is already marked busy
 * @dequeue: a vGPU has run out of work, and is no longer marked busy
 * @update: a vGPU has executed for a while
 * @idled: the engine idled for a while in the turn of a vGPU with work, between two of its
 *   workloads or while one was on its way, and another vGPU had work, too
 * @held: the engine was kept idle for a vGPU instead of executing another one
 * @finished: a workload of a vGPU has finished; its execution time was reported before
 * @reweight: a vGPU's share has changed
 * @period: hand out the slices of the periods that have ended
 * @account: charge the current vGPU for the time up to now
 * @allot: recompute the vGPUs' slices, after vGPUs, shares or settings have changed
 * @set_next: a vGPU begins or continues its turn
 * @pick: choose the vGPU that runs next
 * @picked: a choice of @pick was adopted
 * @ahead: choose the vGPU that runs when the present workload has finished
 * @before: whether one waiting vGPU goes before another one
 * @fills_gaps: whether a preemptible vGPU may now use engine time that is otherwise idle
 * @would_wait: whether the engine would be kept idle for another vGPU if a vGPU whose workload
 *   i915 has were the only one with work; NULL for never
 *
 * @pick, @ahead, @before, @fills_gaps and @would_wait change nothing, so their run queue is
 * const; of these, only @would_wait may be NULL. A policy may leave out any other operation.
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
	void (*held)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		     const struct gvt_sched_entity *instead, u64 idle_ns);
	void (*finished)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
	void (*reweight)(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u32 old_share);
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
 * struct gvt_dispatch_ops - operations of a dispatch mode
 * @name: user-visible name
 * @shared: each engine has its own lane, in which several vGPUs can have workloads in
 *   flight; otherwise one lane has all engines, which one vGPU at a time uses
 * @preemptive: workloads can be preempted
 * @turn_ns: how long a vGPU keeps its turn while it has work; 0 where the next vGPU's
 *   workload already waits at the engine
 * @is_free: whether @next can have the engines now
 * @ahead: choose the vGPU whose workload is put behind that of the present turn, or none
 * @stays: whether a vGPU that is stopped stays in the lane until its workload in flight is done
 * @offers: whether a vGPU's workload goes to the engine before the vGPU's turn
 *
 * No operation changes the lane.
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
