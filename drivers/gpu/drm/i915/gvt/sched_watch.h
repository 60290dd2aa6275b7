/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_WATCH_H_
#define _GVT_SCHED_WATCH_H_

#include <linux/ktime.h>
#include <linux/types.h>

#include "sched_trace.h"
#include "switch_reason.h"

struct gvt_sched_data;
struct intel_vgpu;

/**
 * enum gvt_sched_decision_state - what is known of the switch under way
 * @GVT_DECISION_UNKNOWN: no switch is under way, or it was decided unseen
 * @GVT_DECISION_KNOWN: its decision was recorded
 * @GVT_DECISION_VOID: one of its vGPUs was stopped, so that it is decided anew
 */
enum gvt_sched_decision_state {
	GVT_DECISION_UNKNOWN,
	GVT_DECISION_KNOWN,
	GVT_DECISION_VOID,
};

/**
 * struct gvt_sched_decision - the decision behind the switch under way
 * @at: when the next vGPU was chosen
 * @reason: why
 * @state: whether @at and @reason are valid
 *
 * Kept apart from the switch because engines drain in between, and because what
 * led to the decision is gone once they have. Protected by sched_lock.
 */
struct gvt_sched_decision {
	ktime_t at;
	enum gvt_switch_reason reason;
	enum gvt_sched_decision_state state;
};

void __intel_gvt_sched_decided(struct gvt_sched_data *data);
void __intel_gvt_sched_switch(struct gvt_sched_data *data, ktime_t now);
void __intel_gvt_sched_balanced(const struct gvt_sched_data *data, int stage);

/**
 * intel_gvt_sched_decided - note when and why the next vGPU was chosen
 * @data: the scheduler's data
 *
 * Call with sched_lock held, each time that a switch is tried and before
 * scheduler->need_reschedule is set, which tells the first time from the others.
 */
static inline void intel_gvt_sched_decided(struct gvt_sched_data *data)
{
	if (trace_gvt_sched_switch_enabled())
		__intel_gvt_sched_decided(data);
}

/**
 * intel_gvt_sched_switch - trace a switch
 * @data: the scheduler's data
 * @decision: its record of the decision
 * @now: time of the switch
 *
 * Call with sched_lock held, after the previous vGPU's slice was charged and
 * before scheduler->next_vgpu becomes the current one.
 */
static inline void intel_gvt_sched_switch(struct gvt_sched_data *data,
					  struct gvt_sched_decision *decision,
					  ktime_t now)
{
	if (trace_gvt_sched_switch_enabled())
		__intel_gvt_sched_switch(data, now);
	decision->state = GVT_DECISION_UNKNOWN;
}

void intel_gvt_sched_stop(struct gvt_sched_data *data, struct intel_vgpu *vgpu);

/**
 * intel_gvt_sched_balanced - trace the slices that were handed out
 * @data: the scheduler's data
 * @stage: number of the period since slices were last reset
 *
 * Call with sched_lock held.
 */
static inline void intel_gvt_sched_balanced(const struct gvt_sched_data *data,
					    int stage)
{
	if (trace_gvt_sched_balance_enabled())
		__intel_gvt_sched_balanced(data, stage);
}

#endif /* _GVT_SCHED_WATCH_H_ */
