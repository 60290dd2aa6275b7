// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <glib.h>

#include "trace/util.h"
#include "metrics.h"

struct metrics {
	struct window window;
	int64_t trace_start_ns;
	int64_t lost_ns;		/* in gaps, inside the window */
	GPtrArray *vgpu_engines;	/* struct metrics_row, by vgpu_engine.index */
	GPtrArray *engines;		/* struct metrics_row, by gpu_engine.index */
};

/* the two rows that a workload counts in */
struct row_pair {
	struct metrics_row *row[2];
};

static void free_row(void *data)
{
	struct metrics_row *row = data;

	series_free(row->wait);
	series_free(row->latency);
	series_free(row->exec);
	series_free(row->turnaround);
	series_free(row->other);
	g_free(row);
}

static struct metrics_row *new_row(void)
{
	struct metrics_row *row = g_new0(struct metrics_row, 1);

	row->wait = series_new();
	row->latency = series_new();
	row->exec = series_new();
	row->turnaround = series_new();
	row->other = series_new();
	return row;
}

static struct metrics_row *get_row(GPtrArray *rows, unsigned int index)
{
	while (rows->len <= index)
		g_ptr_array_add(rows, new_row());
	return rows->pdata[index];
}

static struct row_pair rows_of(struct metrics *metrics, const struct workload *w)
{
	return (struct row_pair) { {
		get_row(metrics->vgpu_engines, w->queue->index),
		get_row(metrics->engines, w->queue->engine->index),
	} };
}

static bool inside(const struct window *window, int64_t ts_ns)
{
	return ts_ns >= window->from_ns && ts_ns <= window->to_ns;
}

static void on_arrived(void *ctx, const struct workload *w, int64_t ts_ns)
{
	struct metrics *metrics = ctx;
	struct row_pair pair = rows_of(metrics, w);

	if (!inside(&metrics->window, ts_ns))
		return;
	pair.row[0]->queued++;
	pair.row[1]->queued++;
}

static void on_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta)
{
	struct metrics *metrics = ctx;
	struct row_pair pair = rows_of(metrics, w);

	for (int nr = 0; nr < 2; nr++)
		if (known(ts_ns))
			depth_change(&pair.row[nr]->depth, &metrics->window, ts_ns, delta);
		else
			depth_initial(&pair.row[nr]->depth);
}

/* the part of a time inside the window; UNKNOWN stands for the trace's ends */
static int64_t overlap(const struct metrics *metrics, int64_t from_ns, int64_t to_ns)
{
	const struct window *window = &metrics->window;

	if (!known(from_ns))
		from_ns = metrics->trace_start_ns;
	if (!known(to_ns) || to_ns > window->to_ns)
		to_ns = window->to_ns;
	return MAX(to_ns - MAX(from_ns, window->from_ns), 0);
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct metrics *metrics = ctx;
	struct row_pair pair = rows_of(metrics, w);
	int64_t exec_ns = overlap(metrics, from_ns, to_ns);

	pair.row[0]->exec_ns += exec_ns;
	pair.row[1]->exec_ns += exec_ns;
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct metrics *metrics = ctx;
	int64_t ns = overlap(metrics, from_ns, to_ns);

	if (!engine) {
		metrics->lost_ns += ns;
		return;
	}
	get_row(metrics->engines, engine->index)->unsure_ns += ns;
}

static void on_unsure_wait(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			   int64_t from_ns, int64_t to_ns)
{
	struct metrics *metrics = ctx;
	int64_t ns = overlap(metrics, from_ns, to_ns);
	struct metrics_row *rows[] = {
		get_row(metrics->vgpu_engines, queue->index),
		get_row(metrics->engines, queue->engine->index),
	};

	for (int nr = 0; nr < 2; nr++)
		if (doubt == DOUBT_UNSEEN)
			rows[nr]->unseen_ns += ns;
		else
			rows[nr]->depth_doubt_ns[doubt] += ns;
}

struct bounds metrics_exec(struct metrics *metrics, const struct metrics_row *row,
			   const struct gpu_engine *engine)
{
	int64_t length = metrics->window.to_ns - metrics->window.from_ns;
	int64_t unsure = metrics->lost_ns + get_row(metrics->engines, engine->index)->unsure_ns;

	/* one context at a time is on the engine, whatever clocks say */
	return (struct bounds) { row->exec_ns, MAX(MIN(row->exec_ns + unsure, length), row->exec_ns) };
}

struct bounds metrics_depth(const struct metrics *metrics, const struct metrics_row *row,
			    int64_t lost_events)
{
	double length = metrics->window.to_ns - metrics->window.from_ns;
	double mean = depth_mean(&row->depth, &metrics->window);
	double counted = row->depth_doubt_ns[DOUBT_COUNTED] +
			 (double)metrics->lost_ns * depth_max(&row->depth);
	double missed = row->depth_doubt_ns[DOUBT_MISSED];
	double unseen = (double)(metrics->lost_ns + row->unseen_ns) * lost_events;

	if (lost_events < 0 && (metrics->lost_ns || row->unseen_ns))
		unseen = NAN;
	return (struct bounds) {
		MAX(mean - counted / length, 0), mean + (missed + unseen) / length
	};
}

