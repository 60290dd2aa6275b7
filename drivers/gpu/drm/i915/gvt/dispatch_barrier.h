/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_BARRIER_H_
#define _GVT_DISPATCH_BARRIER_H_

#include "gt/intel_engine_types.h"

#include "dispatch_types.h"

int intel_gvt_dispatch_barrier_init(struct intel_gvt_dispatch *dispatch,
				    struct intel_engine_cs *engine);

bool intel_gvt_dispatch_is_barrier(struct intel_gvt *gvt, const struct i915_request *rq);
bool intel_gvt_dispatch_can_preempt(struct intel_gvt *gvt, enum intel_engine_id engine);

void intel_gvt_dispatch_arrange(struct intel_gvt *gvt, enum intel_engine_id engine,
				struct gvt_dispatch_order *order);
void intel_gvt_dispatch_unpark(struct intel_gvt *gvt, enum intel_engine_id engine);
bool intel_gvt_dispatch_hand_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				  struct intel_vgpu *from, struct gvt_dispatch_order *order);
int intel_gvt_dispatch_handed_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				   u64 *took_ns);

void intel_gvt_update_preempt_timeout(struct intel_gvt_dispatch *dispatch,
				      struct intel_engine_cs *engine);
void intel_gvt_dispatch_end_hand_over(struct intel_gvt_dispatch *dispatch,
				      struct intel_engine_cs *engine);

#endif /* _GVT_DISPATCH_BARRIER_H_ */
