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
 * struct gvt_sched_lane - engines used by one vGPU at a time
 * @data: the scheduler's data
 * @engines: the engines; 0 while the lane is not used
 * @rq: decides which vGPU runs next on the engines
 * @state: whose turn it is
 * @host_ns: execution time of the host that is accounted for
 * @host_stays: number of stays that the host had ended at the last check
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

/* Indexed by engine id; with exclusive dispatch, only the exclusive lane is in use */
#define GVT_SCHED_LANES I915_NUM_ENGINES
#define GVT_SCHED_EXCLUSIVE_LANE RCS0

/**
 * struct vgpu_sched_lane - a vGPU in a lane
 * @entity: the vGPU as the lane's run queue sees it
 * @vgpu: the vGPU
 * @charged_ns: total execution time of the vGPU up to the last charge
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
 * struct gvt_coarse_use - coarse GPU utilization of a vGPU, which any user may read
 * @lock: protects the other members
 * @at_ns: when @percent was computed
 * @exec_ns: execution time of the vGPU at @at_ns
 * @percent: utilization in the time before @at_ns; negative if not known yet
 */
struct gvt_coarse_use {
	struct mutex lock;	/* protects the other members */
	u64 at_ns;
	u64 exec_ns;
	int percent;
};

struct vgpu_sched_data {
	struct vgpu_sched_lane lane[GVT_SCHED_LANES];
	struct intel_vgpu *vgpu;
	bool active;
	int stops;		/* number of waiters for the vGPU's workloads in flight */
	bool restart;		/* start the vGPU when the last waiter is done */
	bool preempt;		/* the vGPU's workloads may be preempted */
	bool arbitration;	/* the vGPU's rings may be changed to allow preemption */
	u32 queued;		/* workloads, including those in flight */
	struct gvt_engine_stats stats[I915_NUM_ENGINES];
	struct gvt_coarse_use use;
};

struct gvt_sched_data {
	struct intel_gvt *gvt;
	struct hrtimer timer;
	const struct gvt_pace_ops *pace;	/* when decisions are made */
	bool ticking;		/* the timer expires at every tick */
	u64 wake_at_ns;		/* when the timer expires once, 0 for never */
	u64 grid_ns;		/* time of the first tick, to which all ticks are aligned */
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
