/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_DATA_H_
#define _GVT_SCHED_DATA_H_

#include <linux/hrtimer.h>
#include <linux/types.h>

#include "gt/intel_engine_types.h"

#include "lane_state.h"
#include "sched_mode.h"
#include "sched_stats.h"

struct gvt_pace_ops;
struct gvt_sched_data;
struct intel_gvt;
struct intel_vgpu;

/**
 * struct gvt_sched_lane - engines that one vGPU at a time has
 * @data: the scheduler's data
 * @engines: the engines; 0 while the lane is not used
 * @rq: who runs next on them
 * @state: whose turn it is
 * @host_ns: as much of the host's execution time as is accounted for
 * @host_stays: how often the host had left an engine by then
 *
 * With exclusive dispatch there is one lane with all engines, otherwise each engine
 * has its own. Protected by sched_lock.
 */
struct gvt_sched_lane {
	struct gvt_sched_data *data;
	intel_engine_mask_t engines;
	struct gvt_sched_rq rq;
	struct gvt_lane state;
	u64 host_ns;
	u32 host_stays;
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

#define entity_to_vgpu(e) (container_of(e, struct vgpu_sched_lane, entity)->vgpu)

/**
 * struct gvt_coarse_use - what everybody may know of a vGPU's use of the GPU
 * @lock: of the other members
 * @at_ns: when it was computed
 * @exec_ns: for how long the vGPU had been on engines then
 * @percent: of the time before that; negative if not known yet
 */
struct gvt_coarse_use {
	struct mutex lock;	/* of the other members */
	u64 at_ns;
	u64 exec_ns;
	int percent;
};

struct vgpu_sched_data {
	struct vgpu_sched_lane lane[GVT_SCHED_LANES];
	struct intel_vgpu *vgpu;
	bool active;
	int stops;		/* how many wait for what it has in flight */
	bool restart;		/* it shall be started when they are done */
	bool preempt;		/* its workloads may be taken off an engine */
	bool arbitration;	/* its rings may be changed so that they can */
	u32 queued;		/* workloads, those in flight among them */
	struct gvt_engine_stats stats[I915_NUM_ENGINES];
	struct gvt_coarse_use use;
};

struct gvt_sched_data {
	struct intel_gvt *gvt;
	struct hrtimer timer;
	const struct gvt_pace_ops *pace;	/* when decisions are made */
	bool ticking;		/* the timer expires at every tick */
	u64 wake_at_ns;		/* when it expires once, 0 for never */
	u64 grid_ns;		/* when the first tick was, on whose grid all are */
	struct gvt_sched_lane lane[GVT_SCHED_LANES];
	struct gvt_sched_settings set;
};

/* The settings in force; they change under sched_lock */
#define gvt_sched_set(gvt) \
	(&((struct gvt_sched_data *)(gvt)->scheduler.sched_data)->set)

/* All lanes in use */
#define for_each_lane(data__, lane__) \
	for ((lane__) = (data__)->lane; \
	     (lane__) < (data__)->lane + GVT_SCHED_LANES; (lane__)++) \
		for_each_if((lane__)->engines)

static inline int gvt_lane_index(const struct gvt_sched_lane *lane)
{
	return lane - lane->data->lane;
}

/* A vGPU in a lane */
#define gvt_lane_member(lane__, vgpu__) \
	(&((struct vgpu_sched_data *)(vgpu__)->sched_data)->lane[gvt_lane_index(lane__)])

#endif /* _GVT_SCHED_DATA_H_ */
