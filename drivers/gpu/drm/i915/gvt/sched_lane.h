/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_LANE_H_
#define _GVT_SCHED_LANE_H_

#include <linux/types.h>

#include "gt/intel_engine_types.h"

#include "sched_core.h"
#include "sched_watch.h"

struct gvt_sched_data;
struct intel_engine_cs;
struct intel_vgpu;

/**
 * struct gvt_sched_lane - engines that one vGPU at a time has
 * @data: the scheduler's data
 * @engines: the engines; 0 while the lane is not used
 * @rq: who runs next on them
 * @current_vgpu: whose turn it is; NULL after that one was stopped
 * @next_vgpu: who is to be the current one, NULL while that is open
 * @need_reschedule: the current vGPU dispatches nothing any more, because the next
 *   one's turn is to begin
 * @patient: the next one's turn begins when the present workload has finished, which is
 *   not taken off the engine for it
 * @wake_at_ns: when to look again even if nothing happens, 0 for never
 * @decision: why the turn under way will end
 *
 * With exclusive dispatch there is one lane with all engines, otherwise each engine
 * has its own. Protected by sched_lock.
 */
struct gvt_sched_lane {
	struct gvt_sched_data *data;
	intel_engine_mask_t engines;
	struct gvt_sched_rq rq;
	struct intel_vgpu *current_vgpu;
	struct intel_vgpu *next_vgpu;
	bool need_reschedule;
	bool patient;
	u64 wake_at_ns;
	struct gvt_sched_decision decision;
};

/* The lane of an engine, and the only one with exclusive dispatch, have these places */
#define GVT_SCHED_LANES I915_NUM_ENGINES
#define GVT_SCHED_EXCLUSIVE_LANE RCS0

/**
 * struct vgpu_sched_lane - a vGPU in a lane
 * @entity: the vGPU as the lane's run queue sees it
 * @vgpu: the vGPU
 * @charged_ns: its execution time that was charged, in total
 * @runs_to_end_until: up to when it is believed that its workloads cannot be taken
 *   off the engine
 *
 * Protected by sched_lock.
 */
struct vgpu_sched_lane {
	struct gvt_sched_entity entity;
	struct intel_vgpu *vgpu;
	u64 charged_ns;
	u64 runs_to_end_until;
};

/* For trace events: the GPU, and the engine of a lane with one engine, -1 otherwise */
u32 gvt_lane_dev(const struct gvt_sched_lane *lane);
s16 gvt_lane_class(const struct gvt_sched_lane *lane);
s16 gvt_lane_instance(const struct gvt_sched_lane *lane);

#define entity_to_vgpu(e) (container_of(e, struct vgpu_sched_lane, entity)->vgpu)

void intel_gvt_lanes_init(struct gvt_sched_data *sched_data);
void intel_gvt_lanes_use(struct gvt_sched_data *sched_data);

bool intel_gvt_may_dispatch(struct intel_vgpu *vgpu, const struct intel_engine_cs *engine);

void intel_gvt_lane_charge(struct gvt_sched_lane *lane, u64 now);
bool intel_gvt_lane_follow(struct gvt_sched_lane *lane, u64 now);
void intel_gvt_lane_choose(struct gvt_sched_lane *lane, u64 now);
bool intel_gvt_lane_makes_way(struct gvt_sched_lane *lane, u64 now);
void intel_gvt_lane_arrange(struct gvt_sched_lane *lane, u64 now);
struct intel_vgpu *intel_gvt_lane_dispatch(struct gvt_sched_lane *lane);

#endif /* _GVT_SCHED_LANE_H_ */
