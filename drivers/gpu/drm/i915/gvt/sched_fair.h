/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_FAIR_H_
#define _GVT_SCHED_FAIR_H_

#include "sched_ops.h"

extern const struct gvt_policy_ops gvt_fair_policy;

#endif /* _GVT_SCHED_FAIR_H_ */
