/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_MEAN_H_
#define _GVT_SCHED_MEAN_H_

#include "sched_types.h"

void gvt_sched_learn(struct gvt_sched_mean *mean, u64 sample_ns);
u64 gvt_sched_mean_ns(const struct gvt_sched_mean *mean);
u64 gvt_sched_most_ns(const struct gvt_sched_mean *mean);
void gvt_sched_handed_over(struct gvt_sched_entity *e, u64 took_ns, bool ended);

#endif /* _GVT_SCHED_MEAN_H_ */
