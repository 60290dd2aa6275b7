// SPDX-License-Identifier: GPL-2.0-only

#include <linux/time64.h>

#include "lane_state.h"
#include "sched_ops.h"

/* When to retry a preemption that was not possible */
#define RETRY_NS (1 * NSEC_PER_MSEC)

static const char * const state_names[] = {
	[GVT_LANE_IDLE] = "idle",
	[GVT_LANE_RUNNING] = "running",
	[GVT_LANE_LOOKING_AHEAD] = "looking-ahead",
	[GVT_LANE_DRAINING] = "draining",
	[GVT_LANE_HANDING_OVER] = "handing-over",
};

/**
 * gvt_lane_state_name - name of a state, for debugfs
 * @state: the state
 *
 * Return: its name.
 */
const char *gvt_lane_state_name(enum gvt_lane_state state)
{
	return state_names[state];
}

/**
 * gvt_lane_init - initialize or reset a lane
 * @lane: the lane
 * @rq: the lane's run queue, which is empty
 * @ops: actions of the lane's owner
 */
void gvt_lane_init(struct gvt_lane *lane, struct gvt_sched_rq *rq,
		   const struct gvt_lane_ops *ops)
{
	*lane = (struct gvt_lane) {
		.rq = rq,
		.ops = ops,
	};
}

/* --- transitions --------------------------------------------------------- */

static void decide(struct gvt_lane *lane, enum gvt_switch_reason reason, u64 now)
{
	/* The decision to pass the turn on keeps its time even if the next vGPU changes */
	if (!lane->decided_at)
		lane->decided_at = now;
	lane->reason = reason;
}

/* Pass the turn on to @e, or to no vGPU */
static void begin_turn(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	gvt_sched_switch(lane->rq, e, now);
	lane->ops->turn_passes(lane, lane->turn, e,
			       lane->decided_at ? now - lane->decided_at : 0,
			       lane->reason);
	lane->turn = e;
	lane->next = NULL;
	lane->decided_at = 0;
	lane->state = e ? GVT_LANE_RUNNING : GVT_LANE_IDLE;
	lane->dispatch = true;
}

/* Continue the present turn, whatever the lane intended */
static void keep_turn(struct gvt_lane *lane)
{
	if (lane->next || lane->state == GVT_LANE_DRAINING)
		lane->dispatch = true;
	lane->next = NULL;
	lane->decided_at = 0;
	lane->state = lane->turn ? GVT_LANE_RUNNING : GVT_LANE_IDLE;
}

/* Make @e the next vGPU; @state determines how soon its turn begins */
static void go_on_to(struct gvt_lane *lane, struct gvt_sched_entity *e,
		     enum gvt_lane_state state, enum gvt_switch_reason reason, u64 now)
{
	decide(lane, reason, now);
	lane->dispatch |= lane->next != e;
	lane->next = e;
	lane->state = state;
}

static void preempt(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	struct gvt_sched_entity *next = lane->next;

	/* Without a next vGPU, preempt for the vGPU whose turn it is */
	lane->next = next ?: lane->turn;
	if (lane->ops->preempt(lane, e, now)) {
		lane->state = GVT_LANE_HANDING_OVER;
		lane->wake_at = 0;
		return;
	}

	lane->next = next;
	if (!lane->wake_at || lane->wake_at > now + RETRY_NS)
		lane->wake_at = now + RETRY_NS;
}

/**
 * gvt_lane_handed_over - a hand-over has ended: the workload was preempted or has finished
 * @lane: the lane
 *
 * Call gvt_lane_update() afterwards.
 */
void gvt_lane_handed_over(struct gvt_lane *lane)
{
	if (lane->state != GVT_LANE_HANDING_OVER)
		return;

	if (lane->next && lane->next != lane->turn)
		lane->state = GVT_LANE_DRAINING;
	else
		keep_turn(lane);
}

/* --- state of the engines ------------------------------------------------ */

/**
 * gvt_lane_occupant - find the vGPU that has the engine
 * @lane: the lane
 * @next: a vGPU to ignore, or NULL
 *
 * Return: the vGPU whose workload executes, or else one whose workload is in flight and cannot
 * be preempted, so that it will execute before that of @next; NULL for none.
 */
struct gvt_sched_entity *gvt_lane_occupant(const struct gvt_lane *lane,
					   const struct gvt_sched_entity *next)
{
	struct gvt_sched_entity *e, *waits = NULL;

	list_for_each_entry(e, &lane->rq->entities, link) {
		if (e == next || !e->in_flight)
			continue;
		if (e->executes)
			return e;
		if (!gvt_sched_can_preempt(lane->rq, e))
			waits = e;
	}

	return waits;
}

static const struct gvt_dispatch_ops *dispatch_of(const struct gvt_lane *lane)
{
	return lane->rq->mode.dispatch;
}

