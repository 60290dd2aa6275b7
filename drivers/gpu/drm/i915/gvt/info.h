/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_INFO_H_
#define _GVT_INFO_H_

#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct intel_gvt_info - a GVT device as emitter of info events
 * @link: in the list of all devices
 * @work: emits the device's info events while they are enabled
 */
struct intel_gvt_info {
	struct list_head link;
	struct delayed_work work;
};

/**
 * enum gvt_workload_state - progress of a workload
 * @GVT_WORKLOAD_QUEUED: the workload waits in its vGPU's queue
 * @GVT_WORKLOAD_SUBMITTED: i915 has the workload, but the workload is not on the engine
 * @GVT_WORKLOAD_RUNNING: the workload is on the engine
 *
 * Readers of the trace event rely on these values.
 */
enum gvt_workload_state {
	GVT_WORKLOAD_QUEUED = 0,
	GVT_WORKLOAD_SUBMITTED = 1,
	GVT_WORKLOAD_RUNNING = 2,
};

/* A guest may queue any number of workloads; sched_lock is held while they are reported */
#define GVT_INFO_WORKLOADS 64

/**
 * gvt_info_time_left - time until an event
 * @until: time of the event; 0 for never
 * @now: the time
 *
 * Return: the time in ns, 0 if the event is past or will never happen.
 */
static inline u64 gvt_info_time_left(u64 until, u64 now)
{
	return until > now ? until - now : 0;
}

struct intel_engine_cs;
struct intel_gvt;
struct intel_vgpu_workload;

void intel_gvt_exec_trace_host(struct intel_gvt *gvt, const struct intel_engine_cs *engine);
void intel_gvt_exec_trace_state(const struct intel_vgpu_workload *workload);

int intel_gvt_info_reg(void);
void intel_gvt_info_unreg(void);
void intel_gvt_info_start(struct intel_gvt_info *info);
void intel_gvt_info_stop(struct intel_gvt_info *info);

#endif /* _GVT_INFO_H_ */
