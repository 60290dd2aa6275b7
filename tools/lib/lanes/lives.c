// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The life of each workload, as consecutive intervals on a lane that belongs to the workload for
 * that time.
 */
#include "trace/util.h"
#include "lanes-private.h"

struct life {
	struct track *track;		/* NULL: unused */
	struct slot *slot;		/* NULL: no lane was free */
	int64_t seen_ns;		/* reported until then; UNKNOWN: the trace's beginning */
	enum lane_limit begin;		/* of the next interval */
	bool executed;			/* it has run */
	bool started;			/* time before the current piece is reported */
	bool over;			/* no interval follows */
};

GArray *lives_new(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct life));
}

static struct life *new_life(struct lanes *lanes, const struct workload *w, int64_t seen_ns,
			     enum lane_limit begin)
{
	struct life *life;

	if (w->nr >= lanes->lives->len)
		g_array_set_size(lanes->lives, w->nr + 1);
	life = &g_array_index(lanes->lives, struct life, w->nr);
	*life = (struct life) {
		.track = lanes_track_of_queue(lanes, LANE_LIVES, w->queue),
		.seen_ns = seen_ns, .begin = begin,
	};
	life->slot = lanes_hold(lanes, life->track, MAX(seen_ns, lanes->follow->window.from_ns));
	if (life->slot && lanes->ops->life)
		lanes->ops->life(lanes->ctx, &life->slot->lane, w);
	return life;
}

static bool is_wanted(const struct lanes *lanes, const struct workload *w)
{
	return selection_queue(lanes->follow->selection, w->queue);
}

/* If it shows up in the middle of its life, its beginning is before the trace or lost. */
static struct life *get_life(struct lanes *lanes, const struct workload *w)
{
	if (w->nr < lanes->lives->len &&
	    g_array_index(lanes->lives, struct life, w->nr).track)
		return &g_array_index(lanes->lives, struct life, w->nr);
	return w->from_before ? new_life(lanes, w, UNKNOWN, LIMIT_CUT) :
				new_life(lanes, w, w->tainted_ns, LIMIT_LOST);
}

void lives_arrived(void *ctx, const struct workload *w, int64_t ts_ns)
{
	if (is_wanted(ctx, w))
		new_life(ctx, w, ts_ns, LIMIT_SEEN);
}

void lives_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns)
{
	(void)ts_ns;
	if (is_wanted(ctx, w))
		get_life(ctx, w)->executed = phase == PHASE_PREEMPTED || phase == PHASE_FINISHING;
}

/* @to_ns: UNKNOWN if it ends with the trace */
static void tell(struct lanes *lanes, const struct workload *w, struct life *life,
		 enum lane_state state, int64_t to_ns, enum lane_limit end, enum lane_edge edge)
{
	/* a piece with both ends is assumed uninterrupted; other times may hide further pieces */
	bool sure = end == LIMIT_SEEN && state != LANE_UNSEEN &&
		    (state == LANE_EXECUTES || !w->exec_unknown);
	bool unsure = w->tainted && !sure;

	if (known(to_ns) && known(life->seen_ns))
		to_ns = MAX(to_ns, life->seen_ns);
	if (life->slot)
		lanes_put(lanes, life->track, life->slot, &(struct lane_interval) {
			.state = state, .from_ns = life->seen_ns, .to_ns = to_ns,
			.begin = life->begin, .end = unsure ? MAX(end, LIMIT_LOST) : end,
			.workload = w, .vgpu = w->queue->vgpu, .edge = edge,
		});
	life->seen_ns = to_ns;
	life->begin = end;
}

/* report the time before it starts */
static void tell_before(struct lanes *lanes, const struct workload *w, struct life *life,
			int64_t start_ns)
{
	bool way = known(w->queue_ns) && !w->from_before;

	if (life->executed)
		tell(lanes, w, life, LANE_PREEMPTED, start_ns, LIMIT_SEEN, EDGE_NONE);
	else
		tell(lanes, w, life, LANE_WAITING, start_ns, LIMIT_SEEN, way ? EDGE_STEP : EDGE_NONE);
	life->executed = true;
}

void lives_start(struct lanes *lanes, const struct workload *w)
{
	struct life *life;

	if (!is_wanted(lanes, w))
		return;
	life = get_life(lanes, w);
	if (!life->started)
		tell_before(lanes, w, life, w->piece_ns);
	life->started = true;
}

/* It was already running: the stop of that piece was lost, and the time after it. */
static void tell_lost_stop(struct lanes *lanes, const struct workload *w, struct life *life,
			   int64_t start_ns)
{
	if (known(life->seen_ns) && start_ns <= life->seen_ns)
		return;
	tell(lanes, w, life, LANE_EXECUTES, start_ns, LIMIT_LOST, EDGE_NONE);
	life->begin = LIMIT_SEEN;
}

void lives_piece(void *ctx, const struct piece *piece)
{
	const struct workload *w = piece->workload;
	struct life *life;

	if (!is_wanted(ctx, w))
		return;
	life = get_life(ctx, w);
	if (known(piece->start_ns) && life->started)
		tell_lost_stop(ctx, w, life, piece->start_ns);
	else if (known(piece->start_ns))
		tell_before(ctx, w, life, piece->start_ns);
	life->started = false;
	life->executed = true;
	tell(ctx, w, life,
	     known(piece->start_ns) || piece->from_before ? LANE_EXECUTES : LANE_UNSEEN,
	     piece->stop_ns, known(piece->stop_ns) ? LIMIT_SEEN : LIMIT_CUT, EDGE_NONE);
	life->over = !known(piece->stop_ns);
}

/* Its last stop was lost. */
static void tell_running(struct lanes *lanes, const struct workload *w, struct life *life)
{
	if (known(w->piece_ns) && w->piece_ns >= life->seen_ns && !life->started)
		tell_before(lanes, w, life, w->piece_ns);
	tell(lanes, w, life, known(w->piece_ns) ? LANE_EXECUTES : LANE_UNSEEN, w->end_ns,
	     LIMIT_LOST, EDGE_NONE);
}

static void tell_rest(struct lanes *lanes, const struct workload *w, struct life *life)
{
	bool ended = w->completed || w->cancelled;
	bool way = ended && known(w->queue_ns) && !w->from_before;
	enum lane_limit end = ended ? LIMIT_SEEN : LIMIT_CUT;
	enum lane_edge last = !way ? EDGE_NONE : marks_woke(lanes, w) ? EDGE_STEP : EDGE_END;

	if (!life->executed)
		tell(lanes, w, life, LANE_WAITING, w->end_ns, end, way ? EDGE_STEP : EDGE_NONE);
	else if (!ended && !w->finished)
		tell(lanes, w, life, LANE_PREEMPTED, UNKNOWN, end, EDGE_NONE);
	else
		tell(lanes, w, life, LANE_COMPLETES, w->end_ns, end, last);
	if (last == EDGE_STEP)
		marks_woken(lanes, w);
}

void lives_ended(void *ctx, const struct workload *w)
{
	struct lanes *lanes = ctx;
	struct life *life;

	if (!is_wanted(lanes, w))
		return;
	life = get_life(lanes, w);
	if (!life->over && w->running)
		tell_running(lanes, w, life);
	else if (!life->over)
		tell_rest(lanes, w, life);
	if (life->slot)
		life->slot->held = false;
	life->track = NULL;
}
