/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_sched

#if !defined(_GVT_SCHED_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_SCHED_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "switch_reason.h"

struct vgpu_sched_data;

/**
 * DOC: scheduler events
 *
 * - gvt_sched_switch: another vGPU becomes the current one. %prev_left_ns and
 *   %next_left_ns are what the two have left of their slices at the switch,
 *   negative for debt; %prev_slice_ns and %next_slice_ns are their allocated
 *   slices; %drain_ns is the time from the decision to switch until every engine
 *   was drained; %reason is idle (the previous vGPU had nothing to run), turn
 *   (round-robin: the previous vGPU could have gone on), slice (the previous vGPU
 *   has work, but no slice left), boost (the next vGPU has its start boost) or stop
 *   (the previous vGPU was stopped or removed, which waits for no engine, so that
 *   %drain_ns is 0)
 * - gvt_sched_balance: slices were handed out; one event for each vGPU in the
 *   scheduler's run queue, with the state after it. In %stage 0 debt and leftover
 *   are forgotten, in the others carried over
 *
 * A switch that was decided before gvt_sched_switch was enabled is not traced.
 */

TRACE_DEFINE_ENUM(GVT_SWITCH_IDLE);
TRACE_DEFINE_ENUM(GVT_SWITCH_TURN);
TRACE_DEFINE_ENUM(GVT_SWITCH_SLICE);
TRACE_DEFINE_ENUM(GVT_SWITCH_BOOST);
TRACE_DEFINE_ENUM(GVT_SWITCH_STOP);

TRACE_EVENT(gvt_sched_switch,
	    TP_PROTO(u32 dev, const struct vgpu_sched_data *prev,
		     const struct vgpu_sched_data *next, u64 drain_ns,
		     enum gvt_switch_reason reason),
	    TP_ARGS(dev, prev, next, drain_ns, reason),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, prev_vgpu_id)
			     __field(u32, next_vgpu_id)
			     __field(s64, prev_left_ns)
			     __field(s64, prev_slice_ns)
			     __field(s64, next_left_ns)
			     __field(s64, next_slice_ns)
			     __field(u64, drain_ns)
			     __field(u32, reason)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->prev_vgpu_id = prev->vgpu->id;
			   __entry->next_vgpu_id = next->vgpu->id;
			   __entry->prev_left_ns = ktime_to_ns(prev->left_ts);
			   __entry->prev_slice_ns = ktime_to_ns(prev->allocated_ts);
			   __entry->next_left_ns = ktime_to_ns(next->left_ts);
			   __entry->next_slice_ns = ktime_to_ns(next->allocated_ts);
			   __entry->drain_ns = drain_ns;
			   __entry->reason = reason;),

	    TP_printk("dev=%u, prev=%u, next=%u, prev_left_ns=%lld, prev_slice_ns=%lld, next_left_ns=%lld, next_slice_ns=%lld, drain_ns=%llu, reason=%s",
		      __entry->dev, __entry->prev_vgpu_id, __entry->next_vgpu_id,
		      __entry->prev_left_ns, __entry->prev_slice_ns,
		      __entry->next_left_ns, __entry->next_slice_ns,
		      __entry->drain_ns,
		      __print_symbolic(__entry->reason,
				       { GVT_SWITCH_IDLE, "idle" },
				       { GVT_SWITCH_TURN, "turn" },
				       { GVT_SWITCH_SLICE, "slice" },
				       { GVT_SWITCH_BOOST, "boost" },
				       { GVT_SWITCH_STOP, "stop" }))
);

TRACE_EVENT(gvt_sched_balance,
	    TP_PROTO(u32 dev, const struct vgpu_sched_data *data, u32 stage),
	    TP_ARGS(dev, data, stage),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u32, stage)
			     __field(u32, weight)
			     __field(s64, slice_ns)
			     __field(s64, left_ns)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->vgpu_id = data->vgpu->id;
			   __entry->stage = stage;
			   __entry->weight = data->sched_ctl.weight;
			   __entry->slice_ns = ktime_to_ns(data->allocated_ts);
			   __entry->left_ns = ktime_to_ns(data->left_ts);),

	    TP_printk("dev=%u, vgpu=%u, stage=%u, weight=%u, slice_ns=%lld, left_ns=%lld",
		      __entry->dev, __entry->vgpu_id, __entry->stage,
		      __entry->weight, __entry->slice_ns, __entry->left_ns)
);

#endif /* _GVT_SCHED_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE sched_trace
#include <trace/define_trace.h>
