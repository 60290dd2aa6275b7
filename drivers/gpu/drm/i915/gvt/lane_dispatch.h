/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_LANE_DISPATCH_H_
#define _GVT_LANE_DISPATCH_H_

#include "sched_ops.h"

extern const struct gvt_dispatch_ops gvt_exclusive_dispatch;
extern const struct gvt_dispatch_ops gvt_per_engine_dispatch;
extern const struct gvt_dispatch_ops gvt_preemptive_dispatch;

#endif /* _GVT_LANE_DISPATCH_H_ */
