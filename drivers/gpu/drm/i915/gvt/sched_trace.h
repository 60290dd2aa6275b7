/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_sched

#if !defined(_GVT_SCHED_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_SCHED_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "sched_watch.h"

/**
 * DOC: scheduler events
 *
 * - gvt_sched_switch: the current vGPU changes. %prev_left_ns and %next_left_ns are
 *   the remainders of the two vGPUs' slices at the switch, negative for debt;
 *   %prev_slice_ns and %next_slice_ns are the slices allocated to them; all four are
 *   meaningless under the fair policy. %drain_ns is the time from the decision to
 *   switch until every engine was drained, or the executing workload had left the
 *   engine. %reason is
 *
 *   - idle: the previous vGPU had nothing to run
 *   - turn: round-robin, the previous vGPU could have continued
 *   - slice: the previous vGPU has work, but has used up its slice or reached its cap
 *   - boost: the next vGPU has its start boost
 *   - stop: the previous vGPU was stopped or removed; %drain_ns is 0, as no engine has to
 *     drain
 *   - owed: the next vGPU is owed more time (fair)
 *   - borrow: the next vGPU has no slice left, but no vGPU with slice left has work
 *     (work-conserving)
 *   - overdue: the next vGPU has waited for max_wait_ms (fair)
 *
 * - gvt_sched_balance: slices were handed out; one event for each vGPU in the
 *   scheduler's run queue, with the resulting state. Debt and leftover are forgotten in
 *   %stage 0, and in the other stages carried over if carry_over is set
 * - gvt_sched_hold: the GPU was kept idle for %held_ns although the vGPU
 *   %held_vgpu_id had work, because %vgpu_id is owed time and was expected to have work
 *   again within %window_ns (fair); %result is came (%vgpu_id had work), expired (it had
 *   none) or stopped (another event made the wait pointless)
 *
 * %class and %instance identify the engine; both are -1 with exclusive dispatch, where
 * a vGPU has all engines.
 */

TRACE_DEFINE_ENUM(GVT_SWITCH_IDLE);
TRACE_DEFINE_ENUM(GVT_SWITCH_TURN);
TRACE_DEFINE_ENUM(GVT_SWITCH_SLICE);
TRACE_DEFINE_ENUM(GVT_SWITCH_BOOST);
TRACE_DEFINE_ENUM(GVT_SWITCH_STOP);
TRACE_DEFINE_ENUM(GVT_SWITCH_OWED);
TRACE_DEFINE_ENUM(GVT_SWITCH_BORROW);
TRACE_DEFINE_ENUM(GVT_SWITCH_OVERDUE);
TRACE_DEFINE_ENUM(GVT_HOLD_CAME);
TRACE_DEFINE_ENUM(GVT_HOLD_EXPIRED);
TRACE_DEFINE_ENUM(GVT_HOLD_STOPPED);

