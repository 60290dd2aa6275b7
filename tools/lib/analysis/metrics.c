// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>

#include <glib.h>

#include "model/inside.h"
#include "trace/util.h"
#include "depth-private.h"
#include "inside.h"
#include "metrics.h"

struct metrics {
	const struct model *model;
	struct window window;
	int64_t trace_start_ns;
	int64_t lost_ns;		/* in gaps, inside the window */
	bool lost_end;			/* the window ends in a gap */
	GPtrArray *vgpu_engines;	/* struct metrics_row, by vgpu_engine.index */
	GPtrArray *engines;		/* struct metrics_row, by gpu_engine.index */
	GPtrArray *hosts;		/* struct metrics_host, by gpu_engine.index */
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

static __attribute__((cold)) void make_room(GPtrArray *rows, unsigned int index)
{
	while (rows->len <= index)
		g_ptr_array_add(rows, new_row());
}

static inline struct metrics_row *get_row(GPtrArray *rows, unsigned int index)
{
	if (index >= rows->len)
		make_room(rows, index);
	return rows->pdata[index];
}

static struct metrics_row *row_of(struct metrics *metrics, const struct workload *w)
{
	return get_row(metrics->vgpu_engines, w->queue->index);
}

static bool inside(const struct window *window, int64_t ts_ns)
{
	return ts_ns >= window->from_ns && ts_ns <= window->to_ns;
}

static void on_arrived(void *ctx, const struct workload *w, int64_t ts_ns)
{
	struct metrics *metrics = ctx;
	struct metrics_row *row = row_of(metrics, w);

	row->queued += inside(&metrics->window, ts_ns);
}

static void change_depth(const struct metrics *metrics, struct metrics_row *row, int64_t ts_ns,
			 int delta)
{
	if (known(ts_ns))
		depth_change(&row->depth, &metrics->window, ts_ns, delta);
	else
		depth_initial(&row->depth);
}

static void on_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta)
{
	struct metrics *metrics = ctx;

	change_depth(metrics, row_of(metrics, w), ts_ns, delta);
	change_depth(metrics, get_row(metrics->engines, w->queue->engine->index), ts_ns, delta);
}

/* length of an interval inside the window; UNKNOWN: the trace's ends */
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

	row_of(metrics, w)->exec_ns += overlap(metrics, from_ns, to_ns);
}

static void free_host(void *data)
{
	struct metrics_host *host = data;

	g_array_free(host->holders, TRUE);
	g_free(host);
}

static struct metrics_host *get_host(struct metrics *metrics, unsigned int index)
{
	while (index >= metrics->hosts->len) {
		struct metrics_host *host = g_new0(struct metrics_host, 1);

		host->holders = g_array_new(FALSE, TRUE, sizeof(struct metrics_holder));
		g_ptr_array_add(metrics->hosts, host);
	}
	return metrics->hosts->pdata[index];
}

static struct metrics_holder *get_holder(struct metrics_host *host, const struct vgpu *vgpu)
{
	struct metrics_holder holder = { .vgpu = vgpu };

	for (unsigned int nr = 0; nr < host->holders->len; nr++)
		if (g_array_index(host->holders, struct metrics_holder, nr).vgpu == vgpu)
			return &g_array_index(host->holders, struct metrics_holder, nr);
	g_array_append_val(host->holders, holder);
	return &g_array_index(host->holders, struct metrics_holder, host->holders->len - 1);
}

static void add_host_wait(const struct metrics *metrics, struct metrics_host *host,
			  const struct vgpu *vgpu, int64_t from_ns, int64_t ns)
{
	struct metrics_holder *holder = get_holder(host, vgpu);

	host->wait_ns += ns;
	host->waits++;
	holder->wait_ns += ns;
	if (ns > holder->worst_ns) {
		holder->worst_ns = ns;
		holder->worst_at_ns = MAX(from_ns, metrics->window.from_ns);
	}
}

static void on_host(void *ctx, const struct gpu_engine *engine, enum host_time what,
		    const struct vgpu *holder, int64_t from_ns, int64_t to_ns)
{
	struct metrics *metrics = ctx;
	struct metrics_host *host = get_host(metrics, engine->index);
	int64_t ns = overlap(metrics, from_ns, to_ns);

	if (what == HOST_RAN)
		host->exec_ns += ns;
	else if (what == HOST_UNSURE)
		host->unsure_ns += ns;
	else if (ns)
		add_host_wait(metrics, host, holder, from_ns, ns);
}

static bool ends_in(const struct metrics *metrics, int64_t from_ns, int64_t to_ns)
{
	int64_t end_ns = metrics->window.to_ns;

	return end_ns >= from_ns && (!known(to_ns) || end_ns <= to_ns);
}

