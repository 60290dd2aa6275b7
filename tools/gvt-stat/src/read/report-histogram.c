// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat report --histogram: distribution of latency, or of another duration.
 */
#include <stddef.h>
#include <string.h>

#include "analysis/metrics.h"
#include "output/bar.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/quantities.h"
#include "trace/util.h"
#include "report.h"

#define BAR		40

/* number of completed workloads that took at least @from_ns and less than @to_ns */
struct bucket_line {
	int64_t dev;
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs */
	const char *vm;
	const char *engine;
	const char *time;
	int64_t from_ns;
	int64_t to_ns;
	int64_t count;
	const char *bar;		/* for people */
};

#define COLUMN(type, member)	{ #member, COLUMN_##type, offsetof(struct bucket_line, member) }

const struct column report_histogram_columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
	COLUMN(TEXT, engine),
	COLUMN(TEXT, time),
	COLUMN(INTEGER, from_ns),
	COLUMN(INTEGER, to_ns),
	COLUMN(INTEGER, count),
	{ 0 }
};

#define CELL(title, type, member, ...) \
	{ NULL, COLUMN_##type, offsetof(struct bucket_line, member), title, ##__VA_ARGS__ }

static const struct column bucket_table[] = {
	CELL("FROM-ms", INTEGER, from_ns, UNIT_MS),
	CELL("TO-ms", INTEGER, to_ns, UNIT_MS),
	CELL("COUNT", INTEGER, count),
	CELL("", TEXT, bar),
	{ 0 }
};

static const struct { const char *name, *title; size_t series; } times[] = {
	[REPORT_LATENCY] = { "latency", "Latency", offsetof(struct metrics_row, latency) },
	[REPORT_WAIT] = { "wait", "Wait", offsetof(struct metrics_row, wait) },
	[REPORT_EXEC] = { "exec", "Execution", offsetof(struct metrics_row, exec) },
	[REPORT_TURNAROUND] = { "turnaround", "Time to completion",
				offsetof(struct metrics_row, turnaround) },
};

bool report_time_parse(const char *name, enum report_time *time)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(times); nr++)
		if (!strcmp(times[nr].name, name)) {
			*time = nr;
			return true;
		}
	return false;
}

/* Shows empty buckets between the first and the last used one: gaps are results, too. */
static void for_buckets(const struct report *report, const struct report_engine *engine,
			struct bucket_line line, record_fn each, void *ctx)
{
	const char *row = (const char *)engine->row;
	uint64_t counts[SERIES_POWERS], most = 1;
	int first = SERIES_POWERS, last = -1;
	char text[BAR_LEN];

	series_count(*(struct series *const *)(row + times[report->time].series), counts);
	for (int power = 0; power < SERIES_POWERS; power++) {
		if (!counts[power])
			continue;
		first = MIN(first, power);
		last = power;
		most = MAX(most, counts[power]);
	}
	line.engine = engine->engine;
	line.time = times[report->time].name;
	for (int power = first; power <= last; power++) {
		line.from_ns = power ? INT64_C(1) << power : 0;
		line.to_ns = power < SERIES_POWERS - 1 ? INT64_C(2) << power : INT64_MAX;
		line.count = counts[power];
		line.bar = bar(text, (double)line.count / most, BAR);
		each(ctx, &line);
	}
}

/* called for the buckets of each row: of vGPUs, then of GPUs */
typedef void (*row_fn)(const struct report *report, const struct report_engine *engine,
		       const struct bucket_line *line, void *ctx);

static void for_rows(const struct report *report, row_fn each, void *ctx)
{
	for (unsigned int nr = 0; nr < report->vgpus->len; nr++) {
		const struct report_vgpu *vgpu = report->vgpus->pdata[nr];
		const struct bucket_line line = {
			.dev = vgpu->dev, .vgpu_id = vgpu->vgpu_id, .vm = vgpu->vm,
		};

		for (unsigned int engine = 0; engine < vgpu->engines->len; engine++)
			each(report, vgpu->engines->pdata[engine], &line, ctx);
	}
	for (unsigned int nr = 0; nr < report->gpus->len; nr++) {
		const struct report_gpu *gpu = report->gpus->pdata[nr];
		const struct bucket_line line = { .dev = gpu->dev, .vgpu_id = UNKNOWN };

		for (unsigned int engine = 0; engine < gpu->engines->len; engine++)
			each(report, gpu->engines->pdata[engine], &line, ctx);
	}
}

static void lines_of_row(const struct report *report, const struct report_engine *engine,
			 const struct bucket_line *line, void *sheet)
{
	for_buckets(report, engine, *line, sheet_line, sheet);
}

void report_histogram_lines(const void *result)
{
	const struct report *report = result;
	struct sheet *sheet = sheet_begin(report->form, report_histogram_columns);

	for_rows(report, lines_of_row, sheet);
	sheet_end(sheet);
}

static void json_of_row(const struct report *report, const struct report_engine *engine,
			const struct bucket_line *line, void *rows)
{
	for_buckets(report, engine, *line, json_lines_add, rows);
}

void report_histogram_json(const void *result)
{
	const struct report *report = result;
	json_t *document = document_new(report->follow, report->form->command);
	struct json_lines rows = {
		form_columns(report->form, report_histogram_columns), json_array()
	};

	for_rows(report, json_of_row, &rows);
	document_add_window(document, report->follow->window);
	json_object_set_new(document, "histogram", rows.lines);
	document_print(document, stdout);
}

static void table_of_row(const struct report *report, const struct report_engine *engine,
			 const struct bucket_line *line, void *ctx)
{
	struct table *table = table_new(bucket_table);
	char label[REPORT_LABEL_LEN], *heading;

	(void)ctx;
	report_label(label, report->gpus->len > 1, line->dev, line->vgpu_id, line->vm);
	heading = g_strdup_printf("%s on %s: %s%s", times[report->time].title, engine->engine,
				  known(line->vgpu_id) ? "vGPU " : "", label);
	for_buckets(report, engine, *line, table_line, table);
	table_print(table, heading, stdout);
	g_free(heading);
}

void report_histogram_tables(const void *result)
{
	const struct report *report = result;

	notes_head(report->follow, stdout);
	for_rows(report, table_of_row, NULL);
	notes_tail(report->follow, stdout);
}
