// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "trace/util.h"
#include "tally.h"

struct tally {
	struct window window;		/* the first one */
	unsigned int windows;
	int64_t gap_ns;			/* between two windows */
	const struct streams *streams;	/* idle work is not counted; NULL: count everything */
	GPtrArray *queues;		/* struct tally_cell[windows + 1], by index; NULL: none */
	GArray *stays;			/* struct stay; NULL: idle time is not counted */
	GPtrArray *hosts;		/* struct host */
};

/* a workload in flight, or an execution of the host */
struct stay {
	const struct gpu_engine *engine;
	const struct vgpu_engine *queue;	/* NULL: the host */
	int64_t from_ns;
	int64_t to_ns;			/* UNKNOWN: to the end */
};

/* the host's own work on an engine, or its waits there for one vGPU */
struct host {
	const struct gpu_engine *engine;
	int64_t holder;			/* vGPU waited for; 0: the host's own work */
	struct tally_cell *cells;
	int64_t waited_ns;		/* end of the last wait, where its stay begins */
};

static struct tally_cell *new_cells(const struct tally *tally)
{
	struct tally_cell *cells = g_new0(struct tally_cell, tally->windows + 1);

	for (unsigned int nr = 0; nr <= tally->windows; nr++)
		cells[nr].latency = series_new();
	return cells;
}

static void free_cells(const struct tally *tally, struct tally_cell *cells)
{
	for (unsigned int nr = 0; cells && nr <= tally->windows; nr++)
		series_free(cells[nr].latency);
	g_free(cells);
}

static struct tally_cell *cells_of(struct tally *tally, unsigned int index)
{
	struct tally_cell *cells;

	if (index >= tally->queues->len)
		g_ptr_array_set_size(tally->queues, index + 1);
	cells = tally->queues->pdata[index];
	if (cells)
		return cells;
	cells = new_cells(tally);
	tally->queues->pdata[index] = cells;
	return cells;
}

static int64_t length_ns(const struct tally *tally)
{
	return tally->window.to_ns - tally->window.from_ns;
}

static int64_t begin_of(const struct tally *tally, unsigned int nr)
{
	return nr ? tally->window.from_ns + nr * (length_ns(tally) + tally->gap_ns) :
		    tally->window.from_ns;
}

static int64_t end_of(const struct tally *tally)
{
	if (tally->windows == 1)
		return tally->window.to_ns;
	return begin_of(tally, tally->windows - 1) + length_ns(tally);
}

/* the window that contains @ts_ns, or precedes its gap; @ts_ns is before the end of the last one */
static unsigned int window_at(const struct tally *tally, int64_t ts_ns)
{
	if (tally->windows == 1)
		return 0;
	return (ts_ns - tally->window.from_ns) / (length_ns(tally) + tally->gap_ns);
}

static int64_t end_of_window(const struct tally *tally, unsigned int nr)
{
	return tally->windows == 1 ? end_of(tally) : begin_of(tally, nr) + length_ns(tally);
}

static void add_time(struct tally *tally, struct tally_cell *cells, int64_t from_ns, int64_t to_ns)
{
	unsigned int nr = window_at(tally, from_ns);
	int64_t ran_ns = MIN(to_ns, end_of_window(tally, nr)) - from_ns;

	if (ran_ns <= 0)
		return;
	cells[nr].exec_ns += ran_ns;
	cells[tally->windows].exec_ns += ran_ns;
}

static void add_times(struct tally *tally, struct tally_cell *cells, int64_t from_ns, int64_t to_ns)
{
	from_ns = MAX(from_ns, tally->window.from_ns);
	to_ns = known(to_ns) ? MIN(to_ns, end_of(tally)) : end_of(tally);
	while (from_ns < to_ns) {
		unsigned int nr = window_at(tally, from_ns) + 1;

		add_time(tally, cells, from_ns, to_ns);
		from_ns = nr < tally->windows ? begin_of(tally, nr) : to_ns;
	}
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	add_times(ctx, cells_of(ctx, w->queue->index), from_ns, to_ns);
}

