/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_LANES_H_
#define _GVT_SCHED_LANES_H_

#include "sched_lane.h"

void intel_gvt_lanes_init(struct gvt_sched_data *sched_data);
void intel_gvt_lanes_change(struct gvt_sched_data *sched_data,
			    const struct gvt_sched_settings *set, u64 now);

#endif /* _GVT_SCHED_LANES_H_ */
