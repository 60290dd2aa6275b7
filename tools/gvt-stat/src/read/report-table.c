// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "output/notes.h"
#include "output/screen.h"
#include "output/table.h"
#include "trace/util.h"
#include "report.h"

#define LABEL_LEN	REPORT_LABEL_LEN

/* a line of the table of engines */
struct engine_line {
	const char *vgpu;
	const char *engine;
	struct report_engine stats;
};

/* a line of the table of summaries */
struct summary_line {
	const char *vgpu;
	const char *engine;
	const char *what;
	struct summary summary;
};

/* a line of the table of parts: means per workload */
struct split_line {
	const char *vgpu;
	const char *engine;
	int64_t count;
	double total_ns;
	double part_ns[PARTS];
};

/* a line of the tables of vGPUs */
struct vgpu_line {
	const char *vgpu;
	struct report_vgpu stats;
};

#define ENGINE_CELL(member)	offsetof(struct engine_line, member)
#define SUMMARY_CELL(member)	offsetof(struct summary_line, member)
#define SPLIT_CELL(member)	offsetof(struct split_line, member)
#define VGPU_CELL(member)	offsetof(struct vgpu_line, member)

static const struct column engine_labels[] = {
	{ NULL, COLUMN_TEXT, ENGINE_CELL(vgpu), "VGPU" },
	{ NULL, COLUMN_TEXT, ENGINE_CELL(engine), "ENGINE" },
	{ 0 }
};

static const struct column vgpu_labels[] = {
	{ NULL, COLUMN_TEXT, VGPU_CELL(vgpu), "VGPU" },
	{ 0 }
};

static const struct column summary_table[] = {
	{ NULL, COLUMN_TEXT, SUMMARY_CELL(vgpu), "VGPU" },
	{ NULL, COLUMN_TEXT, SUMMARY_CELL(engine), "ENGINE" },
	{ NULL, COLUMN_TEXT, SUMMARY_CELL(what), "TIME" },
	{ NULL, COLUMN_INTEGER, SUMMARY_CELL(summary.count), "COUNT" },
	{ NULL, COLUMN_REAL, SUMMARY_CELL(summary.p50_ns), "P50-ms", UNIT_MS },
	{ NULL, COLUMN_REAL, SUMMARY_CELL(summary.p95_ns), "P95-ms", UNIT_MS },
	{ NULL, COLUMN_REAL, SUMMARY_CELL(summary.p99_ns), "P99-ms", UNIT_MS },
	{ NULL, COLUMN_INTEGER, SUMMARY_CELL(summary.max_ns), "MAX-ms", UNIT_MS },
	{ NULL, COLUMN_INTEGER, SUMMARY_CELL(summary.max_at_ns), "MAX-AT-s", UNIT_S },
	{ NULL, COLUMN_INTEGER, SUMMARY_CELL(summary.max_workload_id), "WORKLOAD" },
	{ 0 }
};

