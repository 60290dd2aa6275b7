/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_sched_setting

#if !defined(_GVT_SCHED_SETTING_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_SCHED_SETTING_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

/**
 * DOC: setting events
 *
 * - gvt_sched_setting: a user wrote a %setting of the scheduler, named like its sysfs
 *   attribute, for the whole GPU if %vgpu_id is 0, for that vGPU otherwise. %old_value
 *   and %new_value are the attribute's values before and after, which can be equal
 */

TRACE_EVENT(gvt_sched_setting,
	    TP_PROTO(u32 dev, u32 vgpu_id, const char *setting,
		     const char *old_value, const char *new_value),
	    TP_ARGS(dev, vgpu_id, setting, old_value, new_value),

	    TP_STRUCT__entry(__field(u32, dev)
			     __field(u32, vgpu_id)
			     __string(setting, setting)
			     __string(old_value, old_value)
			     __string(new_value, new_value)),

	    TP_fast_assign(__entry->dev = dev;
			   __entry->vgpu_id = vgpu_id;
			   __assign_str(setting);
			   __assign_str(old_value);
			   __assign_str(new_value);),

	    TP_printk("dev=%u, vgpu=%u, setting=%s, old=%s, new=%s",
		      __entry->dev, __entry->vgpu_id, __get_str(setting),
		      __get_str(old_value), __get_str(new_value))
);

#endif /* _GVT_SCHED_SETTING_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE sched_setting_trace
#include <trace/define_trace.h>
