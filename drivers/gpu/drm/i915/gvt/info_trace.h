/* SPDX-License-Identifier: GPL-2.0-only */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvt
#undef TRACE_SYSTEM_VAR
#define TRACE_SYSTEM_VAR gvt_info

#if !defined(_GVT_INFO_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _GVT_INFO_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "info.h"
#include "sched_watch.h"
#include "workload_exec.h"

struct intel_gvt;
struct intel_vgpu;
struct intel_vgpu_workload;
struct mdev_device;

/**
 * DOC: info events
 *
 * Info events give a reader the context of the other events, whenever a trace starts.
 * A worker emits them shortly after they are enabled, and then once per second while
 * they are enabled.
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
 *   (%carry_over), the most leftover that is carried over (%leftover_max_ns), the
 *   waiting time after which a vGPU goes next (%max_wait_ns), the longest time that an
 *   engine is kept idle for an expected vGPU (%anticipation_ns), the %dispatch mode,
 *   and whether the host's own work goes before the vGPUs' (%host_first)
 * - gvt_sched_state: one event for each vGPU that takes turns, on each engine, or
 *   with exclusive dispatch once, with %class and %instance -1: the state on which the
 *   scheduler bases its decisions. %order is the vGPU's place in the order of turns,
 *   from 1; %current_vgpu_id the vGPU whose turn it is now, 0 for none; %left_ns the
 *   remainder of the vGPU's slice, %slice_ns; %stage that of the next hand-out of slices,
 *   not of the last one as in gvt_sched_balance; %period_left_ns and %boost_left_ns the
 *   time until slices are handed out and until the vGPU's start boost ends, 0 for never;
 *   %cap_left_ns the time that the cap leaves the vGPU; %vruntime, %min_vruntime and
 *   %lag_ns are the values by which the fair policy orders vGPUs, and %service_ns,
 *   %think_ns and %way_ns the execution time, pause and preempt latency that this policy
 *   has learned for the vGPU; whether the vGPU has work (%busy), whether its workloads may
 *   be preempted (%preempt) and its rings be changed to allow preemption (%arbitration)
 * - gvt_workload_state: one event for each workload that is queued or in flight,
 *   oldest first, so that a reader knows the workloads from before the trace began.
 *   %state is queued (only GVT-g has the workload), submitted (i915 has it) or running
 *   (it is on the engine); the workload was queued %age_ns ago and has executed for
 *   %exec_ns. %ctx and %seqno are 0 while the workload is queued. Of a longer queue, only
 *   the first %GVT_INFO_WORKLOADS are reported
 * - gvt_host_state: one event for each engine: whether the host executes there (%running),
 *   the host's execution time since kvmgt was loaded (%exec_ns), and for how long host
 *   contexts waited at the engine for others to leave (%wait_ns)
 *
 * gvt_sched_state and gvt_workload_state are emitted while neither turns nor queues
 * change; gvt_sched_info follows as the last event for a GPU.
 */

TRACE_DEFINE_ENUM(GVT_WORKLOAD_QUEUED);
TRACE_DEFINE_ENUM(GVT_WORKLOAD_SUBMITTED);
TRACE_DEFINE_ENUM(GVT_WORKLOAD_RUNNING);

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
					 (gvt_sched_set(gvt)->dispatch))
				__field(u32, host_first)),

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
			      __assign_str(dispatch);
			      __entry->host_first = set->host_first;),

	       TP_printk("dev=%u, vgpus=%u, tick_ns=%llu, period_ns=%llu, stages=%u, boost_ns=%llu, policy=%s, carry_over=%u, leftover_max_ns=%llu, max_wait_ns=%llu, anticipation_ns=%llu, dispatch=%s, host_first=%u",
			 __entry->dev, __entry->vgpus, __entry->tick_ns,
			 __entry->period_ns, __entry->stages, __entry->boost_ns,
			 __get_str(policy), __entry->carry_over,
			 __entry->leftover_max_ns, __entry->max_wait_ns,
			 __entry->anticipation_ns, __get_str(dispatch), __entry->host_first),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

