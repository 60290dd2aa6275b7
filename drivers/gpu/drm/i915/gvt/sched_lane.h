/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_LANE_H_
#define _GVT_SCHED_LANE_H_

#include "gt/intel_engine_types.h"

#include "sched_data.h"

struct intel_engine_cs;

struct gvt_sched_lane *intel_gvt_engine_lane(struct gvt_sched_data *sched_data,
					     enum intel_engine_id engine);

extern const struct gvt_lane_ops intel_gvt_lane_ops;

void intel_gvt_lanes_end_hand_overs(struct gvt_sched_data *sched_data, u64 now);

void intel_gvt_lane_use(struct gvt_sched_lane *lane, intel_engine_mask_t engines);
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
