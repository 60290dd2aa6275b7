/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_WORKLOAD_EXEC_H_
#define _GVT_WORKLOAD_EXEC_H_

#include <linux/spinlock.h>
#include <linux/types.h>

#include "gt/intel_engine_types.h"

#include "exec_trace.h"

struct i915_request;
struct intel_gvt;
struct intel_vgpu_workload;

/* One more than the largest vGPU id, as GVT_MAX_VGPU */
#define GVT_EXEC_VGPUS 8

/**
 * struct intel_gvt_exec_slot - the workload that a vGPU has at i915, by value
 * @ctx: fence context of the workload's request
 * @workload_id: the workload's id
 * @seqno: seqno of the workload's request
 * @vgpu_id: id of the vGPU
 */
struct intel_gvt_exec_slot {
	u64 ctx;
	u64 workload_id;
	u32 seqno;
	u32 vgpu_id;
};

/**
 * struct intel_gvt_exec - the workloads at i915, for the context-status notifier
 * @lock: protects @slot; taken in hard and soft interrupts
 * @slot: by engine and vGPU: a shadow context has one request in flight
 *
 * The notifier runs concurrently with the completion of the workload whose
 * context it is told about, so that it must not follow a pointer to the
 * workload. It finds the ids here by the request's context and seqno instead.
 */
struct intel_gvt_exec {
	spinlock_t lock; /* protects slot */
	struct intel_gvt_exec_slot slot[I915_NUM_ENGINES][GVT_EXEC_VGPUS];
};

void intel_gvt_exec_init(struct intel_gvt_exec *exec);
void __intel_gvt_exec_submit(const struct intel_vgpu_workload *workload);
void __intel_gvt_exec_start(struct intel_gvt *gvt, const struct i915_request *rq);
void __intel_gvt_exec_stop(struct intel_gvt *gvt, const struct i915_request *rq);

/**
 * intel_gvt_exec_submit - remember a workload for the execution events
 * @workload: a workload with a request that is about to be added
 *
 * Call before i915_request_add(), which may start the context at once, with the
 * vGPU's vgpu_lock held.
 */
static inline void
intel_gvt_exec_submit(const struct intel_vgpu_workload *workload)
{
	if (trace_gvt_workload_start_enabled() ||
	    trace_gvt_workload_stop_enabled())
		__intel_gvt_exec_submit(workload);
}

/**
 * intel_gvt_exec_start - trace that a vGPU's context goes onto the engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was given
 */
static inline void
intel_gvt_exec_start(struct intel_gvt *gvt, const struct i915_request *rq)
{
	if (trace_gvt_workload_start_enabled())
		__intel_gvt_exec_start(gvt, rq);
}

/**
 * intel_gvt_exec_stop - trace that a vGPU's context has left the engine
 * @gvt: the GVT device
 * @rq: the request that the context-status notifier was given
 */
static inline void
intel_gvt_exec_stop(struct intel_gvt *gvt, const struct i915_request *rq)
{
	if (trace_gvt_workload_stop_enabled())
		__intel_gvt_exec_stop(gvt, rq);
}

#endif /* _GVT_WORKLOAD_EXEC_H_ */