static void on_unsure(void *ctx, const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns)
{
	struct metrics *metrics = ctx;
	int64_t ns = overlap(metrics, from_ns, to_ns);

	if (!engine) {
		metrics->lost_ns += ns;
		metrics->lost_end |= ends_in(metrics, from_ns, to_ns);
		return;
	}
	get_row(metrics->engines, engine->index)->unsure_ns += ns;
}

static void on_unsure_wait(void *ctx, const struct vgpu_engine *queue, enum doubt doubt,
			   int64_t from_ns, int64_t to_ns)
{
	struct metrics *metrics = ctx;
	struct metrics_row *row = get_row(metrics->vgpu_engines, queue->index);
	int64_t ns = overlap(metrics, from_ns, to_ns);

	if (doubt == DOUBT_UNSEEN) {
		row->unseen_ns += ns;
		row->open_doubt += ends_in(metrics, from_ns, to_ns);
	} else {
		row->depth_doubt_ns[doubt] += ns;
	}
}

struct bounds metrics_exec(struct metrics *metrics, const struct metrics_row *row,
			   const struct gpu_engine *engine)
{
	int64_t length = metrics->window.to_ns - metrics->window.from_ns;
	int64_t unsure = metrics->lost_ns + get_row(metrics->engines, engine->index)->unsure_ns;

	/* only one context at a time runs on the engine, whatever the clocks say */
	return (struct bounds) { row->exec_ns, MAX(MIN(row->exec_ns + unsure, length), row->exec_ns) };
}

const struct metrics_host *metrics_host(struct metrics *metrics, const struct gpu_engine *engine)
{
	return engine->gpu->host_told ? get_host(metrics, engine->index) : NULL;
}

struct bounds metrics_host_exec(struct metrics *metrics, const struct metrics_host *host)
{
	int64_t length = metrics->window.to_ns - metrics->window.from_ns;
	int64_t most = host->exec_ns + host->unsure_ns + metrics->lost_ns;

	return (struct bounds) { host->exec_ns, MAX(MIN(most, length), host->exec_ns) };
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

static void add_split(struct metrics_row *row, const struct workload *w)
{
	int64_t parts_ns[PARTS];

	if (!workload_split(w, parts_ns))
		return;
	row->split_count++;
	row->split_total_ns += workload_total(w);
	series_add(row->other, parts_ns[PART_OTHER], w->queue_ns, w->id);
	for (int part = 0; part < PARTS; part++)
		row->split_ns[part] += parts_ns[part];
}

static void count_completed(struct metrics_row *row, const struct workload *w)
{
	int64_t latency_ns = workload_latency(w), exec_ns = workload_exec(w);

	row->completed++;
	series_add(row->wait, difference(latency_ns, exec_ns), w->queue_ns, w->id);
	series_add(row->latency, latency_ns, w->queue_ns, w->id);
	series_add(row->exec, exec_ns, w->start_ns, w->id);
	series_add(row->turnaround, workload_turnaround(w), w->queue_ns, w->id);
	add_split(row, w);
}

static void count_failed(struct metrics_row *row, const struct workload *w)
{
	int64_t from_ns = known(w->queue_ns) ? w->queue_ns : w->start_ns;

	if (!row->failed++) {
		row->failed_status = w->status;
		row->failed_at_ns = known(from_ns) ? from_ns : w->end_ns;
		row->failed_for_ns = MAX(w->end_ns - row->failed_at_ns, 1);
	}
}

static void count_end(struct metrics_row *row, const struct workload *w)
{
	row->tainted += w->tainted;
	row->partial += workload_is_partial(w);
	if (w->cancelled)
		row->cancelled++;
	else if (w->status)
		count_failed(row, w);
	else
		count_completed(row, w);
}

/* it certainly existed from then on; UNKNOWN: before the trace */
static int64_t first_seen(const struct workload *w)
{
	const int64_t times_ns[] = { w->queue_ns, w->submit_ns, w->start_ns, w->stop_ns, w->end_ns };

	for (size_t nr = 0; nr < G_N_ELEMENTS(times_ns) && !w->from_before; nr++)
		if (known(times_ns[nr]))
			return times_ns[nr];
	return w->from_before ? UNKNOWN : w->seen_ns;
}

/* it may have existed from then on; UNKNOWN: before the trace */
static int64_t earliest(const struct workload *w)
{
	return known(w->queue_ns) || w->from_before ? w->queue_ns : w->tainted_ns;
}

static void count_open(struct metrics_row *row, const struct workload *w, int64_t end_ns)
{
	bool sure = first_seen(w) <= end_ns && (!known(w->seen_ns) || end_ns <= w->seen_ns);

	row->open += sure;
	row->open_doubt += !sure;
	row->tainted += w->tainted;
}

/* A workload alive at the end of the window is open, even if it ended later. */
static bool open_at_end(const struct window *window, const struct workload *w)
{
	int64_t end_ns = known(w->end_ns) ? w->end_ns : w->gone_ns;

	return (!known(end_ns) || end_ns > window->to_ns) && earliest(w) <= window->to_ns;
}

/*
 * Preempted work that never resumed has not waited for the engine, but for its failure to be
 * noticed.
 */
static void forget_wait(struct metrics *metrics, const struct workload *w)
{
	int64_t ns = overlap(metrics, w->stop_ns, w->end_ns);

	depth_forget(&row_of(metrics, w)->depth, ns);
	depth_forget(&get_row(metrics->engines, w->queue->engine->index)->depth, ns);
}

static void on_ended(void *ctx, const struct workload *w)
{
	struct metrics *metrics = ctx;
	struct metrics_row *row = row_of(metrics, w);

	if (w->never_back)
		forget_wait(metrics, w);

	if (open_at_end(&metrics->window, w))
		count_open(row, w, metrics->window.to_ns);
	else if (inside(&metrics->window, w->end_ns))
		count_end(row, w);
}

/* the end of the window may have been unknown */
static void on_over(void *ctx, int64_t end_ns)
{
	struct metrics *metrics = ctx;

	metrics->window.to_ns = MIN(metrics->window.to_ns, end_ns);
}

struct metrics *metrics_new(struct model *model, struct window window, int64_t trace_start_ns)
{
	struct metrics *metrics = g_new0(struct metrics, 1);
	struct model_listener listener = {
		.arrived = on_arrived,
		.waiting = on_waiting,
		.ran = on_ran,
		.host = on_host,
		.unsure = on_unsure,
		.unsure_wait = on_unsure_wait,
		.ended = on_ended,
		.over = on_over,
		.ctx = metrics,
	};

