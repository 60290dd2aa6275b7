// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "lane_trace.h"
#include "lane_values.h"

#define VALUE(type__, member__) {			\
	.name = #member__,				\
	.offset = offsetof(struct type__, member__),	\
	.size = sizeof_field(struct type__, member__),	\
}

#define VGPU_VALUE(type__, member__) {			\
	.name = #member__,				\
	.offset = offsetof(struct type__, member__),	\
	.is_vgpu = true,				\
}

const struct gvt_lane_value gvt_data_values[] = {
	VALUE(gvt_sched_data, ticking),
	VALUE(gvt_sched_data, grid_ns),
	{}
};

const struct gvt_lane_value gvt_rq_values[] = {
	VALUE(gvt_sched_lane, rq.epoch),
	VALUE(gvt_sched_lane, rq.busy),
	VALUE(gvt_sched_lane, rq.turn_since),
	VALUE(gvt_sched_lane, rq.charged_until),
	VALUE(gvt_sched_lane, rq.period_end),
	VALUE(gvt_sched_lane, rq.stage),
	VALUE(gvt_sched_lane, rq.counted_until),
	VALUE(gvt_sched_lane, rq.denied_ns),
	VALUE(gvt_sched_lane, rq.alone_ns),
	VALUE(gvt_sched_lane, rq.min_vruntime),
	VALUE(gvt_sched_lane, rq.idle_since),
	VALUE(gvt_sched_lane, rq.hold.since),
	VALUE(gvt_sched_lane, rq.hold.until),
	VALUE(gvt_sched_lane, state.state),
	VALUE(gvt_sched_lane, state.wake_at),
	VALUE(gvt_sched_lane, state.decided_at),
	VALUE(gvt_sched_lane, state.reason),
	VGPU_VALUE(gvt_sched_lane, rq.current_entity),
	VGPU_VALUE(gvt_sched_lane, rq.hold.expected),
	VGPU_VALUE(gvt_sched_lane, rq.hold.instead),
	VGPU_VALUE(gvt_sched_lane, state.turn),
	VGPU_VALUE(gvt_sched_lane, state.next),
	{}
};

