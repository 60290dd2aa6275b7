/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_CAP_H_
#define _GVT_SCHED_CAP_H_

#include "sched_types.h"

void gvt_cap_start(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_cap_change(const struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u32 cap, u64 now);
void gvt_cap_charge(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		    u64 exec_ns, u64 now);
bool gvt_cap_throttled(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
		       u64 now, u64 *wake_at);

#endif /* _GVT_SCHED_CAP_H_ */
