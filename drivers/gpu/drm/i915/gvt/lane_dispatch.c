// SPDX-License-Identifier: GPL-2.0-only

#include "lane_dispatch.h"
#include "lane_state.h"

/* One vGPU at a time: the next one begins when all engines have drained */

static bool nothing_executes(const struct gvt_lane *lane,
			     const struct gvt_sched_entity *next)
{
	return !lane->rq->executing;
}

static struct gvt_sched_choice nobody_ahead(const struct gvt_lane *lane, u64 now)
{
	return (struct gvt_sched_choice) {};
}

static bool goes_at_once(const struct gvt_sched_entity *e)
{
	return false;
}

static bool offers_nothing(const struct gvt_lane *lane, const struct gvt_sched_entity *e)
{
	return false;
}

const struct gvt_dispatch_ops gvt_exclusive_dispatch = {
	.name = "exclusive",
	.turn_ns = GVT_SCHED_TURN_NS,
	.is_free = nothing_executes,
	.ahead = nobody_ahead,
	.stays = goes_at_once,
	.offers = offers_nothing,
};

/* Several vGPUs can have workloads in flight on an engine, one of which executes */

static bool engine_is_free(const struct gvt_lane *lane, const struct gvt_sched_entity *next)
{
	return !lane->rq->executing || (!lane->strangers && !gvt_lane_occupant(lane, next));
}

static struct gvt_sched_choice ahead_of_turn(const struct gvt_lane *lane, u64 now)
{
	if (!lane->turn || !lane->turn->in_flight)
		return nobody_ahead(lane, now);

	return gvt_sched_ahead(lane->rq, now);
}

static bool goes_when_done(const struct gvt_sched_entity *e)
{
	return e->in_flight;
}

static bool offers_next(const struct gvt_lane *lane, const struct gvt_sched_entity *e)
{
	return e == lane->next;
}

const struct gvt_dispatch_ops gvt_per_engine_dispatch = {
	.name = "per-engine",
	.shared = true,
	.is_free = engine_is_free,
	.ahead = ahead_of_turn,
	.stays = goes_when_done,
	.offers = offers_next,
};

const struct gvt_dispatch_ops gvt_preemptive_dispatch = {
	.name = "preemptive",
	.shared = true,
	.preemptive = true,
	.turn_ns = GVT_SCHED_TURN_NS,
	.is_free = engine_is_free,
	.ahead = ahead_of_turn,
	.stays = goes_when_done,
	.offers = offers_next,
};
