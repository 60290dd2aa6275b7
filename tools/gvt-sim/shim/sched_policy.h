/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What upstream's file of this name has with the patches, as far as it is not about threads:
 * see the driver's.
 */
#ifndef _GVT_SIM_SCHED_POLICY_H_
#define _GVT_SIM_SCHED_POLICY_H_

#include "sched_data.h"
#include "sched_lane.h"
#include "sched_pace.h"
#include "sched_watch.h"

struct vgpu_sched_ctl {
	int weight;
};

#endif
