// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdbool.h>

#include <glib.h>

#include "trace/util.h"
#include "intervals.h"

/* sums of one interval */
struct sums {
	int64_t timed_ns[3];		/* by enum timed */
	int64_t completed;
	int64_t failed;
	int64_t waits, latencies;	/* number of known values */
	double wait_ns, latency_ns;
	int64_t latency_max_ns;
	double waited_ns;		/* total wait, from changes inside the interval */
	int64_t change;			/* of the queue length, from the next interval on */
};

struct row {
	GArray *sums;			/* struct sums */
	int64_t initial;		/* queue length when the window began */
};

struct intervals {
	struct window window;
	int64_t trace_start_ns;
	int64_t length_ns;
	GPtrArray *vgpu_engines;	/* struct row, by vgpu_engine.index */
	GPtrArray *engines;		/* struct row, by gpu_engine.index */
	struct row *lost;		/* time in gaps */
};

static void free_row(void *data)
{
	struct row *row = data;

	g_array_free(row->sums, TRUE);
	g_free(row);
}

static struct row *new_row(void)
{
	struct row *row = g_new0(struct row, 1);

	row->sums = g_array_new(FALSE, TRUE, sizeof(struct sums));
	return row;
}

static struct row *get_row(GPtrArray *rows, unsigned int index)
{
	while (rows->len <= index)
		g_ptr_array_add(rows, new_row());
	return rows->pdata[index];
}

static int64_t number_of(const struct intervals *intervals, int64_t ts_ns)
{
	return (ts_ns - intervals->window.from_ns) / intervals->length_ns;
}

static int64_t begin_of(const struct intervals *intervals, int64_t nr)
{
	return intervals->window.from_ns + nr * intervals->length_ns;
}

/* NULL: after INTERVALS_MAX */
static struct sums *get_sums(struct row *row, int64_t nr)
{
	if (nr < 0 || nr >= INTERVALS_MAX)
		return NULL;
	if (row->sums->len <= nr)
		g_array_set_size(row->sums, nr + 1);
	return &g_array_index(row->sums, struct sums, nr);
}

static void for_both(struct intervals *intervals, const struct vgpu_engine *queue,
		     struct row *rows[2])
{
	rows[0] = get_row(intervals->vgpu_engines, queue->index);
	rows[1] = get_row(intervals->engines, queue->engine->index);
}

static void change_queue(struct intervals *intervals, struct row *row, int64_t ts_ns, int delta)
{
	int64_t nr;
	struct sums *sums;

	if (!known(ts_ns) || ts_ns < intervals->window.from_ns) {
		/* older work is reported when it leaves */
		row->initial += known(ts_ns) ? delta : 1;
		return;
	}
	nr = number_of(intervals, ts_ns);
	sums = ts_ns <= intervals->window.to_ns ? get_sums(row, nr) : NULL;
	if (!sums)
		return;
	sums->waited_ns += (double)delta * (begin_of(intervals, nr + 1) - ts_ns);
	sums->change += delta;
}

static void on_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta)
{
	struct row *rows[2];

	for_both(ctx, w->queue, rows);
	for (int nr = 0; nr < 2; nr++)
		change_queue(ctx, rows[nr], ts_ns, delta);
}

/* members of struct sums that grow with time */
enum timed {
	TIMED_EXEC,
	TIMED_UNSURE,
	TIMED_UNSURE_WAIT,
};

