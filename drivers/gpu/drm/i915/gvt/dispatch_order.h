/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_ORDER_H_
#define _GVT_DISPATCH_ORDER_H_

#include <linux/types.h>

#include "dispatch_types.h"

struct intel_engine_cs;

/* Priority of the host's requests, and of the workload that executes or is to execute */
#define PRIORITY_RUN I915_PRIORITY_NORMAL

/* Priority of that workload if the host goes first */
#define PRIORITY_AFTER_HOST (PRIORITY_RUN - 1)

/*
 * The first waiting workload; the others follow below. Even at its lowest priority, i915's
 * heartbeat then runs before waiting workloads when the engine switches contexts. Otherwise
 * i915 would raise the heartbeat's priority until it preempts a workload.
 */
#define PRIORITY_WAIT (I915_PRIORITY_MIN - 1)

/* From here down, one per vGPU: a new workload's priority until the scheduler sets the order */
#define PRIORITY_NEW (PRIORITY_WAIT - GVT_EXEC_VGPUS)

/* Below all others: schedule() queues an unparked request only if raising its priority */
#define PRIORITY_PARKED (PRIORITY_NEW - GVT_EXEC_VGPUS)

void intel_gvt_gate_close(struct intel_engine_cs *engine);
void intel_gvt_gate_open(struct intel_engine_cs *engine);

int intel_gvt_gate_run_priority(const struct intel_gvt_dispatch *dispatch);
void intel_gvt_gate_set_priority(struct i915_request *rq, int priority);
void intel_gvt_gate_unpark(struct intel_gvt_dispatch *dispatch, const struct intel_vgpu *vgpu);
bool intel_gvt_gate_in_order(const struct intel_gvt_dispatch *dispatch,
			     const struct gvt_dispatch_order *order);
void intel_gvt_gate_set_order(struct intel_gvt_dispatch *dispatch,
			      const struct gvt_dispatch_order *order);

#endif /* _GVT_DISPATCH_ORDER_H_ */
