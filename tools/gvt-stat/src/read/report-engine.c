// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The row of an engine, of one vGPU or of the GPU: its columns and their values.
 */
#include "report-build.h"

#define ENGINE_COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct report_engine, member), ##__VA_ARGS__ }

/* place and title of a column in the table of engines */
#define SHOWN(place, title)	title, UNIT_PLAIN, REPORT_ENGINES, place
#define SHOWN_MS(place, title)	title, UNIT_MS, REPORT_ENGINES, place
#define NOT_SHOWN		NULL
#define HOST(place, title)	title, UNIT_PLAIN, REPORT_HOST, place
#define HOST_MS(place, title)	title, UNIT_MS, REPORT_HOST, place

#define SUMMARY_COLUMN(type, key, series, member, ...) \
	{ #series "_" key, COLUMN_##type, offsetof(struct report_engine, series.member), ##__VA_ARGS__ }
#define SUMMARY_COLUMNS(series, mean, error)				\
	SUMMARY_COLUMN(INTEGER, "count", series, count),		\
	SUMMARY_COLUMN(REAL, "mean_ns", series, mean_ns, mean),		\
	SUMMARY_COLUMN(REAL, "stderr_percent", series, stderr_percent, error),	\
	SUMMARY_COLUMN(REAL, "p50_ns", series, p50_ns),			\
	SUMMARY_COLUMN(REAL, "p95_ns", series, p95_ns),			\
	SUMMARY_COLUMN(REAL, "p99_ns", series, p99_ns),			\
	SUMMARY_COLUMN(INTEGER, "max_ns", series, max_ns),		\
	SUMMARY_COLUMN(INTEGER, "max_at_ns", series, max_at_ns),	\
	SUMMARY_COLUMN(INTEGER, "max_workload_id", series, max_workload_id)

#define SPLIT_COLUMN(part, name) \
	{ "split_" name "_ns", COLUMN_INTEGER, offsetof(struct report_engine, split_ns[part]) }

/* bounds of values that lost events make uncertain */
#define MIN_MAX(key, member)							\
	{ key "_min", COLUMN_REAL, offsetof(struct report_engine, member.min) },	\
	{ key "_max", COLUMN_REAL, offsetof(struct report_engine, member.max) }
#define BOUNDED(key, member, shown)						\
	{ key, COLUMN_BOUNDS, offsetof(struct report_engine, member), shown },	\
	MIN_MAX(key, member)

const struct column report_engine_columns[] = {
	ENGINE_COLUMN(TEXT, engine),
	ENGINE_COLUMN(INTEGER, class),
	ENGINE_COLUMN(INTEGER, instance),
	BOUNDED("utilization_percent", utilization, SHOWN(1, "UTIL%")),
	ENGINE_COLUMN(INTEGER, exec_ns),
	MIN_MAX("exec_ns", exec_bounds),
	BOUNDED("queue_len_mean", queue_len, SHOWN(2, "QUEUE")),
	ENGINE_COLUMN(INTEGER, queue_len_max, SHOWN(3, "QMAX")),
	ENGINE_COLUMN(INTEGER, queued),
	ENGINE_COLUMN(INTEGER, completed, SHOWN(8, "DONE")),
	ENGINE_COLUMN(INTEGER, failed, SHOWN(9, "FAILED")),
	ENGINE_COLUMN(INTEGER, cancelled, SHOWN(10, "CANCELLED")),
	ENGINE_COLUMN(INTEGER, open, SHOWN(11, "OPEN")),
	ENGINE_COLUMN(INTEGER, partial),
	ENGINE_COLUMN(INTEGER, tainted),
	SUMMARY_COLUMNS(wait, SHOWN_MS(4, "WAIT-ms"), SHOWN(5, "+-%")),
	SUMMARY_COLUMNS(latency, SHOWN_MS(6, "LATENCY-ms"), SHOWN(7, "+-%")),
	SUMMARY_COLUMNS(exec, NOT_SHOWN, NOT_SHOWN),
	SUMMARY_COLUMNS(turnaround, NOT_SHOWN, NOT_SHOWN),
	ENGINE_COLUMN(INTEGER, split_count),
	ENGINE_COLUMN(INTEGER, split_total_ns),
	SPLIT_COLUMN(PART_OTHER, "other"),
	SPLIT_COLUMN(PART_THROTTLED, "throttled"),
	SPLIT_COLUMN(PART_CAPPED, "capped"),
	SPLIT_COLUMN(PART_HELD, "held"),
	SPLIT_COLUMN(PART_SWITCHING, "switching"),
	SPLIT_COLUMN(PART_OWN, "own"),
	SPLIT_COLUMN(PART_DISPATCH, "dispatch"),
	SPLIT_COLUMN(PART_I915, "i915"),
	SPLIT_COLUMN(PART_EXEC, "exec"),
	SPLIT_COLUMN(PART_PREEMPTED, "preempted"),
	SPLIT_COLUMN(PART_COMPLETION, "completion"),
	SPLIT_COLUMN(PART_UNKNOWN, "unknown"),
	SPLIT_COLUMN(PART_HOST, "host"),
	ENGINE_COLUMN(INTEGER, host_wait_ns, HOST_MS(1, "WAITED-ms")),
	ENGINE_COLUMN(INTEGER, host_waits, HOST(2, "WAITS")),
	ENGINE_COLUMN(INTEGER, host_waited_for_vgpu_id, HOST(3, "MOSTLY-FOR-VGPU")),
	ENGINE_COLUMN(INTEGER, host_waited_for_ns, HOST_MS(4, "FOR-IT-ms")),
	ENGINE_COLUMN(INTEGER, host_waited_for_max_ns, HOST_MS(5, "MAX-ms")),
	ENGINE_COLUMN(INTEGER, host_waited_for_max_at_ns,
		      "MAX-AT-s", UNIT_S, REPORT_HOST, 6),
	{ 0 }
};

static struct summary no_summary(void)
{
	struct series *empty = series_new();
	struct summary summary = series_summary(empty);

	series_free(empty);
	summary.count = UNKNOWN;
	return summary;
}

bool report_engine_holds(const struct report_source *source, const struct gpu_engine *engine)
{
	return !known(contradiction_at(source->follow, SUM_EXECUTION, engine, NULL));
}

struct bounds report_exec(const struct report_source *source, const struct metrics_row *row,
			  const struct gpu_engine *engine)
{
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;
	const struct metrics_row *all = metrics_of_engine(source->metrics, engine->index);
	struct bounds exec = metrics_exec(source->metrics, row, engine);

	if (workloads_left_out(source->follow->trace))
		exec.max = MAX(exec.max, exec.min + length - all->exec_ns);
	return exec;
}

static void fill_execution(const struct report_source *source, struct report_engine *to,
			   const struct metrics_row *row, const struct gpu_engine *engine)
{
	static const struct bounds unknown = { NAN, NAN };
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;
	bool told = report_can_tell(source, QUANTITY_EXECUTION) &&
		    report_engine_holds(source, engine);
	struct bounds exec = told ? report_exec(source, row, engine) : unknown;

	to->exec_bounds = exec;
	to->utilization = (struct bounds) { report_percent(exec.min, length), report_percent(exec.max, length) };
	to->exec_ns = exec.min == exec.max ? row->exec_ns : UNKNOWN;
	to->exec = told ? series_summary(row->exec) : no_summary();
}

static struct bounds queue_len(const struct report_source *source, const struct metrics_row *row)
{
	const struct trace_info *trace = source->follow->trace;
	int64_t lost = trace->lost_uncounted ? -1 : (int64_t)trace->lost_events;
	struct bounds depth = metrics_depth(source->metrics, row, lost);

	if (workloads_left_out(trace))
		depth.max = NAN;
	return depth;
}

static void fill_wait(const struct report_source *source, struct report_engine *to,
		      const struct metrics_row *row)
{
	static const struct bounds unknown = { NAN, NAN };
	bool told = report_can_tell(source, QUANTITY_WAIT);

	to->queue_len = told ? queue_len(source, row) : unknown;
	to->queue_len_max = to->queue_len.min == to->queue_len.max ? depth_max(&row->depth) :
			    UNKNOWN;
	to->wait = told ? series_summary(row->wait) : no_summary();
	to->latency = told ? series_summary(row->latency) : no_summary();
	to->turnaround = told ? series_summary(row->turnaround) : no_summary();
}

static void fill_split(const struct report_source *source, struct report_engine *to,
		       const struct metrics_row *row, const struct gpu_engine *engine)
{
	to->split_count = report_if_known(source, QUANTITY_SPLIT, row->split_count);
	to->split_total_ns = report_if_known(source, QUANTITY_SPLIT, row->split_total_ns);
	for (int part = 0; part < PARTS; part++)
		to->split_ns[part] = report_if_known(source, QUANTITY_SPLIT, row->split_ns[part]);
	if (!engine->gpu->host_told || !report_can_tell(source, QUANTITY_HOST))
		to->split_ns[PART_HOST] = UNKNOWN;
}

static void fill_counts(const struct report_source *source, struct report_engine *to,
			const struct metrics_row *row)
{
	to->queued = report_if_known(source, QUANTITY_ARRIVALS, row->queued);
	to->completed = report_if_known(source, QUANTITY_COMPLETIONS, row->completed);
	to->failed = report_if_known(source, QUANTITY_COMPLETIONS, row->failed);
	/* includes workloads that were queued and not seen again */
	to->open = report_if_known(source, QUANTITY_ARRIVALS, row->open_doubt ? UNKNOWN : row->open);
	to->open = report_if_known(source, QUANTITY_COMPLETIONS, to->open);
	to->cancelled = report_if_known(source, QUANTITY_CANCELLED, row->cancelled);
	to->partial = row->partial;
	to->tainted = row->tainted;
}

/* all values are unknown */
static struct report_engine *new_engine(const struct gpu_engine *engine)
{
	struct report_engine *to = g_new0(struct report_engine, 1);

	columns_clear(report_engine_columns, to);
	to->engine = engine->name;
	to->class = engine->class;
	to->instance = engine->instance;
	return to;
}

struct report_engine *report_build_engine(const struct report_source *source,
					  const struct gpu_engine *engine,
					  const struct metrics_row *row)
{
	struct report_engine *to = new_engine(engine);

	to->row = row;
	fill_execution(source, to, row, engine);
	fill_wait(source, to, row);
	fill_counts(source, to, row);
	fill_split(source, to, row, engine);
	return to;
}

static void fill_holder(struct report_engine *to, const struct metrics_host *host)
{
	const struct metrics_holder *most = NULL;

	for (unsigned int nr = 0; nr < host->holders->len; nr++) {
		const struct metrics_holder *holder = &g_array_index(host->holders,
								     struct metrics_holder, nr);

		if (holder->vgpu && (!most || holder->wait_ns > most->wait_ns))
			most = holder;
	}
	if (!most)
		return;
	to->host_waited_for_vgpu_id = most->vgpu->id;
	to->host_waited_for_ns = most->wait_ns;
	to->host_waited_for_max_ns = most->worst_ns;
	to->host_waited_for_max_at_ns = most->worst_at_ns;
}

struct report_engine *report_build_host(const struct report_source *source,
					const struct gpu_engine *engine,
					const struct metrics_host *host)
{
	int64_t length = source->follow->window.to_ns - source->follow->window.from_ns;
	struct bounds exec = metrics_host_exec(source->metrics, host);
	struct report_engine *to = new_engine(engine);

	to->exec_bounds = exec;
	to->utilization = (struct bounds) {
		report_percent(exec.min, length), report_percent(exec.max, length)
	};
	to->exec_ns = exec.min == exec.max ? host->exec_ns : UNKNOWN;
	to->host_wait_ns = exec.min == exec.max ? host->wait_ns : UNKNOWN;
	to->host_waits = exec.min == exec.max ? host->waits : UNKNOWN;
	to->tainted = exec.min != exec.max;
	fill_holder(to, host);
	return to;
}

int report_compare_engines(const void *a, const void *b)
{
	const struct report_engine *ea = *(struct report_engine *const *)a;
	const struct report_engine *eb = *(struct report_engine *const *)b;

	if (ea->class != eb->class)
		return ea->class < eb->class ? -1 : 1;
	return (ea->instance > eb->instance) - (ea->instance < eb->instance);
}
