/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SLICE_H_
#define _GVT_SCHED_SLICE_H_

#include "sched_ops.h"

extern const struct gvt_policy_ops gvt_strict_policy;
extern const struct gvt_policy_ops gvt_work_conserving_policy;

/* The fair policy uses these functions, too, so that slices can be shown under any policy */
void gvt_slice_allot(struct gvt_sched_rq *rq);
void gvt_slice_rescale(struct gvt_sched_rq *rq, u64 was_ns, u64 now);

#endif /* _GVT_SCHED_SLICE_H_ */
