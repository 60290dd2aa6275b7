/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_WATCH_H_
#define _GVT_SCHED_WATCH_H_

#include <linux/types.h>

#include "sched_core.h"

struct gvt_sched_lane;
struct vgpu_sched_lane;

extern const struct gvt_sched_rq_ops gvt_sched_watch_ops;

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

/**
 * struct gvt_lane_value - a part of the state that decisions are made by
 * @name: what trace events call it
 * @offset: where it is
 * @size: how long it is
 * @is_vgpu: it points to the &struct gvt_sched_entity of a vGPU, whose id is told
 */
struct gvt_lane_value {
	const char *name;
	u16 offset;
	u8 size;
	bool is_vgpu;
};

/* Those of struct gvt_sched_data, gvt_sched_lane and gvt_sched_entity; the last has no name */
extern const struct gvt_lane_value gvt_data_values[];
extern const struct gvt_lane_value gvt_rq_values[];
extern const struct gvt_lane_value gvt_entity_values[];

s64 gvt_lane_value(const void *of, const struct gvt_lane_value *value);
void intel_gvt_lane_trace_values(const struct gvt_sched_lane *lane);

void intel_gvt_sched_trace_switch(const struct gvt_sched_lane *lane,
				  const struct vgpu_sched_lane *prev,
				  const struct vgpu_sched_lane *next, u64 since_ns,
				  enum gvt_switch_reason reason);

#endif /* _GVT_SCHED_WATCH_H_ */
