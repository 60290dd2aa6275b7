// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "notes.h"
#include "report.h"
#include "table.h"
#include "util.h"

#define LABEL_LEN	64

/* one line of the first table */
struct engine_line {
	const char *vgpu;
	const char *engine;
	struct report_engine stats;
};

/* one line of the second table */
struct summary_line {
	const char *vgpu;
	const char *engine;
	const char *what;
	struct summary summary;
};

/* one line of the table of parts: means per workload */
struct split_line {
	const char *vgpu;
	const char *engine;
	int64_t count;
	double total_ns;
	double part_ns[PARTS];
};

/* one line of the tables of vGPUs */
struct vgpu_line {
	const char *vgpu;
	struct report_vgpu stats;
};

#define ENGINE_CELL(member)	offsetof(struct engine_line, member)
#define SUMMARY_CELL(member)	offsetof(struct summary_line, member)
#define SPLIT_CELL(member)	offsetof(struct split_line, member)
#define VGPU_CELL(member)	offsetof(struct vgpu_line, member)

static const struct table_column engine_table[] = {
	{ "VGPU", TABLE_TEXT, ENGINE_CELL(vgpu) },
	{ "ENGINE", TABLE_TEXT, ENGINE_CELL(engine) },
	{ "UTIL%", TABLE_REAL, ENGINE_CELL(stats.utilization_percent) },
	{ "QUEUE", TABLE_REAL, ENGINE_CELL(stats.queue_len_mean) },
	{ "QMAX", TABLE_INTEGER, ENGINE_CELL(stats.queue_len_max) },
	{ "WAIT-ms", TABLE_REAL_MS, ENGINE_CELL(stats.wait.mean_ns) },
	{ "+-%", TABLE_REAL, ENGINE_CELL(stats.wait.stderr_percent) },
	{ "LATENCY-ms", TABLE_REAL_MS, ENGINE_CELL(stats.latency.mean_ns) },
	{ "+-%", TABLE_REAL, ENGINE_CELL(stats.latency.stderr_percent) },
	{ "DONE", TABLE_INTEGER, ENGINE_CELL(stats.completed) },
	{ "FAILED", TABLE_INTEGER, ENGINE_CELL(stats.failed) },
	{ "CANCELLED", TABLE_INTEGER, ENGINE_CELL(stats.cancelled) },
	{ "OPEN", TABLE_INTEGER, ENGINE_CELL(stats.open) },
	{ 0 }
};

static const struct table_column summary_table[] = {
	{ "VGPU", TABLE_TEXT, SUMMARY_CELL(vgpu) },
	{ "ENGINE", TABLE_TEXT, SUMMARY_CELL(engine) },
	{ "TIME", TABLE_TEXT, SUMMARY_CELL(what) },
	{ "COUNT", TABLE_INTEGER, SUMMARY_CELL(summary.count) },
	{ "P50-ms", TABLE_REAL_MS, SUMMARY_CELL(summary.p50_ns) },
	{ "P95-ms", TABLE_REAL_MS, SUMMARY_CELL(summary.p95_ns) },
	{ "P99-ms", TABLE_REAL_MS, SUMMARY_CELL(summary.p99_ns) },
	{ "MAX-ms", TABLE_MS, SUMMARY_CELL(summary.max_ns) },
	{ "MAX-AT-s", TABLE_SECONDS, SUMMARY_CELL(summary.max_at_ns) },
	{ "WORKLOAD", TABLE_INTEGER, SUMMARY_CELL(summary.max_workload_id) },
	{ 0 }
};

static const struct table_column split_table[] = {
	{ "VGPU", TABLE_TEXT, SPLIT_CELL(vgpu) },
	{ "ENGINE", TABLE_TEXT, SPLIT_CELL(engine) },
	{ "COUNT", TABLE_INTEGER, SPLIT_CELL(count) },
	{ "OTHER", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_OTHER]) },
	{ "THROTTLED", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_THROTTLED]) },
	{ "CAPPED", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_CAPPED]) },
	{ "HELD", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_HELD]) },
	{ "SWITCH", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_SWITCHING]) },
	{ "OWN", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_OWN]) },
	{ "DISPATCH", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_DISPATCH]) },
	{ "I915", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_I915]) },
	{ "EXEC", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_EXEC]) },
	{ "PREEMPTED", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_PREEMPTED]) },
	{ "COMPLETION", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_COMPLETION]) },
	{ "UNKNOWN", TABLE_REAL_MS, SPLIT_CELL(part_ns[PART_UNKNOWN]) },
	{ "TOTAL", TABLE_REAL_MS, SPLIT_CELL(total_ns) },
	{ 0 }
};

