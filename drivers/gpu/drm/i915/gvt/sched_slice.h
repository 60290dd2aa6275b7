/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SLICE_H_
#define _GVT_SCHED_SLICE_H_

#include "sched_core.h"

void gvt_slice_allot(struct gvt_sched_rq *rq);
void gvt_slice_period(struct gvt_sched_rq *rq, u64 now);
void gvt_slice_account(struct gvt_sched_rq *rq, u64 now);
void gvt_slice_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, s64 used_ns,
		    u64 now);
void gvt_slice_turn(struct gvt_sched_rq *rq, struct gvt_sched_entity *e);
struct gvt_sched_choice gvt_slice_pick(struct gvt_sched_rq *rq, u64 now);
struct gvt_sched_choice gvt_slice_ahead(struct gvt_sched_rq *rq, u64 now);
bool gvt_slice_before(struct gvt_sched_rq *rq, struct gvt_sched_entity *a,
		      struct gvt_sched_entity *b, u64 now);

#endif /* _GVT_SCHED_SLICE_H_ */
