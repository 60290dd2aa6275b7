/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_MODE_H_
#define _GVT_SCHED_MODE_H_

#include "sched_core.h"

struct gvt_policy_ops;

const char *gvt_sched_policy_name(enum gvt_sched_policy policy);
const char *gvt_sched_dispatch_name(enum gvt_sched_dispatch dispatch);
bool gvt_sched_preempts(enum gvt_sched_dispatch dispatch);

void gvt_sched_rq_init(struct gvt_sched_rq *rq,
		       const struct gvt_sched_settings *set,
		       const struct gvt_sched_rq_ops *ops);
void gvt_sched_use_policy(struct gvt_sched_rq *rq, const struct gvt_policy_ops *policy);
void gvt_sched_update_mode(struct gvt_sched_rq *rq);
void gvt_sched_changed(struct gvt_sched_rq *rq, u64 now);

#endif /* _GVT_SCHED_MODE_H_ */
