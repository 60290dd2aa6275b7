/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SWITCH_REASON_H_
#define _GVT_SWITCH_REASON_H_

#include <linux/types.h>

/**
 * enum gvt_switch_reason - why the scheduler switches to another vGPU
 * @GVT_SWITCH_IDLE: the previous vGPU had nothing to run
 * @GVT_SWITCH_TURN: round-robin: the previous vGPU could have continued
 * @GVT_SWITCH_SLICE: the previous vGPU has work, but has used up its slice or reached its cap
 * @GVT_SWITCH_BOOST: the next vGPU has the start boost
 * @GVT_SWITCH_STOP: the previous vGPU was stopped or removed
 * @GVT_SWITCH_OWED: the next vGPU is owed more time (fair)
 * @GVT_SWITCH_BORROW: the next vGPU has no slice left, but no vGPU with slice left
 *   has work (work-conserving)
 * @GVT_SWITCH_OVERDUE: the next vGPU has waited for max_wait_ms (fair)
 *
 * Readers of the trace event rely on these values.
 */
enum gvt_switch_reason {
	GVT_SWITCH_IDLE = 0,
	GVT_SWITCH_TURN = 1,
	GVT_SWITCH_SLICE = 2,
	GVT_SWITCH_BOOST = 3,
	GVT_SWITCH_STOP = 4,
	GVT_SWITCH_OWED = 5,
	GVT_SWITCH_BORROW = 6,
	GVT_SWITCH_OVERDUE = 7,
};

/**
 * gvt_switch_reason - reason for a switch
 * @prev_busy: the previous vGPU has work queued or in flight
 * @prev_left_ns: remainder of the previous vGPU's slice, negative for debt
 * @next_boosted: the next vGPU has the start boost
 *
 * Takes only values, so that it can be tested without a device. The scheduler does not
 * decide stops, so %GVT_SWITCH_STOP is never returned.
 *
 * Return: the reason.
 */
static inline enum gvt_switch_reason
gvt_switch_reason(bool prev_busy, s64 prev_left_ns, bool next_boosted)
{
	if (!prev_busy)
		return GVT_SWITCH_IDLE;
	if (next_boosted)
		return GVT_SWITCH_BOOST;
	return prev_left_ns > 0 ? GVT_SWITCH_TURN : GVT_SWITCH_SLICE;
}

#endif /* _GVT_SWITCH_REASON_H_ */
