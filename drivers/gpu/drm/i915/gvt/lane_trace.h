/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt_lane
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_lane

#if !defined(_GVT_LANE_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_LANE_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "info.h"
#include "sched_watch.h"

/**
 * DOC: lane events
 *
 * All inputs and the state of the scheduler's decisions, so that the decisions can be
 * reproduced elsewhere. The events serve tests of the scheduler: events and fields change with
 * the scheduler, and are not a stable interface. Each workload causes several of these events,
 * so they have their own trace system, ``gvt_lane``: enabling all events of ``gvt`` does not
 * enable them.
 *
 * - gvt_lane_input: an input of a lane's decisions, of the kind %input (see &enum
 *   gvt_lane_input). The events are in the order in which the lane gets the inputs; %now_ns is
 *   the time with which the lane decides. %ns is the execution time or preempt latency of the
 *   vGPU %vgpu_id, or of the host; %executing whether a workload that is not parked is in
 *   flight; %strangers the number of workloads in flight of vGPUs outside the lane, or of all
 *   vGPUs with exclusive dispatch; the other fields have a bit for each vGPU (see &struct
 *   gvt_lane_look)
 * - gvt_lane_value: the %value of a member of the scheduler's state, by its %name: a member of
 *   the vGPU %vgpu_id, or of the engine if %vgpu_id is 0. Emitted shortly after the event is
 *   enabled and then once per second, between gvt_vgpu_info and gvt_sched_info and at the same
 *   moment as gvt_sched_state, for the vGPUs in the order of turns
 *
 * %class and %instance identify the engine; both are -1 with exclusive dispatch.
 */

TRACE_DEFINE_ENUM(GVT_INPUT_TICK);
TRACE_DEFINE_ENUM(GVT_INPUT_QUEUED);
TRACE_DEFINE_ENUM(GVT_INPUT_EXECUTED);
TRACE_DEFINE_ENUM(GVT_INPUT_FINISHED);
TRACE_DEFINE_ENUM(GVT_INPUT_UNQUEUED);
TRACE_DEFINE_ENUM(GVT_INPUT_PREEMPTED);
TRACE_DEFINE_ENUM(GVT_INPUT_ENDED);
TRACE_DEFINE_ENUM(GVT_INPUT_UPDATE);
TRACE_DEFINE_ENUM(GVT_INPUT_MEMBERS);
TRACE_DEFINE_ENUM(GVT_INPUT_KEPT);
TRACE_DEFINE_ENUM(GVT_INPUT_HOST);

TRACE_EVENT(gvt_lane_input,
	    TP_PROTO(const struct gvt_sched_lane *lane, enum gvt_lane_input input,
		     u32 vgpu_id, u64 ns, u64 now),
	    TP_ARGS(lane, input, vgpu_id, ns, now),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u32, input)
			     __field(u64, now_ns)
			     __field(s64, ns)
			     __field(u16, busy)
			     __field(u16, in_flight)
			     __field(u16, offered)
			     __field(u16, executes)
			     __field(u16, preemptible)
			     __field(u16, executing)
			     __field(u16, strangers)),

	    TP_fast_assign(const struct gvt_lane_look look = gvt_lane_look(lane);

			   __entry->dev = gvt_lane_dev(lane);
			   __entry->vgpu_id = vgpu_id;
			   __entry->class = gvt_lane_class(lane);
			   __entry->instance = gvt_lane_instance(lane);
			   __entry->input = input;
			   __entry->now_ns = now;
			   __entry->ns = ns;
			   __entry->busy = look.busy;
			   __entry->in_flight = look.in_flight;
			   __entry->offered = look.offered;
			   __entry->executes = look.executes;
			   __entry->preemptible = look.preemptible;
			   __entry->executing = lane->rq.executing;
			   __entry->strangers = lane->state.strangers;),

	    TP_printk("dev=%u, vgpu=%u, engine=%d:%d, input=%s, now_ns=%llu, ns=%lld, busy=0x%x, in_flight=0x%x, offered=0x%x, executes=0x%x, preemptible=0x%x, executing=%u, strangers=%u",
		      __entry->dev, __entry->vgpu_id, __entry->class, __entry->instance,
		      __print_symbolic(__entry->input,
				       { GVT_INPUT_TICK, "tick" },
				       { GVT_INPUT_QUEUED, "queued" },
				       { GVT_INPUT_EXECUTED, "executed" },
				       { GVT_INPUT_FINISHED, "finished" },
				       { GVT_INPUT_UNQUEUED, "unqueued" },
				       { GVT_INPUT_PREEMPTED, "preempted" },
				       { GVT_INPUT_ENDED, "ended" },
				       { GVT_INPUT_UPDATE, "update" },
				       { GVT_INPUT_MEMBERS, "members" },
				       { GVT_INPUT_KEPT, "kept" },
				       { GVT_INPUT_HOST, "host" }),
		      __entry->now_ns, __entry->ns, __entry->busy, __entry->in_flight,
		      __entry->offered, __entry->executes, __entry->preemptible,
		      __entry->executing, __entry->strangers)
);

TRACE_EVENT_FN(gvt_lane_value,
	       TP_PROTO(const struct gvt_sched_lane *lane, u32 vgpu_id, const char *name,
			s64 value),
	       TP_ARGS(lane, vgpu_id, name, value),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(u32, vgpu_id)
				__field(s16, class)
				__field(s16, instance)
				__field(s64, value)
				__string(name, name)),

	       TP_fast_assign(__entry->dev = gvt_lane_dev(lane);
			      __entry->vgpu_id = vgpu_id;
			      __entry->class = gvt_lane_class(lane);
			      __entry->instance = gvt_lane_instance(lane);
			      __entry->value = value;
			      __assign_str(name);),

	       TP_printk("dev=%u, vgpu=%u, engine=%d:%d, name=%s, value=%lld",
			 __entry->dev, __entry->vgpu_id, __entry->class,
			 __entry->instance, __get_str(name), __entry->value),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

#endif /* _GVT_LANE_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE lane_trace
#include <trace/define_trace.h>
