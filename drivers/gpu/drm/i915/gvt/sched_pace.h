/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_PACE_H_
#define _GVT_SCHED_PACE_H_

#include <linux/types.h>

struct gvt_sched_data;
struct gvt_sched_lane;

/**
 * struct gvt_pace_ops - when decisions are made
 * @decide: decide in all lanes; @tick is true at a tick
 * @catch_up: make up for ticks missed while the timer was stopped; call before a vGPU joins
 *   the lanes or gets work
 * @changed: a vGPU has joined or left the lanes
 * @queued: a workload was queued in a lane; @first if the vGPU had no work in that lane before
 * @added: i915 has got a workload, which can be put before or behind others
 * @drained: a workload has completed, and is no longer in flight
 * @end: stop the timer, so that another pace can use it
 *
 * Upstream's scheduler decides at ticks, and so does a policy with
 * &gvt_policy_ops.on_ticks while dispatch is exclusive. Otherwise decisions are made at
 * events. Call all operations with sched_lock held.
 */
struct gvt_pace_ops {
	void (*decide)(struct gvt_sched_data *sched_data, bool tick, u64 now);
	void (*catch_up)(struct gvt_sched_data *sched_data, u64 now);
	void (*changed)(struct gvt_sched_data *sched_data, u64 now);
	void (*queued)(struct gvt_sched_lane *lane, bool first, u64 now);
	void (*added)(struct gvt_sched_lane *lane, u64 now);
	void (*drained)(struct gvt_sched_lane *lane, u64 now);
	void (*end)(struct gvt_sched_data *sched_data, u64 now);
};

void intel_gvt_pace_init(struct gvt_sched_data *sched_data);
void intel_gvt_pace_update(struct gvt_sched_data *sched_data, u64 now);

#endif /* _GVT_SCHED_PACE_H_ */
