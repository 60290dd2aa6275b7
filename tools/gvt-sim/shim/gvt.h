/* SPDX-License-Identifier: GPL-2.0-only */
/* A GVT device and its vGPUs, as far as their scheduling knows them */
#ifndef _GVT_SIM_GVT_H_
#define _GVT_SIM_GVT_H_

#include "i915_drv.h"
#include "dispatch.h"
#include "sched_policy.h"
#include "scheduler.h"

#define GVT_MAX_VGPU 8

/* Nobody reads a log here */
static inline void sim_say(const struct intel_vgpu *vgpu, const char *format, ...)
{
}

#define gvt_vgpu_err(...) sim_say(vgpu, __VA_ARGS__)

enum { INTEL_VGPU_STATUS_ACTIVE };
enum { INTEL_GVT_REQUEST_SCHED, INTEL_GVT_REQUEST_EVENT_SCHED };

struct intel_gvt_workload_scheduler {
	struct intel_gvt_dispatch dispatch[I915_NUM_ENGINES];
	struct intel_gvt_dispatch_total total;
	wait_queue_head_t waitq[I915_NUM_ENGINES];
	spinlock_t mmio_context_lock;
	void *sched_data;
};

struct intel_gvt {
	struct intel_gt *gt;
	struct mutex sched_lock;
	struct intel_gvt_workload_scheduler scheduler;
	struct intel_gvt_exec exec;
	struct intel_vgpu *idle_vgpu;
	unsigned long service_request;
};

struct intel_vgpu {
	int id;
	struct intel_gvt *gvt;
	unsigned long status[1];
	struct mutex vgpu_lock;
	struct vgpu_sched_ctl sched_ctl;
	int owner_pid;
	struct vgpu_sched_data *sched_data;
	struct {
		struct list_head workload_q_head[I915_NUM_ENGINES];
		struct intel_context *shadow[I915_NUM_ENGINES];
		int running_workload_num;
	} submission;
};

/* What gvt_vgpu_info tells of a mediated device; nothing is known here */
struct mdev_type {
	const char *sysfs_name;
};

struct mdev_device {
	const struct mdev_type *type;
	const char *dev;
};

#define dev_name(dev) (*(dev))
#define vgpu_fence_sz(vgpu) ((void)(vgpu), 0)
#define vgpu_aperture_sz(vgpu) ((void)(vgpu), 0)
#define vgpu_hidden_sz(vgpu) ((void)(vgpu), 0)
#define gvt_dev_index(gvt) ((void)(gvt), 0u)

void intel_gvt_request_service(struct intel_gvt *gvt, int service);

#endif