static void add_time(struct intervals *intervals, struct row *row, enum timed what,
		     int64_t from_ns, int64_t to_ns)
{
	/* UNKNOWN: the trace's ends */
	from_ns = MAX(known(from_ns) ? from_ns : intervals->trace_start_ns,
		      intervals->window.from_ns);
	to_ns = known(to_ns) ? MIN(to_ns, intervals->window.to_ns) : intervals->window.to_ns;
	while (from_ns < to_ns) {
		int64_t nr = number_of(intervals, from_ns);
		int64_t end_ns = MIN(to_ns, begin_of(intervals, nr + 1));
		struct sums *sums = get_sums(row, nr);

		if (!sums)
			return;
		sums->timed_ns[what] += end_ns - from_ns;
		from_ns = end_ns;
	}
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct row *rows[2];

	for_both(ctx, w->queue, rows);
	for (int nr = 0; nr < 2; nr++)
		add_time(ctx, rows[nr], TIMED_EXEC, from_ns, to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct intervals *intervals = ctx;
	struct row *row = engine ? get_row(intervals->engines, engine->index) : intervals->lost;

	add_time(intervals, row, TIMED_UNSURE, from_ns, to_ns);
}

static void on_unsure_wait(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			   int64_t from_ns, int64_t to_ns)
{
	struct row *rows[2];

	(void)doubt;
	for_both(ctx, queue, rows);
	for (int nr = 0; nr < 2; nr++)
		add_time(ctx, rows[nr], TIMED_UNSURE_WAIT, from_ns, to_ns);
}

static void add_end(struct sums *sums, const struct workload *w)
{
	int64_t wait_ns = workload_wait(w), latency_ns = workload_latency(w);

	if (w->cancelled || w->status) {
		sums->failed++;
		return;
	}
	sums->completed++;
	if (known(wait_ns)) {
		sums->waits++;
		sums->wait_ns += wait_ns;
	}
	if (known(latency_ns)) {
		sums->latency_max_ns = sums->latencies ? MAX(sums->latency_max_ns, latency_ns) :
							 latency_ns;
		sums->latencies++;
		sums->latency_ns += latency_ns;
	}
}

/*
 * Preempted work that never resumed has not waited for the engine, but for its failure to be
 * noticed.
 */
static void forget_wait(struct intervals *intervals, const struct workload *w)
{
	struct row *rows[2];

	for_both(intervals, w->queue, rows);
	for (int nr = 0; nr < 2; nr++) {
		change_queue(intervals, rows[nr], MAX(w->stop_ns, intervals->trace_start_ns), -1);
		change_queue(intervals, rows[nr], w->end_ns, 1);
	}
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct intervals *intervals = ctx;
	struct row *rows[2];

	if (w->never_back)
		forget_wait(intervals, w);
	if (!known(w->end_ns) || w->end_ns < intervals->window.from_ns ||
	    w->end_ns > intervals->window.to_ns)
		return;
	for_both(intervals, w->queue, rows);
	for (int nr = 0; nr < 2; nr++) {
		struct sums *sums = get_sums(rows[nr], number_of(intervals, w->end_ns));

		if (sums)
			add_end(sums, w);
	}
}

/* the end of the window may have been unknown */
static void on_over(void *ctx, int64_t end_ns)
{
	struct intervals *intervals = ctx;

	intervals->window.to_ns = MIN(intervals->window.to_ns, end_ns);
}

struct intervals *intervals_new(struct model *model, struct window window,
				int64_t trace_start_ns, int64_t length_ns)
{
	struct intervals *intervals = g_new0(struct intervals, 1);
	struct model_listener listener = {
		.waiting = on_waiting, .ran = on_ran, .unsure = on_unsure,
		.unsure_wait = on_unsure_wait, .ended = on_ended, .over = on_over,
		.ctx = intervals,
	};

	intervals->window = window;
	intervals->trace_start_ns = trace_start_ns;
	intervals->length_ns = length_ns;
	intervals->vgpu_engines = g_ptr_array_new_with_free_func(free_row);
	intervals->engines = g_ptr_array_new_with_free_func(free_row);
	intervals->lost = new_row();
	model_listen(model, &listener);
	return intervals;
}

void intervals_free(struct intervals *intervals)
{
	g_ptr_array_free(intervals->vgpu_engines, TRUE);
	g_ptr_array_free(intervals->engines, TRUE);
	free_row(intervals->lost);
	g_free(intervals);
}

int64_t intervals_count(const struct intervals *intervals)
{
	int64_t length_ns = intervals->window.to_ns - intervals->window.from_ns;

	return (length_ns + intervals->length_ns - 1) / intervals->length_ns;
}

/* A change counts until the end of the interval, which the window may have cut. */
static double queue_mean(const struct intervals *intervals, const struct sums *sums,
			 int64_t before, int64_t observed_ns)
{
	int64_t cut_ns = intervals->length_ns - observed_ns;

	return before + (sums->waited_ns - (double)sums->change * cut_ns) / observed_ns;
}

static double mean(double sum, int64_t count)
{
	return count ? sum / count : NAN;
}

/* @unsure_ns: part of the interval in which the engine's work is unknown */
static struct interval make_interval(const struct intervals *intervals, const struct sums *sums,
				     int64_t nr, int64_t before, int64_t unsure_ns, bool wait_unsure)
{
	struct interval interval = {
		.from_ns = begin_of(intervals, nr),
		.to_ns = MIN(begin_of(intervals, nr + 1), intervals->window.to_ns),
		.exec_min_ns = sums->timed_ns[TIMED_EXEC],
		.completed = sums->completed,
		.failed = sums->failed,
		.wait_mean_ns = mean(sums->wait_ns, sums->waits),
		.latency_mean_ns = mean(sums->latency_ns, sums->latencies),
		.latency_max_ns = sums->latencies ? sums->latency_max_ns : UNKNOWN,
	};
	int64_t length_ns = interval.to_ns - interval.from_ns;

	interval.exec_max_ns = MAX(MIN(interval.exec_min_ns + unsure_ns, length_ns),
				   interval.exec_min_ns);
	interval.queue_len_mean = wait_unsure ? NAN : queue_mean(intervals, sums, before, length_ns);
	return interval;
}

/* Work that ended exactly with the window belongs to its last interval, not to the next one. */
static void add_last(struct sums *sums, const struct sums *beyond)
{
	if (beyond->latencies)
		sums->latency_max_ns = sums->latencies ?
				       MAX(sums->latency_max_ns, beyond->latency_max_ns) :
				       beyond->latency_max_ns;
	sums->completed += beyond->completed;
	sums->failed += beyond->failed;
	sums->waits += beyond->waits;
	sums->wait_ns += beyond->wait_ns;
	sums->latencies += beyond->latencies;
	sums->latency_ns += beyond->latency_ns;
}

static struct sums sums_at(const struct row *row, int64_t nr)
{
	static const struct sums none;

	return nr < row->sums->len ? g_array_index(row->sums, struct sums, nr) : none;
}

static GArray *list(const struct intervals *intervals, const struct row *row,
		    const struct row *engine)
{
	GArray *array = g_array_new(FALSE, FALSE, sizeof(struct interval));
	int64_t count = MIN(intervals_count(intervals), INTERVALS_MAX);
	int64_t length = row->initial;

	for (int64_t nr = 0; nr < count; nr++) {
		struct sums sums = sums_at(row, nr), beyond = sums_at(row, nr + 1);
		int64_t lost_ns = sums_at(intervals->lost, nr).timed_ns[TIMED_UNSURE];
		int64_t unsure_ns = lost_ns + sums_at(engine, nr).timed_ns[TIMED_UNSURE];
		struct interval interval;

		if (nr == count - 1)
			add_last(&sums, &beyond);
		interval = make_interval(intervals, &sums, nr, length, unsure_ns,
					 lost_ns || sums.timed_ns[TIMED_UNSURE_WAIT]);
		g_array_append_val(array, interval);
		length += sums.change;
	}
	return array;
}

GArray *intervals_of_vgpu_engine(const struct intervals *intervals,
				 const struct vgpu_engine *queue)
{
	return list(intervals, get_row(intervals->vgpu_engines, queue->index),
		    get_row(intervals->engines, queue->engine->index));
}

GArray *intervals_of_engine(const struct intervals *intervals, const struct gpu_engine *engine)
{
	const struct row *row = get_row(intervals->engines, engine->index);

	return list(intervals, row, row);
}
