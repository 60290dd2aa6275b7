/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_exec

#if !defined(_GVT_EXEC_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_EXEC_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

struct i915_request;
struct intel_gvt_exec_slot;

/**
 * DOC: execution events
 *
 * - gvt_workload_start: i915 puts the workload's context onto the engine;
 *   %lrca is the low word of the shadow context's descriptor
 * - gvt_workload_stop: the context has left the engine; %completed is 1 when the
 *   workload is finished and 0 when it was preempted or the engine was reset
 *
 * A workload that is preempted or hit by an engine reset starts and stops
 * several times. Which workload a context belongs to is remembered whether or not the
 * events are enabled: one that was submitted before is seen to start and stop.
 */

TRACE_EVENT(gvt_workload_start,
	    TP_PROTO(u32 dev, const struct intel_gvt_exec_slot *slot,
		     const struct i915_request *rq),
	    TP_ARGS(dev, slot, rq),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u64, workload_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u64, ctx)
			     __field(u32, seqno)
			     __field(u32, lrca)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->vgpu_id = slot->vgpu_id;
			   __entry->workload_id = slot->workload_id;
			   __entry->class = rq->engine->uabi_class;
			   __entry->instance = rq->engine->uabi_instance;
			   __entry->ctx = slot->ctx;
			   __entry->seqno = slot->seqno;
			   __entry->lrca = lower_32_bits(rq->context->lrc.desc);),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, ctx=%llu, seqno=%u, lrca=0x%08x",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance,
		      __entry->ctx, __entry->seqno, __entry->lrca)
);

TRACE_EVENT(gvt_workload_stop,
	    TP_PROTO(u32 dev, const struct intel_gvt_exec_slot *slot,
		     const struct i915_request *rq),
	    TP_ARGS(dev, slot, rq),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u64, workload_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u64, ctx)
			     __field(u32, seqno)
			     __field(u32, lrca)
			     __field(u32, completed)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->vgpu_id = slot->vgpu_id;
			   __entry->workload_id = slot->workload_id;
			   __entry->class = rq->engine->uabi_class;
			   __entry->instance = rq->engine->uabi_instance;
			   __entry->ctx = slot->ctx;
			   __entry->seqno = slot->seqno;
			   __entry->lrca = lower_32_bits(rq->context->lrc.desc);
			   __entry->completed = i915_request_completed(rq);),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, ctx=%llu, seqno=%u, lrca=0x%08x, completed?=%u",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance,
		      __entry->ctx, __entry->seqno, __entry->lrca,
		      __entry->completed)
);

#endif /* _GVT_EXEC_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE exec_trace
#include <trace/define_trace.h>
