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
struct intel_engine_cs;
struct intel_gvt_exec_slot;

/**
 * DOC: execution events
 *
 * - gvt_workload_start: the workload's context begins to execute;
 *   %lrca is the low word of the shadow context's descriptor
 * - gvt_workload_stop: the context has left the engine; %completed is 1 when the
 *   workload is finished and 0 when it was preempted or the engine was reset
 * - gvt_host_start: the host's contexts begin to execute on the engine, first the request
 *   %seqno of the context %ctx. The contexts waited at the engine for %waited_ns until
 *   another context had left, that of the vGPU %holder if %holder is not 0
 * - gvt_host_stop: the last of the host's contexts has left the engine. The contexts executed
 *   for %exec_ns, which can differ from the time between the two events: i915 notices start and
 *   stop with different delays
 *
 * A workload that is preempted or hit by an engine reset starts and stops
 * several times. GVT-g records which workload a context belongs to even while the events
 * are disabled, so workloads submitted before the events were enabled start and stop, too. A
 * workload that began and ended before i915 processed the engine's reports starts and stops at
 * the same time.
 */

TRACE_EVENT(gvt_workload_start,
	    TP_PROTO(u32 dev, const struct intel_engine_cs *engine,
		     const struct intel_gvt_exec_slot *slot),
	    TP_ARGS(dev, engine, slot),

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
			   __entry->class = engine->uabi_class;
			   __entry->instance = engine->uabi_instance;
			   __entry->ctx = slot->ctx;
			   __entry->seqno = slot->seqno;
			   __entry->lrca = slot->lrca;),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, ctx=%llu, seqno=%u, lrca=0x%08x",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance,
		      __entry->ctx, __entry->seqno, __entry->lrca)
);

TRACE_EVENT(gvt_workload_stop,
	    TP_PROTO(u32 dev, const struct intel_engine_cs *engine,
		     const struct intel_gvt_exec_slot *slot, bool completed),
	    TP_ARGS(dev, engine, slot, completed),

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
			   __entry->class = engine->uabi_class;
			   __entry->instance = engine->uabi_instance;
			   __entry->ctx = slot->ctx;
			   __entry->seqno = slot->seqno;
			   __entry->lrca = slot->lrca;
			   __entry->completed = completed;),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, ctx=%llu, seqno=%u, lrca=0x%08x, completed?=%u",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance,
		      __entry->ctx, __entry->seqno, __entry->lrca,
		      __entry->completed)
);

TRACE_EVENT(gvt_host_start,
	    TP_PROTO(u32 dev, const struct intel_engine_cs *engine,
		     const struct i915_request *rq, u32 holder, u64 waited_ns),
	    TP_ARGS(dev, engine, rq, holder, waited_ns),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, holder)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u64, ctx)
			     __field(u64, waited_ns)
			     __field(u32, seqno)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->holder = holder;
			   __entry->class = engine->uabi_class;
			   __entry->instance = engine->uabi_instance;
			   __entry->ctx = rq->fence.context;
			   __entry->waited_ns = waited_ns;
			   __entry->seqno = rq->fence.seqno;),

	    TP_printk("dev=%u, engine=%u:%u, ctx=%llu, seqno=%u, waited_ns=%llu, holder=%u",
		      __entry->dev, __entry->class, __entry->instance, __entry->ctx,
		      __entry->seqno, __entry->waited_ns, __entry->holder)
);

TRACE_EVENT(gvt_host_stop,
	    TP_PROTO(u32 dev, const struct intel_engine_cs *engine, u64 exec_ns),
	    TP_ARGS(dev, engine, exec_ns),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u64, exec_ns)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->class = engine->uabi_class;
			   __entry->instance = engine->uabi_instance;
			   __entry->exec_ns = exec_ns;),

	    TP_printk("dev=%u, engine=%u:%u, exec_ns=%llu",
		      __entry->dev, __entry->class, __entry->instance, __entry->exec_ns)
);

#endif /* _GVT_EXEC_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE exec_trace
#include <trace/define_trace.h>
