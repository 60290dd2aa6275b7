// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>

#include <glib.h>

#include "trace/util.h"
#include "inside.h"

/* the turn on one GPU, or on one of its engines */
struct gpu_turn {
	int64_t dev;
	int64_t class;			/* negative or UNKNOWN: all engines */
	int64_t instance;
	int64_t vgpu_id;		/* 0: idle */
	struct slices_row *row;		/* of the vGPU; NULL: not looked up yet */
	int64_t since_ns;		/* UNKNOWN: events were lost since then */
	int64_t lost_ns;		/* the turn is unknown from then on; UNKNOWN: it is known */
	bool begun;			/* the switch to it was traced */
	bool resumed;			/* events were lost up to @since_ns */
	bool boosted;			/* it began with a start boost */
};

struct slices {
	struct window window;
	GArray *turns;			/* struct gpu_turn */
	GPtrArray *rows;		/* struct slices_row */
	bool lost;			/* the turn before a first switch is unknown */
	int64_t first_ns;		/* since when a first switch may be lost */
	unsigned int gaps;		/* number of open gaps */
	bool had_gap;
	int64_t resumed_ns;		/* start of gapless switches of one kind; or UNKNOWN */
	void (*turn)(void *ctx, const struct slices_turn *turn);	/* NULL: no listener */
	void *ctx;
};

struct slices *slices_new(struct window window)
{
	struct slices *slices = g_new0(struct slices, 1);

	slices->window = window;
	slices->first_ns = window.from_ns;
	slices->resumed_ns = UNKNOWN;
	slices->turns = g_array_new(FALSE, FALSE, sizeof(struct gpu_turn));
	slices->rows = g_ptr_array_new_with_free_func(g_free);
	return slices;
}

void slices_free(struct slices *slices)
{
	g_array_free(slices->turns, TRUE);
	g_ptr_array_free(slices->rows, TRUE);
	g_free(slices);
}

const struct slices_row *slices_of(const struct slices *slices, int64_t dev, int64_t vgpu_id)
{
	for (unsigned int nr = 0; nr < slices->rows->len; nr++) {
		const struct slices_row *row = slices->rows->pdata[nr];

		if (row->vgpu_id == vgpu_id && row->dev == dev)
			return row;
	}
	return NULL;
}

static struct slices_row *get_row(struct slices *slices, int64_t dev, int64_t vgpu_id)
{
	struct slices_row *row = (struct slices_row *)slices_of(slices, dev, vgpu_id);

	if (row)
		return row;
	row = g_new0(struct slices_row, 1);
	row->dev = dev;
	row->vgpu_id = vgpu_id;
	row->left_min_ns = UNKNOWN;
	g_ptr_array_add(slices->rows, row);
	return row;
}

/* of the vGPU with the turn: the most frequent lookup */
static struct slices_row *row_of(struct slices *slices, struct gpu_turn *turn)
{
	if (!turn->row)
		turn->row = get_row(slices, turn->dev, turn->vgpu_id);
	return turn->row;
}

static struct gpu_turn *find_turn(const struct slices *slices, const struct switch_event *event)
{
	for (unsigned int nr = 0; nr < slices->turns->len; nr++) {
		struct gpu_turn *turn = &g_array_index(slices->turns, struct gpu_turn, nr);

		if (turn->dev == event->dev && turn->class == event->class &&
		    turn->instance == event->instance)
			return turn;
	}
	return NULL;
}

/* The vGPU that a GPU's first switch takes the turn from has had it since the start. */
static struct gpu_turn *add_turn(struct slices *slices, const struct switch_event *event)
{
	struct gpu_turn turn = {
		.dev = event->dev,
		.class = event->class,
		.instance = event->instance,
		.vgpu_id = event->prev_vgpu_id,
		.since_ns = slices->lost ? UNKNOWN : slices->window.from_ns,
		.lost_ns = slices->had_gap ? slices->first_ns : UNKNOWN,
	};

	g_array_append_val(slices->turns, turn);
	return &g_array_index(slices->turns, struct gpu_turn, slices->turns->len - 1);
}

static bool inside(const struct slices *slices, int64_t ts_ns)
{
	return ts_ns >= slices->window.from_ns && ts_ns <= slices->window.to_ns;
}

static int64_t overlap(const struct window *window, int64_t start_ns, int64_t end_ns)
{
	int64_t start = MAX(start_ns, window->from_ns);
	int64_t end = MIN(end_ns, window->to_ns);

	return MAX(end - start, 0);
}

void slices_listen(struct slices *slices,
		   void (*turn)(void *ctx, const struct slices_turn *turn), void *ctx)
{
	slices->turn = turn;
	slices->ctx = ctx;
}

static void tell_turn(const struct slices *slices, const struct gpu_turn *turn, int64_t end_ns,
		      bool lost, bool open)
{
	if (slices->turn && known(turn->since_ns))
		slices->turn(slices->ctx, &(struct slices_turn) {
			.dev = turn->dev, .class = turn->class, .instance = turn->instance,
			.vgpu_id = turn->vgpu_id, .from_ns = turn->since_ns, .to_ns = end_ns,
			.begun = turn->begun, .resumed = turn->resumed, .lost = lost, .open = open,
		});
}

