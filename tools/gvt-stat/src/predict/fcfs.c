// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "fcfs.h"
#include "prophet.h"

/* per stream, to end a replay of very short workloads */
#define MOST_WORKLOADS	5000000

/* drm_i915_gem_engine_class (include/uapi/drm/i915_drm.h) */
#define CLASS_COPY	1

/* one context at a time fills the engine; its memory bandwidth is unknown and has no effect */
static const struct prophet_device one_at_a_time = {
	.elements = 1, .warps = 1, .bandwidth = 1,
};

/* one of Prophet's applications: the stream of a guest on one engine */
struct player {
	const struct stream *stream;
	int64_t depth;
	double speed;
	int64_t window_ns;		/* of its recording */
	int64_t start_ns;
	int64_t last_ns;		/* last submission */
	GArray *ends;			/* int64_t: completion times */
	struct prophet *engine;
	struct tally_cell cell;
};

static const struct stream_work *next_work(const struct player *player)
{
	return &g_array_index(player->stream->work, struct stream_work,
			      player->ends->len % player->stream->work->len);
}

static int64_t end_of(const struct player *player, unsigned int back)
{
	return back <= player->ends->len && back ?
	       g_array_index(player->ends, int64_t, player->ends->len - back) : player->start_ns;
}

/* The ready-time table: when the next workload of a player can be submitted */
static int64_t ready_ns(const struct player *player)
{
	const struct stream *stream = player->stream;
	const struct stream_work *work = next_work(player);
	int64_t ready_ns;

	if (stream->open)
		ready_ns = MAX(player->ends->len / stream->work->len * player->window_ns + work->at_ns,
			       end_of(player, player->depth));
	else if (work->lag)
		ready_ns = end_of(player, work->lag) + work->at_ns;
	else
		ready_ns = player->last_ns + work->at_ns;
	return MAX(ready_ns, player->last_ns);
}

static void count(struct player *player, const struct window *window, int64_t ready_ns,
		  int64_t exec_ns, int64_t end_ns)
{
	int64_t from_ns = MAX(end_ns - exec_ns, window->from_ns);

	player->cell.exec_ns += MAX(MIN(end_ns, window->to_ns) - from_ns, 0);
	if (end_ns < window->from_ns || end_ns >= window->to_ns)
		return;
	player->cell.completed++;
	series_add(player->cell.latency, end_ns - ready_ns, end_ns, player->cell.completed);
}

static void play(struct player *player, const struct window *window)
{
	const struct stream_work *work = next_work(player);
	int64_t ready = ready_ns(player), exec_ns = MAX(llround(work->exec_ns / player->speed), 1);
	int64_t end_ns;
	const struct prophet_task task = {
		.kind = player->stream->engine->class == CLASS_COPY ? PROPHET_EXCLUSIVE : PROPHET_COMPUTE,
		.run_ns = exec_ns, .warps = 1, .occupancy = 1,
	};

	end_ns = prophet_submit(player->engine, &task, ready);
	count(player, window, ready, exec_ns, end_ns);
	player->last_ns = ready;
	g_array_append_val(player->ends, end_ns);
	if (player->ends->len > MOST_WORKLOADS)
		fatal("a stream has more than %d workloads in a phase: they are too short for Prophet's model",
		      MOST_WORKLOADS);
}

/* p = argmin ready[] */
static struct player *first_ready(GArray *players)
{
	struct player *first = NULL;

	for (unsigned int nr = 0; nr < players->len; nr++) {
		struct player *player = &g_array_index(players, struct player, nr);

		if (!first || ready_ns(player) < ready_ns(first))
			first = player;
	}
	return first;
}

/* the first player of an engine, which has its device; NULL: none yet */
static struct player *first_on(const GArray *players, const struct gpu_engine *engine)
{
	for (unsigned int nr = 0; nr < players->len; nr++) {
		struct player *player = &g_array_index(players, struct player, nr);

		if (player->stream->engine->class == engine->class &&
		    player->stream->engine->instance == engine->instance)
			return player;
	}
	return NULL;
}

static void change(struct player *player, const struct whatif_vgpu *change)
{
	if (change && known(change->depth))
		player->depth = change->depth;
	if (change && !isnan(change->speed))
		player->speed = change->speed;
}

static GArray *new_players(const struct whatif *whatif, const GArray *guests,
			   const GPtrArray *streams)
{
	GArray *players = g_array_new(FALSE, FALSE, sizeof(struct player));

	for (unsigned int nr = 0; nr < streams->len; nr++) {
		const struct stream *stream = streams->pdata[nr];
		const struct whatif_guest *guest = whatif_guest_of(guests, stream->vgpu);
		const struct player *first = first_on(players, stream->engine);
		struct player player = {
			.stream = stream, .depth = stream->depth, .speed = 1, .window_ns = guest->window_ns, .start_ns = guest->start_ns,
			.last_ns = guest->start_ns,
			.ends = g_array_new(FALSE, FALSE, sizeof(int64_t)),
			.engine = first ? first->engine : prophet_new(&one_at_a_time),
			.cell = { .latency = series_new() },
		};

		change(&player, whatif_find_vgpu(whatif, guest->id));
		g_array_append_val(players, player);
	}
	return players;
}

/* keeps the tally cells */
static GArray *free_players(GArray *players)
{
	GArray *cells = g_array_new(FALSE, FALSE, sizeof(struct tally_cell));

	for (unsigned int nr = 0; nr < players->len; nr++) {
		struct player *player = &g_array_index(players, struct player, nr);

		g_array_append_val(cells, player->cell);
		if (first_on(players, player->stream->engine) == player)
			prophet_free(player->engine);
		g_array_free(player->ends, TRUE);
	}
	g_array_free(players, TRUE);
	return cells;
}

GArray *fcfs_replay(const struct whatif *whatif, const GArray *guests, const GPtrArray *streams,
		    int64_t warmup_ns, int64_t window_ns)
{
	GArray *players = new_players(whatif, guests, streams);
	const struct window window = { warmup_ns, warmup_ns + window_ns };
	struct player *player = first_ready(players);

	while (player && ready_ns(player) < window.to_ns) {
		play(player, &window);
		player = first_ready(players);
	}
	return free_players(players);
}

void fcfs_free(GArray *cells)
{
	for (unsigned int nr = 0; nr < cells->len; nr++)
		series_free(g_array_index(cells, struct tally_cell, nr).latency);
	g_array_free(cells, TRUE);
}