	metrics->model = model;
	metrics->window = window;
	metrics->trace_start_ns = trace_start_ns;
	metrics->vgpu_engines = g_ptr_array_new_with_free_func(free_row);
	metrics->engines = g_ptr_array_new_with_free_func(free_row);
	metrics->hosts = g_ptr_array_new_with_free_func(free_host);
	model_listen(model, &listener);
	return metrics;
}

#define SUM(member)	offsetof(struct metrics_row, member)

static const size_t sums[] = {
	SUM(exec_ns), SUM(unseen_ns), SUM(queued), SUM(completed), SUM(failed), SUM(cancelled),
	SUM(open), SUM(open_doubt), SUM(partial), SUM(tainted), SUM(split_count), SUM(split_total_ns),
};

static void finish_rows(const struct metrics *metrics, GPtrArray *rows)
{
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		struct metrics_row *row = rows->pdata[nr];

		row->open_doubt += metrics->lost_end;
		depth_finish(&row->depth, &metrics->window);
	}
}

/* An engine's row is the sum over its vGPUs, but for the maximum queue length. */
static void add_row(struct metrics_row *to, const struct metrics_row *from)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(sums); nr++)
		*(int64_t *)((char *)to + sums[nr]) +=
			*(const int64_t *)((const char *)from + sums[nr]);
	for (int part = 0; part < PARTS; part++)
		to->split_ns[part] += from->split_ns[part];
	for (int doubt = 0; doubt < DOUBT_UNSEEN; doubt++)
		to->depth_doubt_ns[doubt] += from->depth_doubt_ns[doubt];
	series_merge(to->wait, from->wait);
	series_merge(to->latency, from->latency);
	series_merge(to->exec, from->exec);
	series_merge(to->turnaround, from->turnaround);
	series_merge(to->other, from->other);
}

static void add_rows(struct metrics *metrics)
{
	const GPtrArray *queues = model_vgpu_engines(metrics->model);

	for (unsigned int nr = 0; nr < metrics->vgpu_engines->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		add_row(get_row(metrics->engines, queue->engine->index),
			metrics->vgpu_engines->pdata[nr]);
	}
}

void metrics_finish(struct metrics *metrics)
{
	add_rows(metrics);
	finish_rows(metrics, metrics->vgpu_engines);
	finish_rows(metrics, metrics->engines);
}

void metrics_free(struct metrics *metrics)
{
	g_ptr_array_free(metrics->vgpu_engines, TRUE);
	g_ptr_array_free(metrics->engines, TRUE);
	g_ptr_array_free(metrics->hosts, TRUE);
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
