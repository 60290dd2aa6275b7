// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat report --interval: the metrics over time.
 */
#include <inttypes.h>
#include <math.h>

#include "analysis/intervals.h"
#include "output/bar.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/quantities.h"
#include "trace/util.h"
#include "report.h"

/* one interval of an engine, of one vGPU, or of the GPU with the work of all vGPUs */
struct time_line {
	int64_t dev;
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs */
	const char *vm;
	const char *engine;
	char label[REPORT_LABEL_LEN];	/* for people */
	const char *vgpu;		/* points to @label */
	double utilization_percent;	/* NAN: only bounds are known */
	double utilization[2];
	int64_t exec_ns;		/* UNKNOWN: only bounds are known, see @interval */
	struct interval interval;
};

/* a row over all intervals, for people */
struct spark_line {
	const char *vgpu;
	const char *engine;
	double least, most;		/* utilisation */
	const char *utilization;
	double longest_ns;		/* largest mean latency of any interval */
	const char *latency;
};

/* the intervals of one row of the result */
struct series_of {
	struct time_line line;		/* template for all intervals */
	GArray *intervals;		/* struct interval */
};

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct time_line, member) }
#define INTERVAL(type, member) \
	{ #member, COLUMN_##type, offsetof(struct time_line, interval.member) }

const struct column report_time_columns[] = {
	INTERVAL(INTEGER, from_ns),
	INTERVAL(INTEGER, to_ns),
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
	COLUMN(TEXT, engine),
	COLUMN(REAL, utilization_percent),
	{ "utilization_percent_min", COLUMN_REAL, offsetof(struct time_line, utilization[0]) },
	{ "utilization_percent_max", COLUMN_REAL, offsetof(struct time_line, utilization[1]) },
	COLUMN(INTEGER, exec_ns),
	{ "exec_ns_min", COLUMN_INTEGER, offsetof(struct time_line, interval.exec_min_ns) },
	{ "exec_ns_max", COLUMN_INTEGER, offsetof(struct time_line, interval.exec_max_ns) },
	INTERVAL(REAL, queue_len_mean),
	INTERVAL(INTEGER, completed),
	INTERVAL(INTEGER, failed),
	INTERVAL(REAL, wait_mean_ns),
	INTERVAL(REAL, latency_mean_ns),
	INTERVAL(INTEGER, latency_max_ns),
	{ 0 }
};

#define CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct time_line, member), title, ##__VA_ARGS__ }

static const struct column time_table[] = {
	CELL("FROM-s", INTEGER, interval.from_ns, UNIT_S),
	CELL("VGPU", TEXT, vgpu),
	CELL("ENGINE", TEXT, engine),
	CELL("UTIL%", BOUNDS, utilization),
	CELL("QUEUE", REAL, interval.queue_len_mean),
	CELL("WAIT-ms", REAL, interval.wait_mean_ns, UNIT_MS),
	CELL("LATENCY-ms", REAL, interval.latency_mean_ns, UNIT_MS),
	CELL("MAX-ms", INTEGER, interval.latency_max_ns, UNIT_MS),
	CELL("DONE", INTEGER, interval.completed),
	CELL("FAILED", INTEGER, interval.failed),
	{ 0 }
};

#define SPARK(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct spark_line, member), title, ##__VA_ARGS__ }

static const struct column spark_table[] = {
	SPARK("VGPU", TEXT, vgpu),
	SPARK("ENGINE", TEXT, engine),
	SPARK("MIN%", REAL, least),
	SPARK("MAX%", REAL, most),
	SPARK("UTILISATION, 0 TO 100 %", TEXT, utilization),
	{ 0 }
};

static const struct column latency_table[] = {
	SPARK("VGPU", TEXT, vgpu),
	SPARK("ENGINE", TEXT, engine),
	SPARK("MAX-ms", REAL, longest_ns, UNIT_MS),
	SPARK("MEAN LATENCY, 0 TO MAX", TEXT, latency),
	{ 0 }
};

/* sets values that the trace cannot give to unknown in all intervals */
static void forget(const struct report_over_time *result, const struct gpu_engine *engine,
		   GArray *intervals)
{
	const struct trace_info *trace = result->follow->trace;

	for (unsigned int nr = 0; nr < intervals->len; nr++) {
		struct interval *interval = &g_array_index(intervals, struct interval, nr);

		if (!quantity_known(trace, QUANTITY_EXECUTION) ||
		    known(contradiction_at(result->follow, SUM_EXECUTION, engine, NULL)))
			interval->exec_min_ns = interval->exec_max_ns = UNKNOWN;
		if (!quantity_known(trace, QUANTITY_WAIT))
			interval->queue_len_mean = NAN;
		if (!quantity_known(trace, QUANTITY_COMPLETIONS))
			interval->completed = interval->failed = UNKNOWN;
	}
}

static double utilization(const struct interval *interval, int64_t exec_ns)
{
	return known(exec_ns) ? 100.0 * exec_ns / (interval->to_ns - interval->from_ns) : NAN;
}

static void add_series(const struct report_over_time *result, GPtrArray *all, GArray *intervals,
		       const struct gpu_engine *engine, const struct vgpu *vgpu)
{
	struct series_of *one = g_new0(struct series_of, 1);

	one->line = (struct time_line) {
		.dev = engine->dev,
		.vgpu_id = vgpu ? vgpu->id : UNKNOWN,
		.vm = vgpu ? vgpu->vm : NULL, .engine = engine->name,
	};
	report_label(one->line.label, result->several_gpus, engine->dev, one->line.vgpu_id,
		     one->line.vm);
	one->line.vgpu = one->line.label;
	forget(result, engine, intervals);
	one->intervals = intervals;
	g_ptr_array_add(all, one);
}

static int compare_series(const void *a, const void *b)
{
	const struct time_line *la = &(*(struct series_of *const *)a)->line;
	const struct time_line *lb = &(*(struct series_of *const *)b)->line;
	int64_t va = known(la->vgpu_id) ? la->vgpu_id : INT64_MAX;
	int64_t vb = known(lb->vgpu_id) ? lb->vgpu_id : INT64_MAX;

	if (la->dev != lb->dev)
		return la->dev < lb->dev ? -1 : 1;
	if (va != vb)
		return va < vb ? -1 : 1;
	return g_strcmp0(la->engine, lb->engine);
}

static void free_series(void *data)
{
	struct series_of *one = data;

	g_array_free(one->intervals, TRUE);
	g_free(one);
}

/* the selected rows, vGPUs before the GPU */
static GPtrArray *collect(const struct report_over_time *result)
{
	const struct follow *follow = result->follow;
	const GPtrArray *queues = model_vgpu_engines(follow->model);
	const GPtrArray *engines = model_engines(follow->model);
	GPtrArray *all = g_ptr_array_new_with_free_func(free_series);

	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];

		if (selection_queue(follow->selection, queue))
			add_series(result, all, intervals_of_vgpu_engine(result->intervals, queue),
				   queue->engine, queue->vgpu);
	}
	for (unsigned int nr = 0; nr < engines->len; nr++)
		if (selection_engine(follow->selection, engines->pdata[nr]))
			add_series(result, all, intervals_of_engine(result->intervals,
								engines->pdata[nr]),
				   engines->pdata[nr], NULL);
	g_ptr_array_sort(all, compare_series);
	return all;
}