TRACE_EVENT(gvt_sched_switch,
	    TP_PROTO(const struct gvt_sched_lane *lane,
		     const struct vgpu_sched_lane *prev,
		     const struct vgpu_sched_lane *next, u64 drain_ns,
		     enum gvt_switch_reason reason),
	    TP_ARGS(lane, prev, next, drain_ns, reason),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, prev_vgpu_id)
			     __field(u32, next_vgpu_id)
			     __field(s64, prev_left_ns)
			     __field(s64, prev_slice_ns)
			     __field(s64, next_left_ns)
			     __field(s64, next_slice_ns)
			     __field(u64, drain_ns)
			     __field(u32, reason)
			     __field(s16, class)
			     __field(s16, instance)),

	    TP_fast_assign(__entry->dev = gvt_lane_dev(lane);
			   __entry->prev_vgpu_id = prev->vgpu->id;
			   __entry->next_vgpu_id = next->vgpu->id;
			   __entry->prev_left_ns = prev->entity.left_ns;
			   __entry->prev_slice_ns = prev->entity.slice_ns;
			   __entry->next_left_ns = next->entity.left_ns;
			   __entry->next_slice_ns = next->entity.slice_ns;
			   __entry->drain_ns = drain_ns;
			   __entry->reason = reason;
			   __entry->class = gvt_lane_class(lane);
			   __entry->instance = gvt_lane_instance(lane);),

	    TP_printk("dev=%u, prev=%u, next=%u, prev_left_ns=%lld, prev_slice_ns=%lld, next_left_ns=%lld, next_slice_ns=%lld, drain_ns=%llu, reason=%s, engine=%d:%d",
		      __entry->dev, __entry->prev_vgpu_id, __entry->next_vgpu_id,
		      __entry->prev_left_ns, __entry->prev_slice_ns,
		      __entry->next_left_ns, __entry->next_slice_ns,
		      __entry->drain_ns,
		      __print_symbolic(__entry->reason,
				       { GVT_SWITCH_IDLE, "idle" },
				       { GVT_SWITCH_TURN, "turn" },
				       { GVT_SWITCH_SLICE, "slice" },
				       { GVT_SWITCH_BOOST, "boost" },
				       { GVT_SWITCH_STOP, "stop" },
				       { GVT_SWITCH_OWED, "owed" },
				       { GVT_SWITCH_BORROW, "borrow" },
				       { GVT_SWITCH_OVERDUE, "overdue" }),
		      __entry->class, __entry->instance)
);

TRACE_EVENT(gvt_sched_balance,
	    TP_PROTO(const struct gvt_sched_lane *lane,
		     const struct gvt_sched_entity *e, u32 stage),
	    TP_ARGS(lane, e, stage),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u32, stage)
			     __field(u32, weight)
			     __field(s64, slice_ns)
			     __field(s64, left_ns)
			     __field(s16, class)
			     __field(s16, instance)),

	    TP_fast_assign(__entry->dev = gvt_lane_dev(lane);
			   __entry->vgpu_id = entity_to_vgpu(e)->id;
			   __entry->stage = stage;
			   __entry->weight = e->weight;
			   __entry->slice_ns = e->slice_ns;
			   __entry->left_ns = e->left_ns;
			   __entry->class = gvt_lane_class(lane);
			   __entry->instance = gvt_lane_instance(lane);),

	    TP_printk("dev=%u, vgpu=%u, stage=%u, weight=%u, slice_ns=%lld, left_ns=%lld, engine=%d:%d",
		      __entry->dev, __entry->vgpu_id, __entry->stage,
		      __entry->weight, __entry->slice_ns, __entry->left_ns,
		      __entry->class, __entry->instance)
);

TRACE_EVENT(gvt_sched_hold,
	    TP_PROTO(const struct gvt_sched_lane *lane,
		     const struct gvt_sched_hold *hold, u64 now,
		     enum gvt_hold_result result),
	    TP_ARGS(lane, hold, now, result),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u32, held_vgpu_id)
			     __field(u64, held_ns)
			     __field(u64, window_ns)
			     __field(u32, result)
			     __field(s16, class)
			     __field(s16, instance)),

	    TP_fast_assign(__entry->dev = gvt_lane_dev(lane);
			   __entry->vgpu_id = entity_to_vgpu(hold->expected)->id;
			   __entry->held_vgpu_id = entity_to_vgpu(hold->instead)->id;
			   __entry->held_ns = now - hold->since;
			   __entry->window_ns = hold->until - hold->since;
			   __entry->result = result;
			   __entry->class = gvt_lane_class(lane);
			   __entry->instance = gvt_lane_instance(lane);),

	    TP_printk("dev=%u, vgpu=%u, held=%u, held_ns=%llu, window_ns=%llu, result=%s, engine=%d:%d",
		      __entry->dev, __entry->vgpu_id, __entry->held_vgpu_id,
		      __entry->held_ns, __entry->window_ns,
		      __print_symbolic(__entry->result,
				       { GVT_HOLD_CAME, "came" },
				       { GVT_HOLD_EXPIRED, "expired" },
				       { GVT_HOLD_STOPPED, "stopped" }),
		      __entry->class, __entry->instance)
);

#endif /* _GVT_SCHED_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE sched_trace
#include <trace/define_trace.h>