static const struct table_column slice_table[] = {
	{ "VGPU", TABLE_TEXT, VGPU_CELL(vgpu) },
	{ "WEIGHT", TABLE_INTEGER, VGPU_CELL(stats.weight) },
	{ "WEIGHT%", TABLE_REAL, VGPU_CELL(stats.weight_share_percent) },
	{ "EXEC%", TABLE_REAL, VGPU_CELL(stats.exec_share_percent) },
	{ "SCHED%", TABLE_REAL, VGPU_CELL(stats.scheduled_percent) },
	{ "SLICES", TABLE_INTEGER, VGPU_CELL(stats.slices) },
	{ "SLICE-ms", TABLE_REAL_MS, VGPU_CELL(stats.slice_mean_ns) },
	{ "DRAIN-ms", TABLE_REAL_MS, VGPU_CELL(stats.drain_mean_ns) },
	{ "LEAST-LEFT-ms", TABLE_MS, VGPU_CELL(stats.left_min_ns) },
	{ 0 }
};

static const struct table_column memory_table[] = {
	{ "VGPU", TABLE_TEXT, VGPU_CELL(vgpu) },
	{ "TYPE", TABLE_TEXT, VGPU_CELL(stats.type) },
	{ "APERTURE-MiB", TABLE_MIB, VGPU_CELL(stats.aperture_bytes) },
	{ "HIDDEN-MiB", TABLE_MIB, VGPU_CELL(stats.hidden_bytes) },
	{ "SPT-ALLOC", TABLE_INTEGER, VGPU_CELL(stats.spt_allocated) },
	{ "SPT-FREE", TABLE_INTEGER, VGPU_CELL(stats.spt_freed) },
	{ "SPT-KiB", TABLE_KIB, VGPU_CELL(stats.spt_bytes_min) },
	{ "SPT-PEAK-KiB", TABLE_KIB, VGPU_CELL(stats.spt_peak_bytes_min) },
	{ "UUID", TABLE_TEXT, VGPU_CELL(stats.uuid) },
	{ 0 }
};

/* with one GPU, as nearly everybody has, its number would only be in the way */
static const char *label(char *text, const struct report *report, int64_t dev, int64_t vgpu_id,
			 const char *vm)
{
	char id[32] = "all";

	if (known(vgpu_id))
		snprintf(id, sizeof(id), "%" PRId64, vgpu_id);
	if (report->gpus->len > 1)
		snprintf(text, LABEL_LEN, "%" PRId64 "/%s", dev, id);
	else
		snprintf(text, LABEL_LEN, "%s", id);
	if (vm) {
		g_strlcat(text, " ", LABEL_LEN);
		g_strlcat(text, vm, LABEL_LEN);
	}
	return text;
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

/* a mark behind the engine's name for rows that lost events have touched */
static const char *marked(char *text, const struct report_engine *engine)
{
	snprintf(text, LABEL_LEN, "%s%s", engine->name, engine->tainted ? "!" : "");
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

static void print_vgpus(const struct report *report, const struct table_column *columns,
			const char *heading, FILE *out)
{
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
}

static void print_engines(const struct report *report, const struct table_column *columns,
			  engine_fn add, const char *heading, FILE *out)
{
	struct table *table = table_new(columns);

	for_all_engines(report, table, add);
	table_print(table, heading, out);
}

static void print_gem(const struct report *report, FILE *out)
{
	for (unsigned int nr = 0; nr < report->gpus->len; nr++) {
		const struct report_gpu *gpu = report->gpus->pdata[nr];

		if (known(gpu->gem_created))
			fprintf(out, "GEM objects of GPU %" PRId64 "'s driver: %" PRId64 " created (%.1f MiB), %" PRId64 " destroyed; of those created, %.1f MiB alive at the end, %.1f MiB at most\n",
				gpu->dev, gpu->gem_created, gpu->gem_created_bytes / 1048576.0,
				gpu->gem_destroyed, gpu->gem_bytes_min / 1048576.0,
				gpu->gem_peak_bytes_min / 1048576.0);
	}
}

void report_tables(const void *result)
{
	const struct report *report = result;

	notes_head(report->follow, stdout);
	print_engines(report, engine_table, add_engine_line,
		      "Utilisation, queue length, wait and latency", stdout);
	print_engines(report, split_table, add_split_line,
		      "Where the time of a workload goes, from its queueing to its completion (means, ms)",
		      stdout);
	print_engines(report, summary_table, add_summary_lines, "Distribution", stdout);
	print_vgpus(report, slice_table, "Slices, and share of execution against weight", stdout);
	print_vgpus(report, memory_table, "Memory", stdout);
	print_gem(report, stdout);
	notes_tail(report->follow, stdout);
}
