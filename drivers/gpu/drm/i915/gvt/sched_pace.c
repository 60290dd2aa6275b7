// SPDX-License-Identifier: GPL-2.0-only

#include "i915_drv.h"
#include "gvt.h"
#include "lane_trace.h"
#include "sched_lane.h"
#include "sched_pace.h"

/* --- decisions at ticks, with one lane for all engines ----------------------- */

static struct gvt_sched_lane *only_lane(struct gvt_sched_data *sched_data)
{
	return &sched_data->lane[GVT_SCHED_EXCLUSIVE_LANE];
}

/*
 * All ticks lie on one grid for as long as there are vGPUs, so that stopping the timer in
 * between does not affect decisions.
 */
static u64 last_tick(const struct gvt_sched_data *sched_data, u64 now)
{
	u64 ticks = div_u64(now - sched_data->grid_ns, GVT_SCHED_TICK_NS);

	return sched_data->grid_ns + ticks * GVT_SCHED_TICK_NS;
}

static void set_ticking(struct gvt_sched_data *sched_data, bool needed, u64 now)
{
	if (needed == sched_data->ticking)
		return;

	WRITE_ONCE(sched_data->ticking, needed);
	if (needed)
		hrtimer_start(&sched_data->timer,
			      ns_to_ktime(last_tick(sched_data, now) + GVT_SCHED_TICK_NS),
			      HRTIMER_MODE_ABS);
	else
		hrtimer_cancel(&sched_data->timer);
}

/* Run the timer only while a tick can change anything */
static void update_ticks(struct gvt_sched_data *sched_data, u64 now)
{
	const struct gvt_sched_lane *lane = only_lane(sched_data);

	set_ticking(sched_data, lane->rq.busy || lane->state.turn, now);
}

static void end_ticks(struct gvt_sched_data *sched_data, u64 now)
{
	set_ticking(sched_data, false, now);
}

static void catch_up_with_ticks(struct gvt_sched_data *sched_data, u64 now)
{
	if (!sched_data->ticking)
		gvt_sched_period(&only_lane(sched_data)->rq, last_tick(sched_data, now));
}

static void decide_at_tick(struct gvt_sched_data *sched_data, bool tick, u64 now)
{
	struct gvt_sched_lane *lane = only_lane(sched_data);

	if (tick) {
		trace_gvt_lane_input(lane, GVT_INPUT_TICK, 0, 0, now);
		gvt_sched_period(&lane->rq, now);
	}

	gvt_sched_account(&lane->rq, now);
	intel_gvt_lane_update(lane, now);
	update_ticks(sched_data, now);
}

/* Leave decisions to the service thread */
static void queued_between_ticks(struct gvt_sched_lane *lane, bool first, u64 now)
{
	if (first) {
		trace_gvt_lane_input(lane, GVT_INPUT_QUEUED, 0, 0, now);
		update_ticks(lane->data, now);
	}
	intel_gvt_request_service(lane->data->gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/* Unless the lane is RUNNING, the next turn may be waiting for the engines to drain */
static void drained_between_ticks(struct gvt_sched_lane *lane, u64 now)
{
	if (lane->state.state != GVT_LANE_RUNNING)
		intel_gvt_request_service(lane->data->gvt, INTEL_GVT_REQUEST_EVENT_SCHED);
}

/* i915 has the workloads of only one vGPU at a time, so there is no order to update */
static void added_alone(struct gvt_sched_lane *lane, u64 now)
{
}

static const struct gvt_pace_ops at_ticks = {
	.decide = decide_at_tick,
	.catch_up = catch_up_with_ticks,
	.changed = update_ticks,
	.queued = queued_between_ticks,
	.added = added_alone,
	.drained = drained_between_ticks,
	.end = end_ticks,
};

/* --- decisions at events ------------------------------------------------------ */

static u64 first_wake_up(struct gvt_sched_data *sched_data)
{
	struct gvt_sched_lane *lane;
	u64 first = 0;

	for_each_lane(sched_data, lane) {
		if (lane->state.wake_at && (!first || lane->state.wake_at < first))
			first = lane->state.wake_at;
	}

	return first;
}

static void set_wake_up(struct gvt_sched_data *sched_data, u64 wake_at_ns)
{
	if (sched_data->wake_at_ns == wake_at_ns)
		return;

	sched_data->wake_at_ns = wake_at_ns;
	if (wake_at_ns)
		hrtimer_start(&sched_data->timer, ns_to_ktime(wake_at_ns),
			      HRTIMER_MODE_ABS);
	else
		hrtimer_cancel(&sched_data->timer);
}

static void decide_in_lane(struct gvt_sched_lane *lane, u64 now)
{
	intel_gvt_lane_update(lane, now);
	set_wake_up(lane->data, first_wake_up(lane->data));
}

static void decide_now(struct gvt_sched_data *sched_data, bool tick, u64 now)
{
	struct gvt_sched_lane *lane;

	for_each_lane(sched_data, lane)
		decide_in_lane(lane, now);
}

static void no_ticks_missed(struct gvt_sched_data *sched_data, u64 now)
{
}

static void changed_now(struct gvt_sched_data *sched_data, u64 now)
{
	decide_now(sched_data, false, now);
}

/* One more workload of a vGPU that has work already changes no decision */
static void queued_now(struct gvt_sched_lane *lane, bool first, u64 now)
{
	if (first)
		decide_in_lane(lane, now);
}

static void end_wake_ups(struct gvt_sched_data *sched_data, u64 now)
{
	set_wake_up(sched_data, 0);
}

static const struct gvt_pace_ops at_events = {
	.decide = decide_now,
	.catch_up = no_ticks_missed,
	.changed = changed_now,
	.queued = queued_now,
	.added = decide_in_lane,
	.drained = decide_in_lane,
	.end = end_wake_ups,
};

/* --- choice of the pace ------------------------------------------------------- */

static const struct gvt_pace_ops *pace_of(struct gvt_sched_data *sched_data)
{
	return gvt_sched_on_ticks(&only_lane(sched_data)->rq) ? &at_ticks : &at_events;
}

/**
 * intel_gvt_pace_init - set the pace according to the settings
 * @sched_data: the scheduler's data, with its lanes
 */
void intel_gvt_pace_init(struct gvt_sched_data *sched_data)
{
	sched_data->pace = pace_of(sched_data);
}

/**
 * intel_gvt_pace_update - change the pace according to new settings
 * @sched_data: the scheduler's data, with its lanes
 * @now: the time
 *
 * Call with sched_lock held.
 */
void intel_gvt_pace_update(struct gvt_sched_data *sched_data, u64 now)
{
	const struct gvt_pace_ops *pace = pace_of(sched_data);

	lockdep_assert_held(&sched_data->gvt->sched_lock);

	if (pace != sched_data->pace)
		sched_data->pace->end(sched_data, now);
	sched_data->pace = pace;
}