static bool can_preempt(const struct gvt_lane *lane, const struct gvt_sched_entity *e,
			const struct gvt_sched_entity *next)
{
	return e && gvt_sched_can_preempt(lane->rq, e) && next && next->offered;
}

/* Whether i915 has a workload of @next that cannot be preempted, and so runs next in any case */
static bool is_committed(const struct gvt_lane *lane)
{
	return lane->next && lane->next->in_flight &&
	       !gvt_sched_can_preempt(lane->rq, lane->next);
}

/* The vGPU whose workload is to execute now */
static struct gvt_sched_entity *to_run(const struct gvt_lane *lane)
{
	if (lane->state == GVT_LANE_LOOKING_AHEAD)
		return lane->turn;

	return lane->next ?: lane->turn;
}

/* --- decisions ------------------------------------------------------------ */

/*
 * If the vGPU whose turn it is has nothing in flight and another vGPU's workload executes, the
 * other vGPU takes over the turn; gvt_sched_pick() then decides whether that turn continues.
 */
static void follow(struct gvt_lane *lane, u64 now)
{
	struct gvt_sched_entity *e, *turn = lane->turn;

	if (turn && turn->in_flight)
		return;

	list_for_each_entry(e, &lane->rq->entities, link) {
		if (!e->executes)
			continue;
		if (e != lane->next)
			decide(lane, turn && turn->busy ? GVT_SWITCH_TURN :
							  GVT_SWITCH_IDLE, now);
		begin_turn(lane, e, now);
		return;
	}
}

/* Whether the turn ends although no vGPU is next */
static bool turn_is_over(const struct gvt_lane *lane)
{
	return gvt_sched_on_ticks(lane->rq) || (lane->turn && lane->turn->busy);
}

/* Prepare the vGPU that runs when the present workload has finished */
static void look_ahead(struct gvt_lane *lane, u64 now)
{
	struct gvt_sched_choice ahead = dispatch_of(lane)->ahead(lane, now);

	if (ahead.next && !gvt_sched_fills_gaps(lane->rq, ahead.next, now))
		go_on_to(lane, ahead.next, GVT_LANE_LOOKING_AHEAD, ahead.reason, now);
	else
		keep_turn(lane);
}

static void choose(struct gvt_lane *lane, u64 now)
{
	struct gvt_sched_choice choice;
	struct gvt_sched_entity *next;

	/* Upstream's scheduler keeps its choice until the engines have drained */
	if (is_committed(lane) ||
	    (gvt_sched_on_ticks(lane->rq) && lane->state == GVT_LANE_DRAINING)) {
		lane->wake_at = 0;
		return;
	}

	choice = gvt_sched_pick(lane->rq, now);
	lane->wake_at = choice.wake_at;

	next = choice.next;
	if (!next && !turn_is_over(lane))
		next = lane->turn;

	if (next != lane->turn)
		go_on_to(lane, next, GVT_LANE_DRAINING, choice.reason, now);
	else
		look_ahead(lane, now);
}

/*
 * Another vGPU may need the engine more than the one for which a workload is being preempted.
 * Until that workload has left, reordering the waiting workloads is enough.
 */
static void redirect(struct gvt_lane *lane, u64 now)
{
	struct gvt_sched_choice choice = gvt_sched_pick(lane->rq, now);

	if (!choice.next || !choice.next->offered || choice.next->executes ||
	    choice.next == lane->next)
		return;

	decide(lane, choice.reason, now);
	lane->next = choice.next;
}

/* Bring the engines closer to the vGPU that is to have them */
static void advance(struct gvt_lane *lane, u64 now)
{
	struct gvt_sched_entity *next, *e;

	if ((lane->state == GVT_LANE_DRAINING || lane->state == GVT_LANE_LOOKING_AHEAD) &&
	    dispatch_of(lane)->is_free(lane, lane->next)) {
		/* With several engines, the longest workload decides how long others wait */
		if (lane->turn && !dispatch_of(lane)->shared)
			gvt_sched_handed_over(lane->turn, now - lane->decided_at, true);
		begin_turn(lane, lane->next, now);
	}

	if (!gvt_sched_is_preemptive(lane->rq))
		return;

	next = to_run(lane);
	e = gvt_lane_occupant(lane, next);
	if (!can_preempt(lane, e, next))
		return;
	if (lane->state == GVT_LANE_LOOKING_AHEAD)
		keep_turn(lane);
	preempt(lane, e, now);
}

/**
 * gvt_lane_update - decide again after an event
 * @lane: the lane, with the present state of its engines
 * @now: the time
 *
 * Call when vGPUs get work or run out of it, when a workload is given to an engine, begins
 * to execute or leaves, at @wake_at, and after settings have changed.
 */
void gvt_lane_update(struct gvt_lane *lane, u64 now)
{
	/* The owner reports the end of the hand-over; until then the engine is not available */
	if (lane->state == GVT_LANE_HANDING_OVER) {
		lane->wake_at = 0;
		redirect(lane, now);
		return;
	}

	follow(lane, now);
	choose(lane, now);
	advance(lane, now);
}

