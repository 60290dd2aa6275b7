/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_RANDOM_H_
#define _GVT_SCHED_RANDOM_H_

#include "sched_sim.h"

struct sched_sim *sched_random_sim(struct kunit *test, enum gvt_sched_policy policy,
				   enum gvt_sched_dispatch dispatch, u64 seed);

#endif /* _GVT_SCHED_RANDOM_H_ */
