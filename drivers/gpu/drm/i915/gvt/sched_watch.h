/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_WATCH_H_
#define _GVT_SCHED_WATCH_H_

#include <linux/types.h>

#include "sched_data.h"

extern const struct gvt_sched_rq_ops gvt_sched_watch_ops;

/* For trace events: the GPU, and the engine of a lane with one engine, -1 otherwise */
u32 gvt_lane_dev(const struct gvt_sched_lane *lane);
/* whose turn it is, 0 for nobody's */
u32 gvt_lane_turn_id(const struct gvt_sched_lane *lane);
s16 gvt_lane_class(const struct gvt_sched_lane *lane);
s16 gvt_lane_instance(const struct gvt_sched_lane *lane);

/**
 * enum gvt_lane_input - what a lane is told, for it to decide by
 * @GVT_INPUT_TICK: a tick has come; the decisions at it follow
 * @GVT_INPUT_QUEUED: a vGPU that had none has work, and nothing is decided before a tick
 * @GVT_INPUT_EXECUTED: a vGPU has executed since the last time
 * @GVT_INPUT_FINISHED: a workload has; the vGPU has executed since the last time
 * @GVT_INPUT_UNQUEUED: a workload was taken from a vGPU's queue
 * @GVT_INPUT_MADE_WAY: a workload was taken off the engine; it took so long
 * @GVT_INPUT_ENDED: one that was to be has come to its end before
 * @GVT_INPUT_UPDATE: the engines look as is told, and it is decided
 * @GVT_INPUT_MEMBERS: a vGPU takes part, or is to take part no longer
 * @GVT_INPUT_KEPT: the workload that was to be taken off the engine could not be
 * @GVT_INPUT_HOST: the host has executed since the last time
 */
enum gvt_lane_input {
	GVT_INPUT_TICK,
	GVT_INPUT_QUEUED,
	GVT_INPUT_EXECUTED,
	GVT_INPUT_FINISHED,
	GVT_INPUT_UNQUEUED,
	GVT_INPUT_MADE_WAY,
	GVT_INPUT_ENDED,
	GVT_INPUT_UPDATE,
	GVT_INPUT_MEMBERS,
	GVT_INPUT_KEPT,
	GVT_INPUT_HOST,
};

/**
 * struct gvt_lane_look - what is known of the vGPUs of a lane, one bit for each by id
 * @busy: they have work
 * @in_flight: they have a workload in flight
 * @offered: i915 has that one and could execute it
 * @executes: it does
 * @preemptible: their workloads can be taken off the engine
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
