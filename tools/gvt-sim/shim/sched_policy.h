/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What upstream's file of this name has with the patches, as far as it is not about threads:
 * see the driver's.
 */
#ifndef _GVT_SIM_SCHED_POLICY_H_
#define _GVT_SIM_SCHED_POLICY_H_

#include <linux/hrtimer.h>

#include "sched_core.h"
#include "sched_lane.h"
#include "sched_pace.h"
#include "sched_stats.h"
#include "sched_watch.h"

struct vgpu_sched_ctl {
	int weight;
};

struct vgpu_sched_data {
	struct vgpu_sched_lane lane[GVT_SCHED_LANES];
	bool preempt;
	bool arbitration;
	struct gvt_engine_stats stats[I915_NUM_ENGINES];
};

struct gvt_sched_data {
	struct intel_gvt *gvt;
	struct hrtimer timer;
	const struct gvt_pace_ops *pace;
	bool ticking;
	u64 wake_at_ns;
	u64 grid_ns;
	struct gvt_sched_lane lane[GVT_SCHED_LANES];
	struct gvt_sched_settings set;
};

#define gvt_sched_set(gvt) (&((struct gvt_sched_data *)(gvt)->scheduler.sched_data)->set)

#define for_each_lane(data__, lane__)					\
	for ((lane__) = (data__)->lane;					\
	     (lane__) < (data__)->lane + GVT_SCHED_LANES; (lane__)++)	\
		for_each_if((lane__)->engines)

static inline int gvt_lane_index(const struct gvt_sched_lane *lane)
{
	return lane - lane->data->lane;
}

#define gvt_lane_member(lane__, vgpu__) \
	(&((struct vgpu_sched_data *)(vgpu__)->sched_data)->lane[gvt_lane_index(lane__)])

#endif