/* --- the host ------------------------------------------------------------------------- */

static struct host *host_of(struct tally *tally, const struct gpu_engine *engine, int64_t holder)
{
	struct host *host;

	for (unsigned int nr = 0; nr < tally->hosts->len; nr++) {
		host = tally->hosts->pdata[nr];
		if (host->engine == engine && host->holder == holder)
			return host;
	}
	host = g_new0(struct host, 1);
	*host = (struct host) { engine, holder, new_cells(tally), UNKNOWN };
	g_ptr_array_add(tally->hosts, host);
	return host;
}

/* with its wait; skips one that began before the window, whose wait is unknown */
static void count_host_stay(struct tally *tally, struct host *host, int64_t wait_ns, int64_t at_ns)
{
	unsigned int nr;

	if (!known(at_ns) || at_ns < tally->window.from_ns || at_ns >= end_of(tally))
		return;
	nr = window_at(tally, at_ns);
	if (at_ns >= end_of_window(tally, nr))
		return;
	host->cells[nr].completed++;
	host->cells[tally->windows].completed++;
	series_add(host->cells[nr].latency, wait_ns, at_ns, 0);
	series_add(host->cells[tally->windows].latency, wait_ns, at_ns, 0);
}

/* A wait is that of the stay at its end, even if the stay's length is unknown. */
static void add_wait(struct tally *tally, struct host *host, const struct vgpu *holder,
		     int64_t from_ns, int64_t to_ns)
{
	host->waited_ns = to_ns;
	count_host_stay(tally, host, to_ns - from_ns, to_ns);
	if (holder)
		add_times(tally, host_of(tally, host->engine, holder->id)->cells, from_ns, to_ns);
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	const struct stay stay = { engine, NULL, from_ns, to_ns };
	struct host *host = host_of(ctx, engine, 0);
	const struct tally *tally = ctx;

	if (what == HOST_WAITED) {
		add_wait(ctx, host, holder, from_ns, to_ns);
	} else if (what == HOST_RAN) {
		add_times(ctx, host->cells, from_ns, to_ns);
		if (from_ns != host->waited_ns)
			count_host_stay(ctx, host, 0, from_ns);
		if (tally->stays)
			g_array_append_val(tally->stays, stay);
	}
}

const struct tally_cell *tally_host(struct tally *tally, const struct gpu_engine *engine,
				    int64_t holder)
{
	return host_of(tally, engine, holder)->cells;
}

/* --- vGPUs ----------------------------------------------------------------------------- */

static void add(struct tally_cell *cell, const struct workload *w)
{
	cell->completed++;
	series_add(cell->latency, workload_latency(w), w->queue_ns, w->id);
}

static void note_stay(struct tally *tally, const struct workload *w)
{
	const struct stay stay = {
		w->queue->engine, w->queue, known(w->queue_ns) ? w->queue_ns : tally->window.from_ns, w->end_ns
	};

	if (tally->stays)
		g_array_append_val(tally->stays, stay);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct tally *tally = ctx;
	struct tally_cell *cells = cells_of(tally, w->queue->index);
	unsigned int nr;

	note_stay(tally, w);
	if (!w->completed || w->status || !known(w->end_ns) ||
	    w->end_ns < tally->window.from_ns || w->end_ns >= end_of(tally))
		return;
	if (tally->streams && streams_is_idle_work(tally->streams, w))
		return;
	nr = window_at(tally, w->end_ns);
	if (w->end_ns >= end_of_window(tally, nr))
		return;
	add(&cells[nr], w);
	add(&cells[tally->windows], w);
}

static void on_piece(void *ctx, const struct piece *piece)
{
	struct tally *tally = ctx;
	struct tally_cell *cells = cells_of(tally, piece->workload->queue->index);
	unsigned int nr;

	if (piece->completed || !known(piece->stop_ns) ||
	    piece->stop_ns < tally->window.from_ns || piece->stop_ns >= end_of(tally))
		return;
	nr = window_at(tally, piece->stop_ns);
	if (piece->stop_ns >= end_of_window(tally, nr))
		return;
	cells[nr].preempted++;
	cells[tally->windows].preempted++;
}

