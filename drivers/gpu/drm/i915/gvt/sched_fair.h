/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_FAIR_H_
#define _GVT_SCHED_FAIR_H_

#include "sched_core.h"

void gvt_fair_join(struct gvt_sched_rq *rq, struct gvt_sched_entity *e);
void gvt_fair_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_fair_idle(struct gvt_sched_rq *rq);
void gvt_fair_used(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns,
		   u64 now);
void gvt_fair_learn_service(struct gvt_sched_entity *e);
void gvt_fair_end_hold(struct gvt_sched_rq *rq, u64 now, enum gvt_hold_result result);
struct gvt_sched_choice gvt_fair_pick(struct gvt_sched_rq *rq, u64 now);
struct gvt_sched_choice gvt_fair_ahead(struct gvt_sched_rq *rq, u64 now);
bool gvt_fair_before(const struct gvt_sched_entity *a, const struct gvt_sched_entity *b);

#endif /* _GVT_SCHED_FAIR_H_ */
