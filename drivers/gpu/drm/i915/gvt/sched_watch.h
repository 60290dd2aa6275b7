/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_WATCH_H_
#define _GVT_SCHED_WATCH_H_

#include <linux/types.h>

#include "sched_core.h"

struct gvt_sched_lane;
struct intel_vgpu;

/**
 * struct gvt_sched_decision - the decision behind the switch under way
 * @at_ns: when it was decided to switch
 * @reason: why
 * @made: whether there is one
 *
 * Kept apart from the switch because engines drain in between, and because what
 * led to the decision is gone once they have. Protected by sched_lock.
 */
struct gvt_sched_decision {
	u64 at_ns;
	enum gvt_switch_reason reason;
	bool made;
};

extern const struct gvt_sched_rq_ops gvt_sched_watch_ops;

void intel_gvt_sched_decided(struct gvt_sched_lane *lane, enum gvt_switch_reason reason,
			     u64 now);
void intel_gvt_sched_switch(struct gvt_sched_lane *lane, u64 now);
void intel_gvt_sched_stop(struct gvt_sched_lane *lane, struct intel_vgpu *vgpu);

#endif /* _GVT_SCHED_WATCH_H_ */