static void note_boosted(struct slices_row *row, const struct gpu_turn *turn, int64_t end_ns)
{
	if (!turn->boosted || end_ns - turn->since_ns <= row->boosted_to_ns - row->boosted_from_ns)
		return;
	row->boosted_from_ns = turn->since_ns;
	row->boosted_to_ns = end_ns;
}

/* Saturates: summed over engines, the times of a damaged trace may overflow. */
static void add_ns(int64_t *sum_ns, int64_t ns)
{
	if (__builtin_add_overflow(*sum_ns, ns, sum_ns))
		*sum_ns = INT64_MAX;
}

/* the vGPU had the turn from @since_ns to @end_ns */
static void add_time(struct slices *slices, struct gpu_turn *turn, int64_t end_ns)
{
	struct slices_row *row = row_of(slices, turn);

	add_ns(&row->scheduled_ns, overlap(&slices->window, turn->since_ns, end_ns));
	note_boosted(row, turn, end_ns);
}

/* the turn was unknown until @end_ns */
static void add_unknown(struct slices *slices, struct gpu_turn *turn, int64_t end_ns)
{
	if (known(turn->lost_ns))
		add_ns(&get_row(slices, turn->dev, UNKNOWN)->scheduled_ns,
		       overlap(&slices->window, turn->lost_ns, end_ns));
	turn->lost_ns = UNKNOWN;
}

static void count_run(struct slices *slices, struct gpu_turn *turn, int64_t end_ns)
{
	struct slices_row *row = row_of(slices, turn);

	tell_turn(slices, turn, end_ns, false, false);
	add_time(slices, turn, end_ns);
	if (!turn->begun || !inside(slices, turn->since_ns))
		return;
	row->whole_turns++;
	add_ns(&row->whole_turns_ns, end_ns - turn->since_ns);
}

static void end_turn(struct slices *slices, struct gpu_turn *turn, int64_t end_ns)
{
	if (known(turn->since_ns))
		count_run(slices, turn, end_ns);
	else
		add_unknown(slices, turn, end_ns);
}

static void note_longest(struct slices_row *row, int64_t drain_ns, int64_t ts_ns)
{
	if (drain_ns <= row->drain_max_ns)
		return;
	row->drain_max_ns = drain_ns;
	row->drain_max_at_ns = ts_ns;
}

static void count_end(struct slices_row *row, const struct switch_event *event, int64_t ts_ns)
{
	if (event->reason >= 0 && event->reason < SWITCH_REASONS)
		row->reasons[event->reason]++;
	if (known(event->drain_ns)) {
		row->drains++;
		row->drain_ns += event->drain_ns;
		note_longest(row, event->drain_ns, ts_ns);
	}
	if (known(event->prev_left_ns) &&
	    (!known(row->left_min_ns) || event->prev_left_ns < row->left_min_ns))
		row->left_min_ns = event->prev_left_ns;
}

static bool is_of_engine(int64_t class)
{
	return class >= 0;
}

/* When engines begin or cease to have their own turns, turns of the other kind end. */
static void end_other_turns(struct slices *slices, const struct switch_event *event, int64_t ts_ns)
{
	for (unsigned int nr = slices->turns->len; nr-- > 0; ) {
		struct gpu_turn *turn = &g_array_index(slices->turns, struct gpu_turn, nr);

		if (turn->dev != event->dev ||
		    is_of_engine(turn->class) == is_of_engine(event->class))
			continue;
		end_turn(slices, turn, ts_ns);
		g_array_remove_index(slices->turns, nr);
		slices->lost = true;
		slices->first_ns = ts_ns;
		slices->resumed_ns = UNKNOWN;
	}
}

/* @vgpu_id has had the turn since the end of the gap, and a switch ends the turn now. */
static void resume(struct slices *slices, struct gpu_turn *turn, int64_t vgpu_id)
{
	add_unknown(slices, turn, slices->resumed_ns);
	turn->vgpu_id = vgpu_id;
	turn->row = NULL;
	turn->since_ns = slices->resumed_ns;
	turn->begun = turn->boosted = false;
	turn->resumed = true;
}

static struct gpu_turn *get_turn(struct slices *slices, const struct switch_event *event)
{
	struct gpu_turn *turn = find_turn(slices, event);

	if (!turn)
		return add_turn(slices, event);
	if (!known(turn->since_ns) && !slices->gaps && known(slices->resumed_ns))
		resume(slices, turn, event->prev_vgpu_id);
	return turn;
}

/* begin the next turn, after @event's data on the previous one was counted */
static void begin_turn(const struct slices *slices, struct gpu_turn *turn,
		       const struct switch_event *event, int64_t ts_ns)
{
	turn->vgpu_id = event->next_vgpu_id;
	turn->row = NULL;
	turn->since_ns = slices->gaps ? UNKNOWN : ts_ns;
	turn->lost_ns = slices->gaps ? ts_ns : UNKNOWN;
	turn->begun = true;
	turn->resumed = false;
	turn->boosted = event->reason == SWITCH_BOOST;
}