/* what is measured of a workload that completed, for both of its rows */
struct life {
	int64_t wait_ns;
	int64_t latency_ns;
	int64_t exec_ns;
	int64_t turnaround_ns;
	int64_t total_ns;
	bool split;			/* are the parts of @total_ns known? */
	int64_t parts_ns[PARTS];
};

static void measure(struct life *life, const struct workload *w)
{
	life->wait_ns = workload_wait(w);
	life->latency_ns = workload_latency(w);
	life->exec_ns = workload_exec(w);
	life->turnaround_ns = workload_turnaround(w);
	life->total_ns = workload_total(w);
	life->split = workload_split(w, life->parts_ns);
}

static void add_durations(struct metrics_row *row, const struct workload *w,
			  const struct life *life)
{
	series_add(row->wait, life->wait_ns, w->queue_ns, w->id);
	series_add(row->latency, life->latency_ns, w->queue_ns, w->id);
	series_add(row->exec, life->exec_ns, w->start_ns, w->id);
	series_add(row->turnaround, life->turnaround_ns, w->queue_ns, w->id);
}

static void add_split(struct metrics_row *row, const struct workload *w, const struct life *life)
{
	if (!life->split)
		return;
	row->split_count++;
	row->split_total_ns += life->total_ns;
	series_add(row->other, life->parts_ns[PART_OTHER], w->queue_ns, w->id);
	for (int part = 0; part < PARTS; part++)
		row->split_ns[part] += life->parts_ns[part];
}

static void count_completed(struct metrics_row *row, const struct workload *w,
			    const struct life *life)
{
	row->completed++;
	add_durations(row, w, life);
	add_split(row, w, life);
}

static void count_end(const struct row_pair *pair, const struct workload *w)
{
	bool completed = !w->cancelled && !w->status;
	bool partial = workload_is_partial(w);
	struct life life;

	if (completed)
		measure(&life, w);
	for (int nr = 0; nr < 2; nr++) {
		struct metrics_row *row = pair->row[nr];

		row->tainted += w->tainted;
		row->partial += partial;
		if (completed)
			count_completed(row, w, &life);
		else if (w->cancelled)
			row->cancelled++;
		else
			row->failed++;
	}
}

static void count_open(const struct row_pair *pair, const struct workload *w)
{
	for (int nr = 0; nr < 2; nr++) {
		pair->row[nr]->open++;
		pair->row[nr]->tainted += w->tainted;
	}
}

/* A workload alive at the end of the window is open, whatever came later. */
static bool open_at_end(const struct window *window, const struct workload *w)
{
	if (known(w->end_ns) && w->end_ns <= window->to_ns)
		return false;
	return !known(w->queue_ns) || w->queue_ns <= window->to_ns;
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct metrics *metrics = ctx;
	struct row_pair pair = rows_of(metrics, w);

	if (open_at_end(&metrics->window, w))
		count_open(&pair, w);
	else if (inside(&metrics->window, w->end_ns))
		count_end(&pair, w);
}

struct metrics *metrics_new(struct model *model, struct window window, int64_t trace_start_ns)
{
	struct metrics *metrics = g_new0(struct metrics, 1);
	struct model_listener listener = {
		.arrived = on_arrived,
		.waiting = on_waiting,
		.ran = on_ran,
		.unsure = on_unsure,
		.unsure_wait = on_unsure_wait,
		.ended = on_ended,
		.ctx = metrics,
	};

	metrics->window = window;
	metrics->trace_start_ns = trace_start_ns;
	metrics->vgpu_engines = g_ptr_array_new_with_free_func(free_row);
	metrics->engines = g_ptr_array_new_with_free_func(free_row);
	model_listen(model, &listener);
	return metrics;
}

void metrics_trace_end(struct metrics *metrics, struct window window)
{
	metrics->window = window;
}

static void finish_rows(const struct metrics *metrics, GPtrArray *rows)
{
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		struct metrics_row *row = rows->pdata[nr];

		depth_finish(&row->depth, &metrics->window);
	}
}

void metrics_finish(struct metrics *metrics)
{
	finish_rows(metrics, metrics->vgpu_engines);
	finish_rows(metrics, metrics->engines);
}

void metrics_free(struct metrics *metrics)
{
	g_ptr_array_free(metrics->vgpu_engines, TRUE);
	g_ptr_array_free(metrics->engines, TRUE);
	g_free(metrics);
}

struct metrics_row *metrics_of_vgpu_engine(struct metrics *metrics, unsigned int index)
{
	return get_row(metrics->vgpu_engines, index);
}

struct metrics_row *metrics_of_engine(struct metrics *metrics, unsigned int index)
{
	return get_row(metrics->engines, index);
}
