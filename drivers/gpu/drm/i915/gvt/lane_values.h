/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_LANE_VALUES_H_
#define _GVT_LANE_VALUES_H_

#include <linux/types.h>

#include "sched_data.h"

/**
 * struct gvt_lane_value - a member of the scheduler's state, for gvt_lane_value events
 * @name: name in trace events
 * @offset: offset of the member in its structure
 * @size: size of the member, unless @is_vgpu
 * @is_vgpu: the member points to the &struct gvt_sched_entity of a vGPU; the event has the
 *   vGPU's id
 */
struct gvt_lane_value {
	const char *name;
	u16 offset;
	u8 size;
	bool is_vgpu;
};

/* Members of the structs gvt_sched_data, gvt_sched_lane, gvt_sched_entity; a NULL name ends each */
extern const struct gvt_lane_value gvt_data_values[];
extern const struct gvt_lane_value gvt_rq_values[];
extern const struct gvt_lane_value gvt_entity_values[];

s64 gvt_lane_value(const void *of, const struct gvt_lane_value *value);
void intel_gvt_lane_trace_values(const struct gvt_sched_lane *lane);

#endif /* _GVT_LANE_VALUES_H_ */