TRACE_EVENT_FN(gvt_sched_state,
	       TP_PROTO(const struct gvt_sched_lane *lane,
			const struct gvt_sched_entity *e, u32 order, u64 now),
	       TP_ARGS(lane, e, order, now),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(u32, vgpu_id)
				__field(s16, class)
				__field(s16, instance)
				__field(u32, order)
				__field(u32, current_vgpu_id)
				__field(u32, stage)
				__field(s64, left_ns)
				__field(s64, slice_ns)
				__field(s64, cap_left_ns)
				__field(u64, period_left_ns)
				__field(u64, boost_left_ns)
				__field(u64, vruntime)
				__field(u64, min_vruntime)
				__field(s64, lag_ns)
				__field(u64, service_ns)
				__field(u64, think_ns)
				__field(u64, way_ns)
				__field(u32, busy)
				__field(u32, preempt)
				__field(u32, arbitration)),

	       TP_fast_assign(const struct vgpu_sched_data *data = entity_to_vgpu(e)->sched_data;

			      __entry->dev = gvt_lane_dev(lane);
			      __entry->vgpu_id = entity_to_vgpu(e)->id;
			      __entry->class = gvt_lane_class(lane);
			      __entry->instance = gvt_lane_instance(lane);
			      __entry->order = order;
			      __entry->current_vgpu_id = gvt_lane_turn_id(lane);
			      __entry->stage = lane->rq.stage;
			      __entry->left_ns = e->left_ns;
			      __entry->slice_ns = e->slice_ns;
			      __entry->cap_left_ns = e->cap_left_ns;
			      __entry->period_left_ns =
				gvt_info_time_left(lane->rq.period_end, now);
			      __entry->boost_left_ns =
				e->boosted ? gvt_info_time_left(e->boost_until, now) : 0;
			      __entry->vruntime = e->vruntime;
			      __entry->min_vruntime = lane->rq.min_vruntime;
			      __entry->lag_ns = e->lag_ns;
			      __entry->service_ns = gvt_sched_mean_ns(&e->service);
			      __entry->think_ns = gvt_sched_mean_ns(&e->think);
			      __entry->way_ns = gvt_sched_mean_ns(&e->way);
			      __entry->busy = e->busy;
			      __entry->preempt = data->preempt;
			      __entry->arbitration = data->arbitration;),

	       TP_printk("dev=%u, vgpu=%u, engine=%d:%d, order=%u, current=%u, stage=%u, left_ns=%lld, slice_ns=%lld, cap_left_ns=%lld, period_left_ns=%llu, boost_left_ns=%llu, vruntime=%llu, min_vruntime=%llu, lag_ns=%lld, service_ns=%llu, think_ns=%llu, way_ns=%llu, busy=%u, preempt=%u, arbitration=%u",
			 __entry->dev, __entry->vgpu_id, __entry->class,
			 __entry->instance, __entry->order,
			 __entry->current_vgpu_id, __entry->stage,
			 __entry->left_ns, __entry->slice_ns,
			 __entry->cap_left_ns, __entry->period_left_ns,
			 __entry->boost_left_ns, __entry->vruntime,
			 __entry->min_vruntime, __entry->lag_ns,
			 __entry->service_ns, __entry->think_ns, __entry->way_ns,
			 __entry->busy, __entry->preempt,
			 __entry->arbitration),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

TRACE_EVENT_FN(gvt_workload_state,
	       TP_PROTO(const struct intel_vgpu_workload *workload,
			const struct intel_gvt_exec_slot *slot, u64 now),
	       TP_ARGS(workload, slot, now),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(u32, vgpu_id)
				__field(u64, workload_id)
				__field(s16, class)
				__field(s16, instance)
				__field(u32, guest_lrca)
				__field(u64, ctx)
				__field(u32, seqno)
				__field(u32, state)
				__field(u64, age_ns)
				__field(u64, exec_ns)),

	       TP_fast_assign(__entry->dev = gvt_dev_index(workload->vgpu->gvt);
			      __entry->vgpu_id = workload->vgpu->id;
			      __entry->workload_id = workload->id;
			      __entry->class = workload->engine->uabi_class;
			      __entry->instance = workload->engine->uabi_instance;
			      __entry->guest_lrca =
				workload->ctx_desc.lrca << I915_GTT_PAGE_SHIFT;
			      __entry->ctx = slot ? slot->ctx : 0;
			      __entry->seqno = slot ? slot->seqno : 0;
			      __entry->state = !slot ? GVT_WORKLOAD_QUEUED :
				slot->running_since_ns ? GVT_WORKLOAD_RUNNING :
				GVT_WORKLOAD_SUBMITTED;
			      __entry->age_ns = now - workload->queued_ns;
			      __entry->exec_ns = slot ? gvt_exec_slot_ns(slot, now) : 0;),

	       TP_printk("dev=%u, vgpu=%u, workload=%llu, engine=%u:%u, guest_lrca=0x%08x, ctx=%llu, seqno=%u, state=%s, age_ns=%llu, exec_ns=%llu",
			 __entry->dev, __entry->vgpu_id, __entry->workload_id,
			 __entry->class, __entry->instance, __entry->guest_lrca,
			 __entry->ctx, __entry->seqno,
			 __print_symbolic(__entry->state,
					  { GVT_WORKLOAD_QUEUED, "queued" },
					  { GVT_WORKLOAD_SUBMITTED, "submitted" },
					  { GVT_WORKLOAD_RUNNING, "running" }),
			 __entry->age_ns, __entry->exec_ns),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

TRACE_EVENT_FN(gvt_host_state,
	       TP_PROTO(u32 dev, const struct intel_engine_cs *engine,
			const struct intel_gvt_exec_engine *figures, bool executes),
	       TP_ARGS(dev, engine, figures, executes),

	       TP_STRUCT__entry(__field(u32, dev)
				__field(s16, class)
				__field(s16, instance)
				__field(u32, running)
				__field(u64, exec_ns)
				__field(u64, wait_ns)),

	       TP_fast_assign(__entry->dev = dev;
			      __entry->class = engine->uabi_class;
			      __entry->instance = engine->uabi_instance;
			      __entry->running = executes;
			      __entry->exec_ns = figures->exec_ns;
			      __entry->wait_ns = figures->handover_ns;),

	       TP_printk("dev=%u, engine=%u:%u, running=%u, exec_ns=%llu, wait_ns=%llu",
			 __entry->dev, __entry->class, __entry->instance,
			 __entry->running, __entry->exec_ns, __entry->wait_ns),

	       intel_gvt_info_reg, intel_gvt_info_unreg
);

#endif /* _GVT_INFO_TRACE_H_ */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/i915/gvt
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE info_trace
#include <trace/define_trace.h>
