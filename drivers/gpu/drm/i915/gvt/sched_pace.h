/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_PACE_H_
#define _GVT_SCHED_PACE_H_

#include <linux/types.h>

struct gvt_sched_data;
struct gvt_sched_lane;

/**
 * struct gvt_pace_ops - when decisions are made
 * @decide: decide in all lanes; @tick: because a tick has come
 * @catch_up: do what ticks would have done that did not come; to be called before a vGPU
 *   takes part or gets work
 * @changed: a vGPU takes part, or does not any more
 * @queued: a workload was queued in a lane, @first: by a vGPU that had none there
 * @added: i915 has got a workload that others can be put before or behind
 * @drained: a workload is done with in every respect
 * @end: leave the timer to another pace
 *
 * Upstream's scheduler decides at ticks, and so does a policy with
 * &gvt_policy_ops.on_ticks while dispatch is exclusive. All else is decided when something
 * happens. All are called with sched_lock held.
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
