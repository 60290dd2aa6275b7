/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_H_
#define _GVT_DISPATCH_H_

#include "dispatch_barrier.h"
#include "dispatch_cancel.h"
#include "dispatch_types.h"

int intel_gvt_dispatch_init(struct intel_gvt *gvt);
void intel_gvt_dispatch_clean(struct intel_gvt *gvt);

void intel_gvt_dispatch_begin(struct intel_vgpu_workload *workload);
void intel_gvt_dispatch_add(struct intel_vgpu_workload *workload);
void intel_gvt_dispatch_end(struct intel_vgpu_workload *workload);

void intel_gvt_dispatch_started(struct intel_vgpu_workload *workload);
void intel_gvt_dispatch_left(const struct intel_vgpu_workload *workload,
			     const struct i915_request *rq);

bool intel_gvt_dispatch_is_added(const struct intel_vgpu_workload *workload);
bool intel_gvt_dispatch_is_skipped(const struct intel_vgpu_workload *workload);
bool intel_gvt_dispatch_on_engine(const struct intel_vgpu_workload *workload);
struct intel_vgpu_workload *intel_gvt_dispatch_find(struct intel_gvt *gvt,
						    const struct i915_request *rq);
struct intel_vgpu_workload *intel_gvt_dispatch_finished(struct intel_gvt *gvt,
							enum intel_engine_id engine);

#endif /* _GVT_DISPATCH_H_ */