static void on_switch(struct slices *slices, const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;
	struct gpu_turn *turn;

	end_other_turns(slices, change, event->ts_ns);
	turn = get_turn(slices, change);
	if (!known(turn->since_ns) || turn->vgpu_id == change->prev_vgpu_id)
		end_turn(slices, turn, event->ts_ns);
	begin_turn(slices, turn, change, event->ts_ns);
	if (!inside(slices, event->ts_ns))
		return;
	count_end(get_row(slices, change->dev, change->prev_vgpu_id), change, event->ts_ns);
	row_of(slices, turn)->turns++;
}

/* A change of settings may change whether engines have their own turns. */
static void on_event(void *ctx, const struct event *event)
{
	struct slices *slices = ctx;

	if (event->id == EVENT_SCHED_SWITCH)
		on_switch(slices, event);
	else
		slices->resumed_ns = UNKNOWN;
}

/* the turn is unknown from now on */
static void on_lost(void *ctx, int64_t ts_ns)
{
	struct slices *slices = ctx;

	slices->lost = slices->had_gap = true;
	slices->gaps++;
	for (unsigned int nr = 0; nr < slices->turns->len; nr++) {
		struct gpu_turn *turn = &g_array_index(slices->turns, struct gpu_turn, nr);

		if (!known(turn->since_ns))
			continue;
		tell_turn(slices, turn, ts_ns, true, false);
		add_time(slices, turn, ts_ns);
		turn->since_ns = UNKNOWN;
		turn->lost_ns = ts_ns;
	}
}

static void on_found(void *ctx, int64_t ts_ns)
{
	struct slices *slices = ctx;

	if (!--slices->gaps)
		slices->resumed_ns = ts_ns;
}

void slices_follow(struct slices *slices, struct follow *follow)
{
	follow_add(follow, (struct analysis) {
		.events = EVENT_BIT(EVENT_SCHED_SWITCH) | EVENT_BIT(EVENT_SCHED_INFO) |
			  EVENT_BIT(EVENT_SCHED_SETTING),
		.event = on_event, .lost = on_lost, .found = on_found, .ctx = slices,
	});
}

static void finish_turn(struct slices *slices, struct gpu_turn *turn)
{
	int64_t end_ns = slices->window.to_ns;

	if (known(turn->since_ns)) {
		tell_turn(slices, turn, end_ns, false, true);
		add_time(slices, turn, end_ns);
	} else {
		add_unknown(slices, turn, end_ns);
	}
}

void slices_finish(struct slices *slices, struct window window)
{
	slices->window = window;
	for (unsigned int nr = 0; nr < slices->turns->len; nr++)
		finish_turn(slices, &g_array_index(slices->turns, struct gpu_turn, nr));
}

/* an engine's own turn; NULL: no switch of it was traced */
static const struct gpu_turn *turn_of(const struct slices *slices, const struct gpu_engine *engine)
{
	return find_turn(slices, &(struct switch_event) {
		.dev = engine->dev, .class = engine->class, .instance = engine->instance,
	});
}

static bool has_engine_turns(const struct slices *slices, int64_t dev)
{
	for (unsigned int nr = 0; nr < slices->turns->len; nr++) {
		const struct gpu_turn *turn = &g_array_index(slices->turns, struct gpu_turn, nr);

		if (turn->dev == dev && is_of_engine(turn->class))
			return true;
	}
	return false;
}

static bool has_turns(const struct slices *slices, int64_t dev)
{
	for (unsigned int nr = 0; nr < slices->turns->len; nr++)
		if (g_array_index(slices->turns, struct gpu_turn, nr).dev == dev)
			return true;
	return false;
}

/* True also if the dispatch mode is unknown. */
static bool may_have_engine_turns(const struct gpu *gpu)
{
	return gpu->per_engine || !gpu->traced;
}

/* All switches of the GPU were lost: each engine may have had a turn all the time. */
static int64_t whole_window(const struct slices *slices, int64_t dev, const GPtrArray *engines)
{
	int64_t length_ns = slices->window.to_ns - slices->window.from_ns, sum_ns = 0;

	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		if (engine->dev == dev && (may_have_engine_turns(engine->gpu) || !sum_ns))
			add_ns(&sum_ns, length_ns);
	}
	return MAX(sum_ns, length_ns);
}

int64_t slices_unknown_ns(const struct slices *slices, int64_t dev, const GPtrArray *engines)
{
	const struct slices_row *nobody = slices_of(slices, dev, UNKNOWN);
	int64_t sum_ns = nobody ? nobody->scheduled_ns : 0;

	if (slices->had_gap && !has_turns(slices, dev))
		return whole_window(slices, dev, engines);
	if (!slices->had_gap || !has_engine_turns(slices, dev))
		return sum_ns;
	for (unsigned int nr = 0; nr < engines->len; nr++) {
		const struct gpu_engine *engine = engines->pdata[nr];

		if (engine->dev == dev && !turn_of(slices, engine))
			add_ns(&sum_ns, overlap(&slices->window, slices->first_ns,
						slices->window.to_ns));
	}
	return sum_ns;
}
