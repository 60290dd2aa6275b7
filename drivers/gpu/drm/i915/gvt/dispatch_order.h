/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_ORDER_H_
#define _GVT_DISPATCH_ORDER_H_

#include <linux/types.h>

#include "dispatch_types.h"

struct intel_engine_cs;

/* Priority of the host's requests, and of the workload that executes or is to */
#define PRIORITY_RUN I915_PRIORITY_NORMAL

/* That of the workload if the host goes first */
#define PRIORITY_AFTER_HOST (PRIORITY_RUN - 1)

/*
 * The first of those that wait; the others follow below. i915's heartbeat, at the least
 * of its priorities, goes before them when the engine changes over, rather than being
 * raised until it takes a workload off the engine by itself.
 */
#define PRIORITY_WAIT (I915_PRIORITY_MIN - 1)

/* A workload that was added waits here, each vGPU's apart, until its place is known */
#define PRIORITY_NEW (PRIORITY_WAIT - GVT_EXEC_VGPUS)

/* Below all others, so that a parked workload is sorted in when it gets its place again */
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
