/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SLICE_H_
#define _GVT_SCHED_SLICE_H_

#include "sched_core.h"

void gvt_slice_allot(struct gvt_sched_rq *rq);
void gvt_slice_period(struct gvt_sched_rq *rq, u64 now);
void gvt_slice_account(struct gvt_sched_rq *rq, u64 now);
void gvt_slice_turn(struct gvt_sched_rq *rq, struct gvt_sched_entity *e);
struct gvt_sched_choice gvt_slice_pick(struct gvt_sched_rq *rq, u64 now);

#endif /* _GVT_SCHED_SLICE_H_ */