static struct time_line line_of(const struct series_of *one, unsigned int nr)
{
	struct time_line line = one->line;
	bool certain;

	line.vgpu = one->line.label;
	line.interval = g_array_index(one->intervals, struct interval, nr);
	line.utilization[0] = utilization(&line.interval, line.interval.exec_min_ns);
	line.utilization[1] = utilization(&line.interval, line.interval.exec_max_ns);
	certain = line.interval.exec_min_ns == line.interval.exec_max_ns;
	line.utilization_percent = certain ? line.utilization[0] : NAN;
	line.exec_ns = certain ? line.interval.exec_min_ns : UNKNOWN;
	return line;
}

/* in the order of time */
static void for_each_line(const struct report_over_time *result, record_fn each, void *ctx)
{
	GPtrArray *all = collect(result);
	int64_t count = intervals_count(result->intervals);

	for (int64_t nr = 0; nr < count; nr++)
		for (unsigned int row = 0; row < all->len; row++) {
			struct time_line line = line_of(all->pdata[row], nr);

			each(ctx, &line);
		}
	g_ptr_array_free(all, TRUE);
}

void report_time_lines(const void *data)
{
	const struct report_over_time *result = data;
	struct sheet *sheet = sheet_begin(result->form, report_time_columns);

	for_each_line(result, sheet_line, sheet);
	sheet_end(sheet);
	notes_warn(result->follow);
}

void report_time_json(const void *data)
{
	const struct report_over_time *result = data;
	json_t *document = document_new(result->follow, result->form->command);
	struct json_lines rows = { form_columns(result->form, report_time_columns), json_array() };

	for_each_line(result, json_lines_add, &rows);
	document_add_window(document, result->follow->window);
	json_object_set_new(document, "interval_ns", json_integer(result->length_ns));
	json_object_set_new(document, "intervals", rows.lines);
	document_print(document, stdout);
}

static void add_spark(struct table *table, struct table *latencies, const struct series_of *one)
{
	unsigned int count = one->intervals->len;
	double *utils = g_new(double, count), *means = g_new(double, count);
	struct spark_line line = { one->line.label, one->line.engine, NAN, NAN, NULL, NAN, NULL };
	char text[BAR_LEN], latency[BAR_LEN];

	for (unsigned int nr = 0; nr < count; nr++) {
		struct time_line at = line_of(one, nr);

		utils[nr] = at.utilization_percent;
		means[nr] = at.interval.latency_mean_ns;
		line.least = fmin(line.least, utils[nr]);
		line.most = fmax(line.most, utils[nr]);
		line.longest_ns = fmax(line.longest_ns, means[nr]);
	}
	line.utilization = sparkline(text, utils, count, 100);
	line.latency = sparkline(latency, means, count, line.longest_ns);
	table_line(table, &line);
	table_line(latencies, &line);
	g_free(utils);
	g_free(means);
}

static void print_sparks(const struct report_over_time *result)
{
	struct table *table = table_new(spark_table), *latencies = table_new(latency_table);
	GPtrArray *all = collect(result);
	char *heading = g_strdup_printf("Over time, in %" PRId64 " intervals of %.3f ms",
					intervals_count(result->intervals),
					(double)result->length_ns / NSEC_PER_MSEC);

	for (unsigned int nr = 0; nr < all->len; nr++)
		add_spark(table, latencies, all->pdata[nr]);
	table_print(table, heading, stdout);
	table_print(latencies, "Latency over time", stdout);
	g_free(heading);
	g_ptr_array_free(all, TRUE);
}

static void print_intervals(const struct report_over_time *result)
{
	struct table *table = table_new(time_table);

	for_each_line(result, table_line, table);
	table_print(table, "Each interval", stdout);
}

void report_time_tables(const void *data)
{
	const struct report_over_time *result = data;

	notes_head(result->follow, stdout);
	print_sparks(result);
	if (!result->brief)
		print_intervals(result);
	notes_tail(result->follow, stdout);
}
