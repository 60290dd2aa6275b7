/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_CORE_H_
#define _GVT_SCHED_CORE_H_

#include "sched_mean.h"
#include "sched_types.h"

/**
 * DOC: scheduling decisions
 *
 * The core decides which vGPU runs next, how much it is charged, and when to decide
 * again. It uses no device, lock or clock: every function takes the time as an
 * argument, so that KUnit can test any history.
 *
 * A &struct gvt_sched_rq stands for a resource that one vGPU at a time uses: with
 * exclusive dispatch the GPU, otherwise an engine. The dispatcher reports when a vGPU
 * gets work (gvt_sched_enqueue()) and runs out of work (gvt_sched_dequeue()) and how
 * long a finished workload executed (gvt_sched_charge()), asks for the vGPU that runs
 * next (gvt_sched_pick()), and reports when that vGPU's turn begins
 * (gvt_sched_switch()), which is later if others have to drain first.
 *
 * A dispatcher that can have more than one workload in flight on an engine also reports
 * the execution time of unfinished ones (gvt_sched_used()) and preempt latencies
 * (gvt_sched_handed_over()), and asks for the workloads to put behind the executing one
 * (gvt_sched_ahead(), gvt_sched_fills_gaps()).
 *
 * A policy is a table of operations (&struct gvt_policy_ops), and so is a dispatch mode
 * (&struct gvt_dispatch_ops). The mode of a run queue (&struct gvt_sched_mode) is derived
 * from the two when settings change.
 *
 * Locking: the core takes no lock. The owner of a run queue calls all functions for the run
 * queue and its entities, and reads all their fields, under one lock of its choice; for a GVT
 * device this is sched_lock. No function sleeps.
 *
 * Times are in nanoseconds of CLOCK_MONOTONIC and must not go backwards.
 */

void gvt_sched_entity_init(struct gvt_sched_entity *e, u32 weight);

void gvt_sched_add(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_sched_remove(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);

void gvt_sched_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_sched_dequeue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_sched_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		    u64 exec_ns, u64 now);
void gvt_sched_host_used(struct gvt_sched_rq *rq, u64 exec_ns, u64 now);
void gvt_sched_charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		      u64 exec_ns, u64 now);
void gvt_sched_period(struct gvt_sched_rq *rq, u64 now);
void gvt_sched_account(struct gvt_sched_rq *rq, u64 now);
struct gvt_sched_choice gvt_sched_pick(struct gvt_sched_rq *rq, u64 now);
struct gvt_sched_choice gvt_sched_ahead(const struct gvt_sched_rq *rq, u64 now);
bool gvt_sched_fills_gaps(const struct gvt_sched_rq *rq,
			  const struct gvt_sched_entity *e, u64 now);
bool gvt_sched_would_wait(const struct gvt_sched_rq *rq,
			  const struct gvt_sched_entity *e, u64 now);
bool gvt_sched_before(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
		      const struct gvt_sched_entity *b, u64 now);
void gvt_sched_switch(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);

void gvt_sched_set_nice(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, int nice);
void gvt_sched_set_cap(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		       u32 cap, u64 now);
void gvt_sched_end_hold(struct gvt_sched_rq *rq, u64 now, enum gvt_hold_result result);
void gvt_sched_begin_anew(struct gvt_sched_rq *rq, u64 now);

#endif /* _GVT_SCHED_CORE_H_ */
