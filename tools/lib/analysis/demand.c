// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "trace/util.h"
#include "demand.h"

/* One reset's cancellations are traced within this time. */
#define SAME_RESET_NS	NSEC_PER_MSEC

struct queue_state {
	struct demand_row row;
	bool seen;			/* it has had work */
	int64_t leading_ns;		/* time without work before its first */
	int64_t empty_ns;		/* start of its time without work; UNKNOWN: it has work */
	int64_t ran_id;			/* last workload that certainly ran */
	int64_t ran_ns;			/* longest piece of @ran_id */
};

struct demand {
	struct follow *follow;
	GPtrArray *queues;		/* struct queue_state, by vgpu_engine.index */
	struct queue_state *ended;	/* queue of the workload that ended last */
	int64_t ended_wait_ns;		/* that workload's wait, or UNKNOWN */
};

static struct queue_state *get_queue(struct demand *demand, unsigned int index)
{
	while (demand->queues->len <= index) {
		struct queue_state *state = g_new0(struct queue_state, 1);

		state->empty_ns = UNKNOWN;
		state->row.worst.wait_ns = UNKNOWN;
		state->row.first_reset_ns = UNKNOWN;
		state->row.last_reset_ns = UNKNOWN;
		g_ptr_array_add(demand->queues, state);
	}
	return demand->queues->pdata[index];
}

static bool inside(const struct demand *demand, int64_t ts_ns)
{
	const struct window *window = &demand->follow->window;

	return ts_ns >= window->from_ns && ts_ns <= window->to_ns;
}

static void add_pause(const struct demand *demand, struct queue_state *state, int64_t to_ns)
{
	const struct window *window = &demand->follow->window;
	int64_t from_ns = MAX(state->empty_ns, window->from_ns);

	to_ns = MIN(to_ns, window->to_ns);
	if (known(state->empty_ns) && to_ns > from_ns)
		state->row.without_ns += to_ns - from_ns;
	state->empty_ns = UNKNOWN;
}

/* Until its first workload, a queue was empty, or had older work. */
static void on_arrived(void *ctx, const struct workload *w, int64_t ts_ns)
{
	struct demand *demand = ctx;
	struct queue_state *state = get_queue(demand, w->queue->index);
	int64_t before_ns;

	if (state->seen) {
		before_ns = state->row.without_ns;
		state->row.pauses += known(state->empty_ns) && inside(demand, ts_ns);
		add_pause(demand, state, ts_ns);
		state->row.pauses_ns += state->row.without_ns - before_ns;
		return;
	}
	state->seen = true;
	state->empty_ns = demand->follow->trace->start_ns;
	add_pause(demand, state, ts_ns);
	state->leading_ns = state->row.without_ns;
}

static void on_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns)
{
	struct demand *demand = ctx;
	struct queue_state *state = get_queue(demand, w->queue->index);

	(void)phase;
	(void)ts_ns;
	state->row.without_ns -= state->leading_ns;
	state->leading_ns = 0;
	state->seen = true;
}

/*
 * An unseen workload may have been in the queue since @from_ns: the queue was certainly empty only
 * before that.
 */
static void on_unsure_wait(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			   int64_t from_ns, int64_t to_ns)
{
	struct demand *demand = ctx;

	(void)to_ns;
	if (doubt == DOUBT_MISSED)
		add_pause(demand, get_queue(demand, queue->index), from_ns);
}

/* Parts of a piece before and after a gap are certain. */
static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct demand *demand = ctx;
	const struct window *window = &demand->follow->window;
	struct queue_state *state = get_queue(demand, w->queue->index);
	int64_t until_ns = known(to_ns) ? to_ns : window->to_ns;

	if (!known(from_ns) || until_ns < window->from_ns || from_ns > window->to_ns)
		return;
	if (state->ran_id != w->id)
		state->ran_ns = 0;
	state->ran_id = w->id;
	state->ran_ns = MAX(state->ran_ns, until_ns - from_ns);
	state->row.longest_piece_ns = MAX(state->row.longest_piece_ns, state->ran_ns);
}

static enum wait_end end_of(const struct workload *w)
{
	if (known(w->start_ns))
		return WAIT_STARTED;
	return w->cancelled ? WAIT_CANCELLED : WAIT_OPEN;
}

/* time until its first start; may be unknown if it failed */
static int64_t first_wait(const struct demand *demand, const struct workload *w)
{
	if (end_of(w) == WAIT_STARTED)
		return difference(w->start_ns, w->queue_ns);
	if (w->completed)
		return UNKNOWN;
	return difference(w->cancelled ? w->end_ns : demand->follow->window.to_ns, w->queue_ns);
}

/*
 * Work still in the queue has the queue's spent_ns at its arrival in waits_ns, and its
 * present wait is not included in that.
 */