/* --- the vGPUs of a lane --------------------------------------------------- */

/**
 * gvt_lane_add - add a vGPU to a lane
 * @lane: the lane
 * @e: the vGPU
 * @now: the time
 */
void gvt_lane_add(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	e->stopping = false;
	gvt_sched_add(lane->rq, e, now);
}

/**
 * gvt_lane_remove - remove a vGPU from a lane
 * @lane: the lane
 * @e: the vGPU, which may still have workloads in flight
 * @now: the time
 */
void gvt_lane_remove(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	gvt_sched_remove(lane->rq, e, now);
	e->stopping = false;
	if (lane->turn == e)
		lane->ops->turn_passes(lane, e, NULL, 0, GVT_SWITCH_STOP);

	if (lane->turn == e)
		lane->turn = NULL;
	if (lane->next == e)
		lane->next = NULL;
	if (lane->state == GVT_LANE_HANDING_OVER)
		return;
	if (!lane->next)
		keep_turn(lane);
	else if (lane->state == GVT_LANE_LOOKING_AHEAD && !lane->turn)
		lane->state = GVT_LANE_DRAINING;
}

/**
 * gvt_lane_stop - remove a vGPU from a lane, at once or as soon as possible
 * @lane: the lane
 * @e: the vGPU
 * @now: the time
 *
 * A vGPU with a workload in flight on an engine that it shares with others stays in the lane
 * until the workload is finished: the workload may be preempted, and gets the turns that it
 * needs. No more workloads of the vGPU are dispatched. The owner calls gvt_lane_remove()
 * when the workload is done.
 *
 * Return: true if the vGPU was removed at once.
 */
bool gvt_lane_stop(struct gvt_lane *lane, struct gvt_sched_entity *e, u64 now)
{
	if (dispatch_of(lane)->stays(e)) {
		e->stopping = true;
		return false;
	}

	gvt_lane_remove(lane, e, now);
	return true;
}

/* --- for the owner ---------------------------------------------------------- */

/**
 * gvt_lane_may_dispatch - whether a vGPU's next workload may go to an engine
 * @lane: the lane
 * @e: the vGPU
 * @now: the time
 *
 * Return: true if it is the vGPU's turn, or the workload is to be prepared for the vGPU's turn,
 * or can be put behind all others to fill gaps.
 */
bool gvt_lane_may_dispatch(const struct gvt_lane *lane,
			   const struct gvt_sched_entity *e, u64 now)
{
	if (e->stopping)
		return false;

	switch (lane->state) {
	case GVT_LANE_IDLE:
	case GVT_LANE_RUNNING:
		if (e == lane->turn)
			return true;
		break;
	default:
		if (dispatch_of(lane)->offers(lane, e))
			return true;
	}

	return gvt_sched_fills_gaps(lane->rq, e, now);
}

/**
 * gvt_lane_is_ready - whether a vGPU's workload may run when no other workload does
 * @lane: the lane
 * @e: the vGPU, whose workload waits at the engine
 * @now: the time
 *
 * Return: false if the engine is to be kept idle for an expected vGPU rather than given to @e.
 */
bool gvt_lane_is_ready(const struct gvt_lane *lane, const struct gvt_sched_entity *e, u64 now)
{
	return e == lane->turn || e == lane->next || e->executes || e->stopping ||
	       !gvt_sched_would_wait(lane->rq, e, now);
}

/*
 * Whether a workload that cannot be preempted waits, in its vGPU's turn, for the host's work to
 * leave the engine. Later workloads of other vGPUs would otherwise go first as long as the host
 * has work.
 */
static bool turn_waits(const struct gvt_lane *lane)
{
	const struct gvt_sched_entity *turn = lane->turn;

	return turn && turn->in_flight && !turn->executes && !gvt_sched_can_preempt(lane->rq, turn);
}

/* Rank of a vGPU among those that wait for the engine */
static int rank(const struct gvt_lane *lane, const struct gvt_sched_entity *e)
{
	if (e == (turn_waits(lane) ? lane->turn : to_run(lane)))
		return 0;

	return e == lane->next ? 1 : 2;
}

/**
 * gvt_lane_before - order two workloads that i915 has
 * @lane: the lane
 * @a: the vGPU of the one
 * @b: the vGPU of the other
 * @now: the time
 *
 * Return: true if the workload of @a goes first.
 */
bool gvt_lane_before(struct gvt_lane *lane, struct gvt_sched_entity *a,
		     struct gvt_sched_entity *b, u64 now)
{
	int rank_a = rank(lane, a), rank_b = rank(lane, b);

	if (rank_a != rank_b)
		return rank_a < rank_b;

	return rank_a == 2 && gvt_sched_before(lane->rq, a, b, now);
}
