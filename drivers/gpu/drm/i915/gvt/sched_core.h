/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_CORE_H_
#define _GVT_SCHED_CORE_H_

#include "sched_mean.h"
#include "sched_types.h"

/**
 * DOC: scheduling decisions
 *
 * Who runs next, what is charged for it, and when to look again, is decided here
 * without reference to a device, a lock or a clock: every function takes the
 * time as an argument, so that KUnit can play any history.
 *
 * A &struct gvt_sched_rq stands for one thing that one vGPU at a time may use.
 * The dispatcher tells it when a vGPU has work (gvt_sched_enqueue()) and when it
 * has none (gvt_sched_dequeue()), what a finished workload cost (gvt_sched_charge()),
 * asks who shall use the thing next (gvt_sched_pick()), and says when that vGPU
 * really begins to (gvt_sched_switch()), because others have to drain first.
 *
 * With exclusive dispatch the thing is the GPU, otherwise an engine. A dispatcher
 * that can have more than one workload at an engine says what unfinished ones cost
 * (gvt_sched_used()) and asks what to put behind the one that executes
 * (gvt_sched_ahead(), gvt_sched_fills_gaps()). It also says how long a vGPU that was to
 * leave the engine took for it (gvt_sched_made_way()).
 *
 * A policy is a table of operations (&struct gvt_policy_ops), and so is a way of
 * dispatching (&struct gvt_dispatch_ops). What the two make of a run queue (&struct
 * gvt_sched_mode) is worked out when settings change.
 *
 * Locking: none inside. All calls for a run queue and its entities, including
 * reads of their fields, are made under the one lock that the owner of the run
 * queue names; for a GVT device this is sched_lock. Nothing here sleeps.
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
void gvt_sched_made_way(struct gvt_sched_entity *e, u64 took_ns, bool ended);
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
