/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_LANE_H_
#define _GVT_SCHED_LANE_H_

#include <linux/types.h>

#include "gt/intel_engine_types.h"

#include "lane_state.h"
#include "sched_core.h"

struct gvt_sched_data;
struct intel_engine_cs;
struct intel_gvt;
struct intel_vgpu;

/**
 * struct gvt_sched_lane - engines that one vGPU at a time has
 * @data: the scheduler's data
 * @engines: the engines; 0 while the lane is not used
 * @rq: who runs next on them
 * @state: whose turn it is
 *
 * With exclusive dispatch there is one lane with all engines, otherwise each engine
 * has its own. Protected by sched_lock.
 */
struct gvt_sched_lane {
	struct gvt_sched_data *data;
	intel_engine_mask_t engines;
	struct gvt_sched_rq rq;
	struct gvt_lane state;
};

/* The lane of an engine, and the only one with exclusive dispatch, have these places */
#define GVT_SCHED_LANES I915_NUM_ENGINES
#define GVT_SCHED_EXCLUSIVE_LANE RCS0

/**
 * struct vgpu_sched_lane - a vGPU in a lane
 * @entity: the vGPU as the lane's run queue sees it
 * @vgpu: the vGPU
 * @charged_ns: its execution time that was charged, in total
 *
 * Protected by sched_lock.
 */
struct vgpu_sched_lane {
	struct gvt_sched_entity entity;
	struct intel_vgpu *vgpu;
	u64 charged_ns;
};

/* For trace events: the GPU, and the engine of a lane with one engine, -1 otherwise */
u32 gvt_lane_dev(const struct gvt_sched_lane *lane);
/* whose turn it is, 0 for nobody's */
u32 gvt_lane_turn_id(const struct gvt_sched_lane *lane);
s16 gvt_lane_class(const struct gvt_sched_lane *lane);
s16 gvt_lane_instance(const struct gvt_sched_lane *lane);

#define entity_to_vgpu(e) (container_of(e, struct vgpu_sched_lane, entity)->vgpu)

struct gvt_sched_lane *intel_gvt_engine_lane(struct gvt_sched_data *sched_data,
					     enum intel_engine_id engine);

void intel_gvt_lanes_init(struct gvt_sched_data *sched_data);
void intel_gvt_lanes_change(struct gvt_sched_data *sched_data,
			    const struct gvt_sched_settings *set, u64 now);
void intel_gvt_lanes_end_hand_overs(struct gvt_sched_data *sched_data, u64 now);

void intel_gvt_lane_join(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, u64 now);
void intel_gvt_lane_stop(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu, u64 now);
void intel_gvt_lane_update(struct gvt_sched_lane *lane, u64 now);
void intel_gvt_lane_complete(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu,
			     u64 now);
void intel_gvt_lane_unqueue(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu,
			    u64 now);

struct intel_vgpu *intel_gvt_lane_dispatch(struct gvt_sched_lane *lane,
					   const struct intel_engine_cs *engine);

#endif /* _GVT_SCHED_LANE_H_ */
