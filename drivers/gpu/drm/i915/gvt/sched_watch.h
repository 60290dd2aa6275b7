/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_WATCH_H_
#define _GVT_SCHED_WATCH_H_

#include <linux/types.h>

#include "sched_data.h"

extern const struct gvt_sched_rq_ops gvt_sched_watch_ops;

/* For trace events: the GPU, and the engine of a single-engine lane, -1 for other lanes */
u32 gvt_lane_dev(const struct gvt_sched_lane *lane);
/* id of the vGPU whose turn it is, 0 for none */
u32 gvt_lane_turn_id(const struct gvt_sched_lane *lane);
s16 gvt_lane_class(const struct gvt_sched_lane *lane);
s16 gvt_lane_instance(const struct gvt_sched_lane *lane);

/**
 * enum gvt_lane_input - inputs of the decisions of a lane
 * @GVT_INPUT_TICK: a tick; the decisions made at this tick follow
 * @GVT_INPUT_QUEUED: a vGPU without work got some, and the next decision is made at a tick
 * @GVT_INPUT_EXECUTED: a vGPU has executed since it was last charged
 * @GVT_INPUT_FINISHED: a workload has finished; its vGPU has executed since it was last charged
 * @GVT_INPUT_UNQUEUED: a workload was removed from a vGPU's queue
 * @GVT_INPUT_PREEMPTED: a workload was preempted, with this preempt latency
 * @GVT_INPUT_ENDED: a workload that was to be preempted finished first
 * @GVT_INPUT_UPDATE: the state of the engines, followed by a decision
 * @GVT_INPUT_MEMBERS: a vGPU joins the lane, or is to leave it
 * @GVT_INPUT_KEPT: a workload could not be preempted
 * @GVT_INPUT_HOST: the host has executed since it was last accounted for
 */
enum gvt_lane_input {
	GVT_INPUT_TICK,
	GVT_INPUT_QUEUED,
	GVT_INPUT_EXECUTED,
	GVT_INPUT_FINISHED,
	GVT_INPUT_UNQUEUED,
	GVT_INPUT_PREEMPTED,
	GVT_INPUT_ENDED,
	GVT_INPUT_UPDATE,
	GVT_INPUT_MEMBERS,
	GVT_INPUT_KEPT,
	GVT_INPUT_HOST,
};

/**
 * struct gvt_lane_look - state of a lane's vGPUs, one bit for each vGPU id
 * @busy: vGPUs that have work
 * @in_flight: vGPUs that have a workload in flight
 * @offered: vGPUs with a workload that i915 has and could execute
 * @executes: vGPUs whose workload executes
 * @preemptible: vGPUs whose workloads can be preempted
 */
struct gvt_lane_look {
	u16 busy;
	u16 in_flight;
	u16 offered;
	u16 executes;
	u16 preemptible;
};

struct gvt_lane_look gvt_lane_look(const struct gvt_sched_lane *lane);

void intel_gvt_sched_trace_switch(const struct gvt_sched_lane *lane,
				  const struct vgpu_sched_lane *prev,
				  const struct vgpu_sched_lane *next, u64 since_ns,
				  enum gvt_switch_reason reason);

#endif /* _GVT_SCHED_WATCH_H_ */