static int64_t waited_for(const struct workload *w, enum wait_class class, int64_t until_ns)
{
	const struct vgpu_engine *queue = w->queue;
	int64_t wait_ns = w->waits_ns[class];

	if (class == WAIT_HOST && w->phase != PHASE_PENDING)
		wait_ns += w->kept_ns[PHASE_SUBMITTED];
	if (w->phase != PHASE_PENDING)
		return wait_ns;
	wait_ns = queue->spent_ns[class] - wait_ns;
	if (queue->class == class)
		wait_ns += MAX(until_ns - MAX(queue->since_ns, w->queue_ns), 0);
	return wait_ns;
}

static enum wait_class main_class(const struct workload *w, int64_t until_ns)
{
	enum wait_class main = WAIT_UNKNOWN;

	for (enum wait_class class = 0; class < WAIT_CLASSES; class++)
		if (waited_for(w, class, until_ns) > waited_for(w, main, until_ns))
			main = class;
	return main;
}

static void note_wait(struct demand_row *row, const struct workload *w, int64_t wait_ns)
{
	if (!known(wait_ns) || wait_ns <= row->worst.wait_ns)
		return;
	row->worst = (struct demand_wait) {
		.wait_ns = wait_ns, .from_ns = w->queue_ns, .workload_id = w->id,
		.end = end_of(w), .class = main_class(w, w->queue_ns + wait_ns),
	};
}

static void note_end(struct queue_state *state, const struct workload *w)
{
	struct demand_row *row = &state->row;
	int64_t exec_ns = workload_exec(w);

	if (w->tainted && w->completed && w->status && state->ran_id == w->id)
		row->longest_failed_ns = MAX(row->longest_failed_ns, state->ran_ns);
	if (w->tainted)
		return;
	/* UNKNOWN is less than any */
	if (w->completed && !w->status)
		row->longest_exec_ns = MAX(row->longest_exec_ns, exec_ns);
	if (w->completed && w->status && known(w->start_ns))
		row->longest_failed_ns = MAX(row->longest_failed_ns, w->end_ns - w->start_ns);
	if (known(w->end_ns) && !w->queue->first && !w->queue->in_flight)
		state->empty_ns = w->end_ns;
}

/*
 * If events were lost during its life, its wait is certain if its start is: the
 * model sets start_ns only then.
 */
static void on_ended(void *ctx, const struct workload *w)
{
	struct demand *demand = ctx;
	struct queue_state *state = get_queue(demand, w->queue->index);
	int64_t wait_ns = first_wait(demand, w);

	demand->ended = state;
	demand->ended_wait_ns = wait_ns;
	if (known(w->queue_ns) && w->queue_ns > demand->follow->window.to_ns)
		return;
	if (known(w->end_ns) && w->end_ns < demand->follow->window.from_ns)
		return;
	if (!w->tainted || end_of(w) == WAIT_STARTED)
		note_wait(&state->row, w, wait_ns);
	note_end(state, w);
}

/* The model has just reported its end. */
static void on_cancel(void *ctx, const struct event *event)
{
	struct demand *demand = ctx;
	int64_t reason = event->workload.reason;
	struct demand_row *row = demand->ended ? &demand->ended->row : NULL;

	demand->ended = NULL;
	if (!row || !inside(demand, event->ts_ns) || reason < 0 || reason >= CANCEL_REASONS)
		return;
	row->cancelled[reason]++;
	if (reason != CANCEL_RESET)
		return;
	row->resets += !known(row->last_reset_ns) ||
		       event->ts_ns - row->last_reset_ns > SAME_RESET_NS;
	row->last_reset_ns = event->ts_ns;
	if (!known(row->first_reset_ns))
		row->first_reset_ns = event->ts_ns;
	if (known(demand->ended_wait_ns))
		row->reset_wait_ns = MAX(row->reset_wait_ns, demand->ended_wait_ns);
}

struct demand *demand_new(struct follow *follow)
{
	struct demand *demand = g_new0(struct demand, 1);
	struct model_listener listener = {
		.arrived = on_arrived, .ran = on_ran, .ended = on_ended,
		.older = on_older, .unsure_wait = on_unsure_wait, .ctx = demand,
	};

	demand->follow = follow;
	demand->queues = g_ptr_array_new_with_free_func(g_free);
	model_listen(follow->model, &listener);
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_WORKLOAD_CANCEL), .event = on_cancel, .ctx = demand,
	});
	return demand;
}

void demand_finish(struct demand *demand)
{
	for (unsigned int nr = 0; nr < demand->queues->len; nr++)
		add_pause(demand, demand->queues->pdata[nr], demand->follow->window.to_ns);
}

void demand_free(struct demand *demand)
{
	g_ptr_array_free(demand->queues, TRUE);
	g_free(demand);
}

const struct demand_row *demand_of(struct demand *demand, unsigned int index)
{
	return &get_queue(demand, index)->row;
}
