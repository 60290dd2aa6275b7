/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_workload

#if !defined(_GVT_WORKLOAD_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_WORKLOAD_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "scheduler.h"

struct intel_vgpu_workload;

/**
 * DOC: trace events
 *
 * The events gvt_workload_*, gvt_sched_* and gvt_vgpu_info of the trace system
 * gvt show how vGPUs use the GPU. Like i915's other events, they are not a stable
 * ABI: kernels may add, drop or change events and fields, so readers look fields
 * up by name and cope with missing ones. A field has the same type and meaning in
 * every event that has it.
 *
 * Common fields:
 *
 * - %dev: the DRM minor of the physical GPU, as in i915's events
 * - %vgpu_id: the vGPU as in its sysfs attribute intel_vgpu/vgpu_id; 0 is the
 *   idle vGPU, which stands for no vGPU
 * - %workload_id: identifies one workload of this GPU; ids start at 1, grow in the
 *   order of queueing and are not reused while GVT-g manages the GPU
 * - %class, %instance: the engine, as in the i915 uAPI (0 render, 1 copy,
 *   2 video, 3 video enhancement)
 * - %ctx, %seqno: the host request, as in i915's i915_request_* events
 * - fields ending in _ns are in nanoseconds, in _bytes in bytes
 *
 * No field is a kernel address.
 */

/**
 * DOC: workload events
 *
 * A workload is one context that a guest wrote to an engine's submit port.
 *
 * - gvt_workload_queue: the workload joins its vGPU's queue; emitted by the
 *   submitting vCPU thread. %guest_lrca is the guest's graphics address of its
 *   logical ring context
 * - gvt_workload_submit: GVT-g hands the workload to i915
 * - gvt_workload_complete: the workload is finished; %status is 0 or a negative
 *   error number: -EIO means a GPU hang, any other error that GVT-g refused the
 *   workload and did not submit it
 * - gvt_workload_cancel: the workload is dropped from the queue without having
 *   been submitted; %reason is error (an earlier workload of the queue failed),
 *   reset (the guest or its VMM reset the engine) or remove (the vGPU was closed)
 *
 * Each workload is queued once and then either completed once or cancelled
 * once.
 */

TRACE_DEFINE_ENUM(GVT_CANCEL_ERROR);
TRACE_DEFINE_ENUM(GVT_CANCEL_RESET);
TRACE_DEFINE_ENUM(GVT_CANCEL_REMOVE);

TRACE_EVENT(gvt_workload_queue,
	    TP_PROTO(const struct intel_vgpu_workload *workload),
	    TP_ARGS(workload),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u64, workload_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u32, guest_lrca)),

	    TP_fast_assign(__entry->dev = gvt_dev_index(workload->vgpu->gvt);
			   __entry->vgpu_id = workload->vgpu->id;
			   __entry->workload_id = workload->id;
			   __entry->class = workload->engine->uabi_class;
			   __entry->instance = workload->engine->uabi_instance;
			   __entry->guest_lrca = workload->ctx_desc.lrca << I915_GTT_PAGE_SHIFT;),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, guest_lrca=0x%08x",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance, __entry->guest_lrca)
);

TRACE_EVENT(gvt_workload_submit,
	    TP_PROTO(const struct intel_vgpu_workload *workload),
	    TP_ARGS(workload),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u64, workload_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u64, ctx)
			     __field(u32, seqno)),

	    TP_fast_assign(__entry->dev = gvt_dev_index(workload->vgpu->gvt);
			   __entry->vgpu_id = workload->vgpu->id;
			   __entry->workload_id = workload->id;
			   __entry->class = workload->engine->uabi_class;
			   __entry->instance = workload->engine->uabi_instance;
			   __entry->ctx = workload->req->fence.context;
			   __entry->seqno = workload->req->fence.seqno;),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, ctx=%llu, seqno=%u",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance,
		      __entry->ctx, __entry->seqno)
);

TRACE_EVENT(gvt_workload_complete,
	    TP_PROTO(const struct intel_vgpu_workload *workload),
	    TP_ARGS(workload),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u64, workload_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(s32, status)),

	    TP_fast_assign(__entry->dev = gvt_dev_index(workload->vgpu->gvt);
			   __entry->vgpu_id = workload->vgpu->id;
			   __entry->workload_id = workload->id;
			   __entry->class = workload->engine->uabi_class;
			   __entry->instance = workload->engine->uabi_instance;
			   __entry->status = workload->status;),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, status=%d",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance, __entry->status)
);

TRACE_EVENT(gvt_workload_cancel,
	    TP_PROTO(const struct intel_vgpu_workload *workload,
		     enum gvt_cancel_reason reason),
	    TP_ARGS(workload, reason),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __field(u64, workload_id)
			     __field(s16, class)
			     __field(s16, instance)
			     __field(u32, reason)),

	    TP_fast_assign(__entry->dev = gvt_dev_index(workload->vgpu->gvt);
			   __entry->vgpu_id = workload->vgpu->id;
			   __entry->workload_id = workload->id;
			   __entry->class = workload->engine->uabi_class;
			   __entry->instance = workload->engine->uabi_instance;
			   __entry->reason = reason;),

	    TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, reason=%s",
		      __entry->dev, __entry->vgpu_id, __entry->workload_id,
		      __entry->class, __entry->instance,
		      __print_symbolic(__entry->reason,
				       { GVT_CANCEL_ERROR, "error" },
				       { GVT_CANCEL_RESET, "reset" },
				       { GVT_CANCEL_REMOVE, "remove" }))
);

#endif /* _GVT_WORKLOAD_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE workload_trace
#include <trace/define_trace.h>