const struct gvt_lane_value gvt_entity_values[] = {
	VALUE(gvt_sched_entity, epoch),
	VALUE(gvt_sched_entity, busy),
	VALUE(gvt_sched_entity, stopping),
	VALUE(gvt_sched_entity, boosted),
	VALUE(gvt_sched_entity, boost_until),
	VALUE(gvt_sched_entity, slice_ns),
	VALUE(gvt_sched_entity, left_ns),
	VALUE(gvt_sched_entity, vruntime),
	VALUE(gvt_sched_entity, lag_ns),
	VALUE(gvt_sched_entity, run_ns),
	VALUE(gvt_sched_entity, run.mean.internal),
	VALUE(gvt_sched_entity, run.dev.internal),
	VALUE(gvt_sched_entity, run.samples),
	VALUE(gvt_sched_entity, late_run.mean.internal),
	VALUE(gvt_sched_entity, late_run.dev.internal),
	VALUE(gvt_sched_entity, late_run.samples),
	VALUE(gvt_sched_entity, ready_since),
	VALUE(gvt_sched_entity, late),
	VALUE(gvt_sched_entity, budget_ns),
	VALUE(gvt_sched_entity, floor_ns),
	VALUE(gvt_sched_entity, floor_at),
	VALUE(gvt_sched_entity, woken),
	VALUE(gvt_sched_entity, cut_in_at),
	VALUE(gvt_sched_entity, wait_since),
	VALUE(gvt_sched_entity, idle_since),
	VALUE(gvt_sched_entity, came),
	VALUE(gvt_sched_entity, pauses[0]),
	VALUE(gvt_sched_entity, pauses[1]),
	VALUE(gvt_sched_entity, pauses[2]),
	VALUE(gvt_sched_entity, pauses[3]),
	VALUE(gvt_sched_entity, pauses[4]),
	VALUE(gvt_sched_entity, pauses[5]),
	VALUE(gvt_sched_entity, pauses[6]),
	VALUE(gvt_sched_entity, pauses[7]),
	VALUE(gvt_sched_entity, pauses[8]),
	VALUE(gvt_sched_entity, pauses[9]),
	VALUE(gvt_sched_entity, pauses[10]),
	VALUE(gvt_sched_entity, pauses[11]),
	VALUE(gvt_sched_entity, pauses[12]),
	VALUE(gvt_sched_entity, pauses[13]),
	VALUE(gvt_sched_entity, pauses[14]),
	VALUE(gvt_sched_entity, paused_ns[0]),
	VALUE(gvt_sched_entity, paused_ns[1]),
	VALUE(gvt_sched_entity, paused_ns[2]),
	VALUE(gvt_sched_entity, paused_ns[3]),
	VALUE(gvt_sched_entity, paused_ns[4]),
	VALUE(gvt_sched_entity, paused_ns[5]),
	VALUE(gvt_sched_entity, paused_ns[6]),
	VALUE(gvt_sched_entity, paused_ns[7]),
	VALUE(gvt_sched_entity, paused_ns[8]),
	VALUE(gvt_sched_entity, paused_ns[9]),
	VALUE(gvt_sched_entity, paused_ns[10]),
	VALUE(gvt_sched_entity, paused_ns[11]),
	VALUE(gvt_sched_entity, paused_ns[12]),
	VALUE(gvt_sched_entity, paused_ns[13]),
	VALUE(gvt_sched_entity, served_ns),
	VALUE(gvt_sched_entity, service.mean.internal),
	VALUE(gvt_sched_entity, service.dev.internal),
	VALUE(gvt_sched_entity, service.samples),
	VALUE(gvt_sched_entity, think.mean.internal),
	VALUE(gvt_sched_entity, think.dev.internal),
	VALUE(gvt_sched_entity, think.samples),
	VALUE(gvt_sched_entity, way.mean.internal),
	VALUE(gvt_sched_entity, way.dev.internal),
	VALUE(gvt_sched_entity, way.samples),
	VALUE(gvt_sched_entity, uncut),
	VALUE(gvt_sched_entity, cap_left_ns),
	VALUE(gvt_sched_entity, cap_empty),
	VALUE(gvt_sched_entity, cap_filled),
	{}
};

/**
 * gvt_lane_value - read a member of the scheduler's state
 * @of: the structure
 * @value: the member
 *
 * Return: the value, or the vGPU's id if the member points to a vGPU, 0 for none.
 */
s64 gvt_lane_value(const void *of, const struct gvt_lane_value *value)
{
	const void *at = of + value->offset;
	struct gvt_sched_entity *e;

	if (value->is_vgpu) {
		e = *(struct gvt_sched_entity * const *)at;
		return e ? entity_to_vgpu(e)->id : 0;
	}

	switch (value->size) {
	case sizeof(u8):
		return *(const u8 *)at;
	case sizeof(u32):
		return *(const u32 *)at;
	default:
		return *(const s64 *)at;
	}
}

static void trace_values(const struct gvt_sched_lane *lane, u32 vgpu_id, const void *of,
			 const struct gvt_lane_value *value)
{
	for (; value->name; value++)
		trace_gvt_lane_value(lane, vgpu_id, value->name, gvt_lane_value(of, value));
}

/**
 * intel_gvt_lane_trace_values - trace all the state on which a lane bases its decisions
 * @lane: the lane
 *
 * Call with sched_lock held. Traces vGPUs in the order of turns.
 */
void intel_gvt_lane_trace_values(const struct gvt_sched_lane *lane)
{
	struct gvt_sched_entity *e;

	lockdep_assert_held(&lane->data->gvt->sched_lock);

	trace_values(lane, 0, lane->data, gvt_data_values);
	trace_values(lane, 0, lane, gvt_rq_values);
	list_for_each_entry(e, &lane->rq.entities, link)
		trace_values(lane, entity_to_vgpu(e)->id, e, gvt_entity_values);
}
