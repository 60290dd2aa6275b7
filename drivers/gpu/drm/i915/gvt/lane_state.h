/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_LANE_STATE_H_
#define _GVT_LANE_STATE_H_

#include <linux/types.h>

#include "sched_core.h"

/**
 * DOC: the state of a lane
 *
 * A lane keeps track of which vGPU has the turn on its engines, and passes the turn on.
 * Like the core (sched_core.h) it uses no device, lock or clock: the owner describes
 * the state of the engines, reports events, and carries out the actions of
 * &struct gvt_lane_ops.
 *
 * ::
 *
 *    +------+    a vGPU is next    +----------+   free: begin   +---------+
 *    |      |--------------------->|          |---------------->|         |
 *    | IDLE |                      | DRAINING |                 | RUNNING |
 *    |      |<---------------------|          |<----------------|         |
 *    +------+   free, none next    +----------+   another, or   +---------+
 *                                   |   ^   ^      none, next     |   ^
 *                           preempt |   |   |                     |   |
 *                                   |   |   |        next behind  |   |  free: begin,
 *                                   |   |   |   the present one   |   |  or none next
 *                                   v   |   |                     v   |
 *                          +--------------+ | another next +---------------+
 *                          | HANDING_OVER | +--------------| LOOKING_AHEAD |
 *                          +--------------+                +---------------+
 *
 * A lane also goes back from DRAINING to RUNNING if the present turn continues after all.
 * It goes from RUNNING to HANDING_OVER and back if a workload that fills gaps has the engine
 * when the workload of the vGPU whose turn it is arrives. While the lane is HANDING_OVER,
 * another vGPU can still become the next one, if its workload reaches the engine in time.
 *
 * In all states but HANDING_OVER, if the vGPU whose turn it is has nothing in flight and another
 * vGPU's workload executes, the turn goes to that vGPU. A removed vGPU is no longer the
 * present or the next one: without a next one, the lane becomes RUNNING or IDLE; without a
 * present one, LOOKING_AHEAD becomes DRAINING; HANDING_OVER ends as always.
 *
 * With exclusive dispatch, one lane has all engines, and no workload can be preempted: this
 * lane is never HANDING_OVER or LOOKING_AHEAD.
 */

/**
 * enum gvt_lane_state - state of a lane
 * @GVT_LANE_IDLE: no vGPU has the turn
 * @GVT_LANE_RUNNING: workloads of @turn go to the engines
 * @GVT_LANE_LOOKING_AHEAD: the last workload of @turn runs to completion;
 *   workloads of @next are put behind it
 * @GVT_LANE_DRAINING: @next, or none, is to have the engines as soon as possible;
 *   no more workloads of @turn go there
 * @GVT_LANE_HANDING_OVER: a workload is being preempted for @next, which may still change
 */
enum gvt_lane_state {
	GVT_LANE_IDLE,
	GVT_LANE_RUNNING,
	GVT_LANE_LOOKING_AHEAD,
	GVT_LANE_DRAINING,
	GVT_LANE_HANDING_OVER,
};

struct gvt_lane;

/**
 * struct gvt_lane_ops - actions that a lane requests from its owner
 * @turn_passes: the turn passes from @prev to @next, either of which may be NULL for none;
 *   the decision was made @since_ns ago. Called while the turn is still @prev's.
 * @preempt: begin to preempt the workload of @e for that of the lane's @next; false if
 *   that is not possible now
 */
struct gvt_lane_ops {
	void (*turn_passes)(struct gvt_lane *lane, struct gvt_sched_entity *prev,
			    struct gvt_sched_entity *next, u64 since_ns,
			    enum gvt_switch_reason reason);
	bool (*preempt)(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now);
};

/**
 * struct gvt_lane - turns on the engines of a lane
 * @rq: run queue of the lane's vGPUs
 * @ops: actions
 * @state: state of the lane
 * @turn: the vGPU whose turn it is; NULL for none
 * @next: the vGPU that has the next turn, depending on @state; NULL for none
 * @wake_at: when to update the lane even if nothing happens; 0 for never
 * @decided_at: when the lane decided to pass the turn on; 0 if it has not
 * @reason: why the turn passes on
 * @dispatch: more workloads can go to the engines than before; the owner clears this
 * @strangers: number of workloads in flight of vGPUs outside the lane; set by the owner, as
 *   are the rq's @executing and the entities' @in_flight, @offered and @executes
 *
 * Call all functions and read all members under the lock that the run queue's owner names.
 */
struct gvt_lane {
	struct gvt_sched_rq *rq;
	const struct gvt_lane_ops *ops;
	enum gvt_lane_state state;
	struct gvt_sched_entity *turn;
	struct gvt_sched_entity *next;
	u64 wake_at;
	u64 decided_at;
	enum gvt_switch_reason reason;
	bool dispatch;
	u32 strangers;
};

const char *gvt_lane_state_name(enum gvt_lane_state state);

void gvt_lane_init(struct gvt_lane *lane, struct gvt_sched_rq *rq,
		   const struct gvt_lane_ops *ops);
void gvt_lane_add(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now);
void gvt_lane_remove(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now);
bool gvt_lane_stop(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now);
void gvt_lane_update(struct gvt_lane *lane, u64 now);
void gvt_lane_handed_over(struct gvt_lane *lane);
struct gvt_sched_entity *gvt_lane_occupant(const struct gvt_lane *lane,
					   const struct gvt_sched_entity *next);
bool gvt_lane_may_dispatch(const struct gvt_lane *lane,
			   const struct gvt_sched_entity *e, u64 now);
bool gvt_lane_is_ready(const struct gvt_lane *lane, const struct gvt_sched_entity *e, u64 now);
bool gvt_lane_before(struct gvt_lane *lane, struct gvt_sched_entity *a,
		     struct gvt_sched_entity *b, u64 now);

#endif /* _GVT_LANE_STATE_H_ */
