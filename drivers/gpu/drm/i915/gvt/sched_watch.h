/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_WATCH_H_
#define _GVT_SCHED_WATCH_H_

#include <linux/types.h>

#include "sched_core.h"

struct gvt_sched_lane;
struct vgpu_sched_lane;

extern const struct gvt_sched_rq_ops gvt_sched_watch_ops;

void intel_gvt_sched_trace_switch(const struct gvt_sched_lane *lane,
				  const struct vgpu_sched_lane *prev,
				  const struct vgpu_sched_lane *next, u64 since_ns,
				  enum gvt_switch_reason reason);

#endif /* _GVT_SCHED_WATCH_H_ */