/* The end of a single window may have been unknown so far. */
static void on_over(void *ctx, int64_t end_ns)
{
	struct tally *tally = ctx;

	tally->window.to_ns = MIN(tally->window.to_ns, end_ns);
}

struct tally *tally_new(struct model *model, struct window window, unsigned int windows,
			int64_t gap_ns)
{
	struct tally *tally = g_new0(struct tally, 1);
	const struct model_listener listener = {
		.ran = on_ran, .ended = on_ended, .piece = on_piece, .over = on_over, .host = on_host,
		.ctx = tally
	};

	tally->window = window;
	tally->windows = windows;
	tally->gap_ns = gap_ns;
	tally->queues = g_ptr_array_new();
	tally->hosts = g_ptr_array_new();
	model_listen(model, &listener);
	return tally;
}

void tally_free(struct tally *tally)
{
	for (unsigned int index = 0; index < tally->queues->len; index++)
		free_cells(tally, tally->queues->pdata[index]);
	for (unsigned int nr = 0; nr < tally->hosts->len; nr++) {
		struct host *host = tally->hosts->pdata[nr];

		free_cells(tally, host->cells);
		g_free(host);
	}
	g_ptr_array_free(tally->hosts, TRUE);
	g_ptr_array_free(tally->queues, TRUE);
	if (tally->stays)
		g_array_free(tally->stays, TRUE);
	g_free(tally);
}

const struct tally_cell *tally_of(struct tally *tally, unsigned int index, unsigned int window)
{
	return &cells_of(tally, index)[window];
}

static gint compare_stays(gconstpointer a, gconstpointer b)
{
	const struct stay *one = a, *two = b;

	return (one->from_ns > two->from_ns) - (one->from_ns < two->from_ns);
}

static int64_t exec_of(struct tally *tally, const struct stay *stay, unsigned int nr)
{
	return stay->queue ? cells_of(tally, stay->queue->index)[nr].exec_ns :
			     host_of(tally, stay->engine, 0)->cells[nr].exec_ns;
}

/* time with workloads in flight or host work, minus the execution of the host and of each queue */
static int64_t idle_in(struct tally *tally, const struct gpu_engine *engine, unsigned int nr)
{
	int64_t from_ns = begin_of(tally, nr), to_ns = end_of_window(tally, nr), seen_ns = from_ns;
	GHashTable *queues = g_hash_table_new(NULL, NULL);
	int64_t idle_ns = 0;

	for (guint of = 0; of < tally->stays->len; of++) {
		const struct stay *stay = &g_array_index(tally->stays, struct stay, of);
		int64_t until_ns = known(stay->to_ns) ? MIN(stay->to_ns, to_ns) : to_ns;

		if (stay->engine != engine)
			continue;
		if (g_hash_table_add(queues, (gpointer)stay->queue))
			idle_ns -= exec_of(tally, stay, nr);
		if (until_ns > MAX(stay->from_ns, seen_ns)) {
			idle_ns += until_ns - MAX(stay->from_ns, seen_ns);
			seen_ns = until_ns;
		}
	}
	g_hash_table_destroy(queues);
	return MAX(idle_ns, 0);
}

void tally_note_idle(struct tally *tally)
{
	tally->stays = g_array_new(FALSE, FALSE, sizeof(struct stay));
}

int64_t tally_idle_ns(struct tally *tally, const struct gpu_engine *engine, unsigned int window)
{
	int64_t idle_ns = 0;

	g_array_sort(tally->stays, compare_stays);
	if (window < tally->windows)
		return idle_in(tally, engine, window);
	for (unsigned int nr = 0; nr < tally->windows; nr++)
		idle_ns += idle_in(tally, engine, nr);
	return idle_ns;
}

void tally_as_streams(struct tally *tally, const struct streams *streams)
{
	tally->streams = streams;
}