static struct column split_table[] = {
	{ NULL, COLUMN_TEXT, SPLIT_CELL(vgpu), "VGPU" },
	{ NULL, COLUMN_TEXT, SPLIT_CELL(engine), "ENGINE" },
	{ "split_count", COLUMN_INTEGER, SPLIT_CELL(count), "COUNT" },
	{ "split_other_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_OTHER]), "OTHER", UNIT_MS },
	{ "split_throttled_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_THROTTLED]), "THROTTLED", UNIT_MS },
	{ "split_capped_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_CAPPED]), "CAPPED", UNIT_MS },
	{ "split_held_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_HELD]), "HELD", UNIT_MS },
	{ "split_host_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_HOST]), "HOST", UNIT_MS },
	{ "split_switching_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_SWITCHING]), "SWITCH", UNIT_MS },
	{ "split_own_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_OWN]), "OWN", UNIT_MS },
	{ "split_dispatch_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_DISPATCH]), "DISPATCH", UNIT_MS },
	{ "split_i915_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_I915]), "I915", UNIT_MS },
	{ "split_exec_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_EXEC]), "EXEC", UNIT_MS },
	{ "split_preempted_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_PREEMPTED]), "PREEMPTED", UNIT_MS },
	{ "split_completion_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_COMPLETION]), "COMPLETION", UNIT_MS },
	{ "split_unknown_ns", COLUMN_REAL, SPLIT_CELL(part_ns[PART_UNKNOWN]), "UNKNOWN", UNIT_MS },
	{ "split_total_ns", COLUMN_REAL, SPLIT_CELL(total_ns), "TOTAL", UNIT_MS },
	{ 0 }
};

/* the columns of a table after its labels; freed by g_free() */
static struct column *table_columns(const struct column *labels, const struct column *columns,
				    enum report_table table, size_t offset)
{
	GArray *joined = g_array_new(TRUE, FALSE, sizeof(struct column));

	columns_join(joined, labels, 0);
	columns_of_table(joined, columns, table, offset);
	return (struct column *)g_array_free(joined, FALSE);
}

static const char *label(char *text, const struct report *report, int64_t dev, int64_t vgpu_id,
			 const char *vm)
{
	return report_label(text, report->gpus->len > 1, dev, vgpu_id, vm);
}

typedef void (*engine_fn)(struct table *table, const char *vgpu,
			  const struct report_engine *engine);

static void for_engines(const GPtrArray *engines, struct table *table, const char *vgpu,
			engine_fn add)
{
	for (unsigned int nr = 0; nr < engines->len; nr++)
		add(table, vgpu, engines->pdata[nr]);
}

static void for_all_engines(const struct report *report, struct table *table, engine_fn add)
{
	char text[LABEL_LEN];

	for (unsigned int nr = 0; nr < report->vgpus->len; nr++) {
		const struct report_vgpu *vgpu = report->vgpus->pdata[nr];

		for_engines(vgpu->engines, table,
			    label(text, report, vgpu->dev, vgpu->vgpu_id, vgpu->vm), add);
	}
	for (unsigned int nr = 0; nr < report->gpus->len; nr++) {
		const struct report_gpu *gpu = report->gpus->pdata[nr];

		for_engines(gpu->engines, table, label(text, report, gpu->dev, UNKNOWN, NULL),
			    add);
	}
}

/* marks engines whose values are affected by lost events */
static const char *marked(char *text, const struct report_engine *engine)
{
	snprintf(text, LABEL_LEN, "%s%s", engine->engine, engine->tainted ? "!" : "");
	return text;
}

static void add_engine_line(struct table *table, const char *vgpu,
			    const struct report_engine *engine)
{
	char name[LABEL_LEN];
	struct engine_line line = {
		.vgpu = vgpu,
		.engine = marked(name, engine),
		.stats = *engine,
	};

	table_line(table, &line);
}

static void add_summary_lines(struct table *table, const char *vgpu,
			      const struct report_engine *engine)
{
	char name[LABEL_LEN];
	struct summary_line lines[] = {
		{ vgpu, marked(name, engine), "wait", engine->wait },
		{ vgpu, name, "execution", engine->exec },
		{ vgpu, name, "latency", engine->latency },
		{ vgpu, name, "to complete", engine->turnaround },
	};

	for (unsigned int nr = 0; nr < sizeof(lines) / sizeof(lines[0]); nr++)
		table_line(table, &lines[nr]);
}

static double mean_ns(int64_t sum, int64_t count)
{
	return known(count) && count > 0 ? (double)sum / count : NAN;
}

static void add_split_line(struct table *table, const char *vgpu,
			   const struct report_engine *engine)
{
	char name[LABEL_LEN];
	struct split_line line = {
		.vgpu = vgpu,
		.engine = marked(name, engine),
		.count = engine->split_count,
		.total_ns = mean_ns(engine->split_total_ns, engine->split_count),
	};

	for (int part = 0; part < PARTS; part++)
		line.part_ns[part] = mean_ns(engine->split_ns[part], engine->split_count);
	table_line(table, &line);
}

static void print_vgpus(const struct report *report, enum report_table which,
			const char *heading, FILE *out)
{
	struct column *columns = table_columns(vgpu_labels, report_vgpu_columns, which,
					       VGPU_CELL(stats));
	struct table *table = table_new(columns);
	char text[LABEL_LEN];

	for (unsigned int nr = 0; nr < report->vgpus->len; nr++) {
		const struct report_vgpu *vgpu = report->vgpus->pdata[nr];
		struct vgpu_line line = {
			.vgpu = label(text, report, vgpu->dev, vgpu->vgpu_id, vgpu->vm),
			.stats = *vgpu,
		};

		table_line(table, &line);
	}
	table_print(table, heading, out);
	g_free(columns);
}

static void print_engines(const struct report *report, const struct column *columns,
			  engine_fn add, const char *heading, FILE *out)
{
	struct table *table = table_new(columns);

	for_all_engines(report, table, add);
	table_print(table, heading, out);
}

/* omits engines without work of vGPUs or the host */
static bool is_used(const struct report *report, int64_t dev, const struct report_engine *engine)
{
	if (engine->exec_bounds.max > 0)
		return true;
	for (unsigned int nr = 0; nr < report->vgpus->len; nr++) {
		const struct report_vgpu *vgpu = report->vgpus->pdata[nr];

		for (unsigned int pos = 0; vgpu->dev == dev && pos < vgpu->engines->len; pos++)
			if (!strcmp(((struct report_engine *)vgpu->engines->pdata[pos])->engine, engine->engine))
				return true;
	}
	return false;
}

/* the host's own work, in the columns that apply to it */
static void for_host(const struct report *report, struct table *table)
{
	char text[LABEL_LEN];

	for (unsigned int nr = 0; nr < report->gpus->len; nr++) {
		const struct report_gpu *gpu = report->gpus->pdata[nr];

		g_snprintf(text, sizeof(text), report->gpus->len > 1 ? "%" PRId64 "/host" : "host",
			   gpu->dev);
		for (unsigned int pos = 0; pos < gpu->host->len; pos++)
			if (is_used(report, gpu->dev, gpu->host->pdata[pos]))
				add_engine_line(table, text, gpu->host->pdata[pos]);
	}
}

static void print_host(const struct report *report, FILE *out)
{
	struct column *columns = table_columns(engine_labels, report_engine_columns, REPORT_HOST,
					       ENGINE_CELL(stats));
	struct table *table = table_new(columns);

	for_host(report, table);
	table_print(table, "The host's own work: waits for engines that executed work of vGPUs", out);
	if (!report->follow->trace->recorded[EVENT_REQUEST_ADD])
		screen_print(2, out, "Waits count from when i915 gave the host's work to the engine; for how long that was in i915's queue before, some ms each time, is unknown without i915:i915_request_add");
	g_free(columns);
}

static void print_gem(const struct report *report, FILE *out)
{
	for (unsigned int nr = 0; nr < report->gpus->len; nr++) {
		const struct report_gpu *gpu = report->gpus->pdata[nr];

		if (known(gpu->gem_created))
			screen_print(2, out, "GEM objects of GPU %" PRId64 "'s driver: %" PRId64 " created (%.1f MiB), %" PRId64 " destroyed; of those created, %.1f MiB alive at the end, %.1f MiB at most",
				     gpu->dev, gpu->gem_created, gpu->gem_created_bytes / 1048576.0,
				     gpu->gem_destroyed, gpu->gem_bytes_min / 1048576.0,
				     gpu->gem_peak_bytes_min / 1048576.0);
	}
}

static void print_details(const struct report *report)
{
	struct column *columns = table_columns(engine_labels, report_engine_columns,
					       REPORT_ENGINES, ENGINE_CELL(stats));

	struct table *table = table_new(columns);

	for_host(report, table);
	for_all_engines(report, table, add_engine_line);
	table_print(table, "Utilisation, queue length, wait and latency", stdout);
	g_free(columns);
	if (report_knows_host(report))
		print_host(report, stdout);
	else
		columns_title(split_table, "split_host_ns", NULL);
	print_engines(report, split_table, add_split_line,
		      "Where the time of a workload goes, from queue to completion (means, ms)",
		      stdout);
	print_engines(report, summary_table, add_summary_lines, "Distribution", stdout);
	print_vgpus(report, REPORT_SLICES, "Slices, and share of execution against weight", stdout);
	print_vgpus(report, REPORT_MEMORY, "Memory", stdout);
	print_gem(report, stdout);
}

void report_tables(const void *result)
{
	const struct report *report = result;

	notes_head(report->follow, stdout);
	if (!report->gpus->len && !report->vgpus->len) {
		screen_print(0, stdout, "\nThere are no events of GVT-g in this trace, so that there is nothing to report: no VM with a vGPU ran, or its events were not recorded ('gvt-stat record', or 'trace-cmd record -e gvt')");
		notes_tail(report->follow, stdout);
		return;
	}
	report_overview(report, stdout);
	if (!report->brief)
		print_details(report);
	notes_tail(report->follow, stdout);
}
