/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_info

#if !defined(_GVT_INFO_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_INFO_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

struct intel_gvt;
struct intel_vgpu;
struct mdev_device;

int intel_gvt_info_reg(void);
void intel_gvt_info_unreg(void);

/**
 * DOC: info events
 *
 * What a reader must know to make sense of the other events, wherever in time a
 * trace starts: the info events are emitted by a worker shortly after they are
 * enabled and then once per second while they are.
 *
 * - gvt_vgpu_info: one event for each vGPU: its scheduling %weight, number of
 *   %fences, graphics memory (%aperture_bytes can be mapped by the CPU,
 *   %hidden_bytes cannot), the process that has opened it (%owner_pid, 0 when
 *   not open), its mediated device's %type and %uuid, its %nice value and %cap
 * - gvt_sched_info: one event for each GPU: the number of %vgpus, how often the
 *   strict policy looks for another vGPU (%tick_ns), how often slices are handed
 *   out (%period_ns), the number of periods after which debt and leftover are
 *   forgotten (%stages), for how long a new vGPU goes first (%boost_ns), the name
 *   of the %policy, whether debt and leftover are carried over at all
 *   (%carry_over), how much leftover at most (%leftover_max_ns), after which time
 *   of waiting a vGPU goes next (%max_wait_ns), for how long nothing runs at most
 *   because a vGPU is expected (%anticipation_ns), and how vGPUs share the engines
 *   (%dispatch)
 */

TRACE_EVENT_FN(gvt_vgpu_info,
	       TP_PROTO(const struct intel_vgpu *vgpu,
			const struct mdev_device *mdev),
	       TP_ARGS(vgpu, mdev),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(u32, vgpu_id)
				__field(u32, weight)
				__field(u32, fences)
				__field(u64, aperture_bytes)
				__field(u64, hidden_bytes)
				__field(s32, owner_pid)
				__string(type, mdev->type->sysfs_name)
				__string(uuid, dev_name(&mdev->dev))
				__field(s32, nice)
				__field(u32, cap)),

	       TP_fast_assign(const struct vgpu_sched_data *data = vgpu->sched_data;

			      __entry->dev = gvt_dev_index(vgpu->gvt);
			      __entry->vgpu_id = vgpu->id;
			      __entry->weight = vgpu->sched_ctl.weight;
			      __entry->fences = vgpu_fence_sz(vgpu);
			      __entry->aperture_bytes = vgpu_aperture_sz(vgpu);
			      __entry->hidden_bytes = vgpu_hidden_sz(vgpu);
			      __entry->owner_pid = READ_ONCE(vgpu->owner_pid);
			      __assign_str(type);
			      __assign_str(uuid);
			      __entry->nice = data->lane[GVT_SCHED_EXCLUSIVE_LANE].entity.nice;
			      __entry->cap = data->lane[GVT_SCHED_EXCLUSIVE_LANE].entity.cap;),

	       TP_printk("dev=%u, vgpu=%u, weight=%u, fences=%u, aperture_bytes=%llu, hidden_bytes=%llu, owner_pid=%d, type=%s, uuid=%s, nice=%d, cap=%u",
			 __entry->dev, __entry->vgpu_id, __entry->weight,
			 __entry->fences, __entry->aperture_bytes,
			 __entry->hidden_bytes, __entry->owner_pid,
			 __get_str(type), __get_str(uuid),
			 __entry->nice, __entry->cap),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

TRACE_EVENT_FN(gvt_sched_info,
	       TP_PROTO(const struct intel_gvt *gvt, u32 vgpus),
	       TP_ARGS(gvt, vgpus),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(u32, vgpus)
				__field(u64, tick_ns)
				__field(u64, period_ns)
				__field(u32, stages)
				__field(u64, boost_ns)
				__string(policy, gvt_sched_policy_name(gvt_sched_set(gvt)->policy))
				__field(u32, carry_over)
				__field(u64, leftover_max_ns)
				__field(u64, max_wait_ns)
				__field(u64, anticipation_ns)
				__string(dispatch, gvt_sched_dispatch_name
					 (gvt_sched_set(gvt)->dispatch))),

	       TP_fast_assign(const struct gvt_sched_settings *set = gvt_sched_set(gvt);

			      __entry->dev = gvt_dev_index(gvt);
			      __entry->vgpus = vgpus;
			      __entry->tick_ns = GVT_SCHED_TICK_NS;
			      __entry->period_ns = set->period_ms * NSEC_PER_MSEC;
			      __entry->stages = GVT_SCHED_STAGES;
			      __entry->boost_ns = set->boost_ms * NSEC_PER_MSEC;
			      __assign_str(policy);
			      __entry->carry_over = set->carry_over;
			      __entry->leftover_max_ns = set->leftover_max_ms * NSEC_PER_MSEC;
			      __entry->max_wait_ns = set->max_wait_ms * NSEC_PER_MSEC;
			      __entry->anticipation_ns = set->anticipation_ms * NSEC_PER_MSEC;
			      __assign_str(dispatch);),

	       TP_printk("dev=%u, vgpus=%u, tick_ns=%llu, period_ns=%llu, stages=%u, boost_ns=%llu, policy=%s, carry_over=%u, leftover_max_ns=%llu, max_wait_ns=%llu, anticipation_ns=%llu, dispatch=%s",
			 __entry->dev, __entry->vgpus, __entry->tick_ns,
			 __entry->period_ns, __entry->stages, __entry->boost_ns,
			 __get_str(policy), __entry->carry_over,
			 __entry->leftover_max_ns, __entry->max_wait_ns,
			 __entry->anticipation_ns, __get_str(dispatch)),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

#endif /* _GVT_INFO_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE info_trace
#include <trace/define_trace.h>
