/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_health

#if !defined(_GVT_HEALTH_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_HEALTH_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "info.h"

struct intel_vgpu;

/**
 * DOC: health event
 *
 * - gvt_vgpu_health: errors of a vGPU's guest and their consequences, counted since the
 *   creation of the vGPU, as in its sysfs file intel_vgpu/health: %bad_entries,
 *   %reused_roots, %refused_submits, %refused_workloads, %hangs, %engine_resets,
 *   %device_resets, %failsafe_entries; and whether the vGPU is in failsafe mode, in
 *   which none of its workloads execute (%failsafe). The event is emitted once per second,
 *   like the info events, and when a count increases: each time up to 128, then less often,
 *   so that the last reported count is never more than 1.6 % behind
 */

#define health_count(vgpu, event) \
	((u32)atomic_read(&(vgpu)->health.count[GVT_HEALTH_##event]))

TRACE_EVENT_FN(gvt_vgpu_health,
	       TP_PROTO(const struct intel_vgpu *vgpu),
	       TP_ARGS(vgpu),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(u32, vgpu_id)
				__field(u32, bad_entries)
				__field(u32, reused_roots)
				__field(u32, refused_submits)
				__field(u32, refused_workloads)
				__field(u32, hangs)
				__field(u32, engine_resets)
				__field(u32, device_resets)
				__field(u32, failsafe_entries)
				__field(u32, failsafe)),

	       TP_fast_assign(__entry->dev = gvt_dev_index(vgpu->gvt);
			      __entry->vgpu_id = vgpu->id;
			      __entry->bad_entries = health_count(vgpu, ENTRY);
			      __entry->reused_roots = health_count(vgpu, ROOT);
			      __entry->refused_submits = health_count(vgpu, SUBMIT);
			      __entry->refused_workloads = health_count(vgpu, DISPATCH);
			      __entry->hangs = health_count(vgpu, HANG);
			      __entry->engine_resets = health_count(vgpu, ENGINE_RESET);
			      __entry->device_resets = health_count(vgpu, DEVICE_RESET);
			      __entry->failsafe_entries = health_count(vgpu, FAILSAFE);
			      __entry->failsafe = intel_vgpu_health_failsafe(vgpu);),

	       TP_printk("dev=%u, vgpu=%u, bad_entries=%u, reused_roots=%u, refused_submits=%u, refused_workloads=%u, hangs=%u, engine_resets=%u, device_resets=%u, failsafe_entries=%u, failsafe=%s",
			 __entry->dev, __entry->vgpu_id, __entry->bad_entries,
			 __entry->reused_roots, __entry->refused_submits,
			 __entry->refused_workloads, __entry->hangs,
			 __entry->engine_resets, __entry->device_resets,
			 __entry->failsafe_entries,
			 __print_symbolic(__entry->failsafe,
					  { 0, "no" },
					  { 1, "unsupported_guest" },
					  { 2, "insufficient_resource" },
					  { 3, "guest_error" })),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

#undef health_count

#endif /* _GVT_HEALTH_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE health_trace
#include <trace/define_trace.h>
