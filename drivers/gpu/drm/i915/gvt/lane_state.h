/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_LANE_STATE_H_
#define _GVT_LANE_STATE_H_

#include <linux/types.h>

#include "sched_core.h"

/**
 * DOC: the state of a lane
 *
 * Whose turn it is at the engines of a lane, and how the turn passes on. Like the
 * decisions of sched_core.h this refers to no device, lock or clock: the owner says
 * what the engines look like, tells of events, and carries out the actions of
 * &struct gvt_lane_ops.
 *
 * ::
 *
 *    +------+   somebody is next   +----------+   free: begin   +---------+
 *    |      |--------------------->|          |---------------->|         |
 *    | IDLE |                      | DRAINING |                 | RUNNING |
 *    |      |<---------------------|          |<----------------|         |
 *    +------+  free, nobody next   +----------+   another, or   +---------+
 *                                   |   ^   ^    nobody, next     |   ^
 *                          take off |   |   |                     |   |
 *                                   |   |   |        next behind  |   |  free: begin,
 *                                   |   |   |   the present one   |   |  or nobody next
 *                                   v   |   |                     v   |
 *                          +--------------+ | another next +---------------+
 *                          | HANDING_OVER | +--------------| LOOKING_AHEAD |
 *                          +--------------+                +---------------+
 *
 * From DRAINING a lane goes back to RUNNING, too, if the present turn is to go on after all.
 * From RUNNING it goes to HANDING_OVER and back if a workload that fills gaps has the engine
 * when that of the vGPU whose turn it is comes. While it is HANDING_OVER another vGPU may
 * become the next one, if its workload has got to the engine in time.
 *
 * Whatever the state but HANDING_OVER, the turn goes to a vGPU whose workload executes when
 * the one whose turn it is has nothing at the engine. A vGPU that is removed is neither the
 * present one nor the next one any more: without a next one the lane is RUNNING or IDLE
 * then, without a present one DRAINING; HANDING_OVER ends as always.
 *
 * With exclusive dispatch there is one lane for all engines, of which nobody can be taken
 * off: it is never HANDING_OVER nor LOOKING_AHEAD.
 */

/**
 * enum gvt_lane_state - what happens in a lane
 * @GVT_LANE_IDLE: it is nobody's turn
 * @GVT_LANE_RUNNING: workloads of @turn go to the engines
 * @GVT_LANE_LOOKING_AHEAD: the last one of @turn executes; those of @next are put
 *   behind it, which is not cut short
 * @GVT_LANE_DRAINING: @next, or nobody, is to have the engines as soon as possible;
 *   nothing more of @turn goes there
 * @GVT_LANE_HANDING_OVER: somebody's workload is taken off for @next, who may still change
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
 * struct gvt_lane_ops - what a lane wants done
 * @turn_passes: a turn passes from @prev to @next, either of which may be NULL for
 *   nobody; that was decided @since_ns ago. Called while it is still @prev's.
 * @take_off: begin to take the workload of @e off the engine, for that of @next of the
 *   lane; false if that is not possible now
 */
struct gvt_lane_ops {
	void (*turn_passes)(struct gvt_lane *lane, struct gvt_sched_entity *prev,
			    struct gvt_sched_entity *next, u64 since_ns,
			    enum gvt_switch_reason reason);
	bool (*take_off)(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now);
};

/**
 * struct gvt_lane - whose turn it is
 * @rq: who takes part, and who goes first
 * @ops: what to do
 * @state: see there
 * @turn: whose turn it is; NULL for nobody's
 * @next: whose it will be, according to @state; NULL for nobody's
 * @wake_at: when to look again even if nothing happens; 0 for never
 * @decided_at: when it was decided that the turn passes on; 0 if it was not
 * @reason: why
 * @dispatch: more can go to the engines than before; to be cleared by the owner
 * @strangers: workloads in flight of vGPUs that do not take part; the owner's, as are
 *   the rq's @executing and the entities' @in_flight, @offered and @executes
 *
 * All calls and reads are made under the lock that the owner of the run queue names.
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
void gvt_lane_taken_off(struct gvt_lane *lane);
struct gvt_sched_entity *gvt_lane_occupant(const struct gvt_lane *lane,
					   const struct gvt_sched_entity *next);
bool gvt_lane_may_dispatch(const struct gvt_lane *lane,
			   const struct gvt_sched_entity *e, u64 now);
bool gvt_lane_is_ready(const struct gvt_lane *lane, const struct gvt_sched_entity *e, u64 now);
bool gvt_lane_before(struct gvt_lane *lane, struct gvt_sched_entity *a,
		     struct gvt_sched_entity *b, u64 now);

#endif /* _GVT_LANE_STATE_H_ */
