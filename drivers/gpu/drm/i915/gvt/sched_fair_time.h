/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_FAIR_TIME_H_
#define _GVT_SCHED_FAIR_TIME_H_

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_cap.h"
#include "sched_fair_price.h"
#include "sched_mean.h"
#include "sched_types.h"

/* Internal to the fair policy: shared by sched_fair_time.c and sched_fair.c */

/* vruntime advances by this many units per nanosecond at a share of 1 */
#define VRUNTIME_SCALE 16384

/* An hour at a share of 1; at the largest share, of 21 bits, that is less than 2^63 ns */
#define MOST_VRUNTIME (3600ULL * NSEC_PER_SEC * VRUNTIME_SCALE)

static inline u64 to_vruntime(const struct gvt_sched_entity *e, u64 exec_ns)
{
	return mul_u64_u32_div(exec_ns, VRUNTIME_SCALE, e->share);
}

static inline s64 to_exec_ns(const struct gvt_sched_entity *e, s64 vruntime)
{
	s64 exec_ns = mul_u64_u32_div(min_t(u64, abs(vruntime), MOST_VRUNTIME), e->share,
				      VRUNTIME_SCALE);

	return vruntime < 0 ? -exec_ns : exec_ns;
}

/* How far vruntime @a is ahead of @b; both may wrap */
static inline s64 vruntime_ahead(u64 a, u64 b)
{
	return (s64)(a - b);
}

static inline u64 earlier(u64 a, u64 b)
{
	return vruntime_ahead(a, b) > 0 ? b : a;
}

static inline u64 later(u64 a, u64 b)
{
	return vruntime_ahead(a, b) > 0 ? a : b;
}

/* How long @e may execute until its vruntime reaches that of @other */
static inline s64 owed_ns(const struct gvt_sched_entity *e, const struct gvt_sched_entity *other)
{
	return to_exec_ns(e, vruntime_ahead(other->vruntime, e->vruntime));
}

static inline bool may_run(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			   u64 now, u64 *wake_at)
{
	return e->busy && !gvt_cap_throttled(rq, e, now, wake_at);
}

void gvt_fair_add(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_fair_come_back(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_fair_enqueue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_fair_dequeue(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_fair_update(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 exec_ns,
		     u64 now);
void gvt_fair_idled(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 idle_ns, u64 now);
void gvt_fair_finished(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u64 now);
void gvt_fair_reweight(struct gvt_sched_rq *rq, struct gvt_sched_entity *e, u32 old_share);
void gvt_fair_held(struct gvt_sched_rq *rq, struct gvt_sched_entity *e,
		   const struct gvt_sched_entity *instead, u64 idle_ns);

bool gvt_fair_starves(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
		      u64 now);

#endif /* _GVT_SCHED_FAIR_TIME_H_ */
