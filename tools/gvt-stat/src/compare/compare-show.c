// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/document.h"
#include "output/notes.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/util.h"
#include "compare.h"

#define CELL_LEN	32

const struct column compare_columns[] = {
	{ "dev", COLUMN_INTEGER, offsetof(struct compare_line, dev) },
	{ "vgpu_id", COLUMN_INTEGER, offsetof(struct compare_line, vgpu_id) },
	{ "uuid", COLUMN_TEXT, offsetof(struct compare_line, uuid) },
	{ "engine", COLUMN_TEXT, offsetof(struct compare_line, engine) },
	{ "metric", COLUMN_TEXT, offsetof(struct compare_line, name) },
	{ "n_a", COLUMN_INTEGER, offsetof(struct compare_line, n_a) },
	{ "n_b", COLUMN_INTEGER, offsetof(struct compare_line, n_b) },
	{ "a", COLUMN_REAL, offsetof(struct compare_line, a) },
	{ "b", COLUMN_REAL, offsetof(struct compare_line, b) },
	{ "difference", COLUMN_REAL, offsetof(struct compare_line, difference) },
	{ "low", COLUMN_REAL, offsetof(struct compare_line, low) },
	{ "high", COLUMN_REAL, offsetof(struct compare_line, high) },
	{ "change_percent", COLUMN_REAL, offsetof(struct compare_line, change_percent) },
	{ "verdict", COLUMN_TEXT, offsetof(struct compare_line, verdict) },
	{ "vm", COLUMN_TEXT, offsetof(struct compare_line, vm) },
	{ 0 }
};

static const struct column setting_columns[] = {
	{ "dev", COLUMN_INTEGER, offsetof(struct compare_setting, dev), "GPU" },
	{ "setting", COLUMN_TEXT, offsetof(struct compare_setting, setting), "SETTING" },
	{ "a", COLUMN_TEXT, offsetof(struct compare_setting, a), "A" },
	{ "b", COLUMN_TEXT, offsetof(struct compare_setting, b), "B" },
	{ 0 }
};

/* the trace's part of document_new(), without members that are the same for both traces */
static json_t *trace_json(const struct sample *sample)
{
	json_t *document = document_new(&sample->follow, "compare");

	document_add_window(document, sample->follow.window);
	json_object_del(document, "schema");
	json_object_del(document, "tool");
	json_object_del(document, "command");
	json_object_set_new(document, "blocks", json_integer(sample->blocks));
	json_object_set_new(document, "lost_blocks", json_integer(sample->lost_blocks));
	json_object_set_new(document, "block_ns", json_integer(sample->block_ns));
	json_object_set_new(document, "tainted_workloads", json_integer(sample->tainted));
	return document;
}

json_t *compare_document(const struct compare *comparison, const struct column *chosen)
{
	const GArray *lines = comparison->lines, *settings = comparison->settings;
	struct sample *const *samples = comparison->samples;
	json_t *metrics_array = json_array(), *settings_array = json_array();

	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct compare_line *line = &g_array_index(lines, struct compare_line, nr);

		json_array_append_new(metrics_array, columns_to_json(chosen, line));
	}
	for (unsigned int nr = 0; nr < settings->len; nr++)
		json_array_append_new(settings_array, columns_to_json(setting_columns,
			&g_array_index(settings, struct compare_setting, nr)));
	return json_pack("{s:s, s:s, s:s, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o}",
			 "schema", DOCUMENT_SCHEMA,
			 "tool", "gvt-stat " GVT_STAT_VERSION, "command", "compare",
			 "block_ns", (json_int_t)comparison->block_ns,
			 "confidence", ESTIMATE_CONFIDENCE,
			 "margin_percent", comparison->margin_percent,
			 "a", trace_json(samples[0]), "b", trace_json(samples[1]),
			 "settings", settings_array, "metrics", metrics_array,
			 "conditions", compare_demands_json(lines));
}

static void print_json(const void *result)
{
	const struct compare *comparison = result;

	document_print(compare_document(comparison, form_columns(comparison->form, compare_columns)), stdout);
}

static void print_lines(const void *result)
{
	const struct compare *comparison = result;
	const GArray *lines = comparison->lines;
	struct sheet *sheet = sheet_begin(comparison->form, compare_columns);

	for (unsigned int nr = 0; nr < lines->len; nr++)
		sheet_line(sheet, &g_array_index(lines, struct compare_line, nr));
	sheet_end(sheet);
}

/* preformatted, as each metric has its own unit */
struct shown_line {
	const char *vgpu, *engine, *metric;
	int64_t n_a, n_b;
	const char *a, *b, *difference, *low, *high;
	double change_percent;
	const char *verdict;
};

static const char *show_number(char *cell, const struct compare_metric *metric, double value)
{
	if (isnan(value))
		return NULL;
	snprintf(cell, CELL_LEN, "%.3f", value * metric->shown);
	/* avoid "-0.000" */
	return strtod(cell, NULL) == 0 ? "0.000" : cell;
}

static void print_line(struct table *table, const struct compare_line *line)
{
	char cells[5][CELL_LEN], label[COMPARE_LABEL_LEN];
	struct shown_line shown = {
		.vgpu = compare_label(line, label), .engine = line->engine, .metric = line->metric->title,
		.n_a = line->n_a, .n_b = line->n_b,
		.a = show_number(cells[0], line->metric, line->a),
		.b = show_number(cells[1], line->metric, line->b),
		.difference = show_number(cells[2], line->metric, line->difference),
		.low = show_number(cells[3], line->metric, line->low),
		.high = show_number(cells[4], line->metric, line->high),
		.change_percent = line->change_percent, .verdict = line->verdict,
	};

	table_line(table, &shown);
}

static void print_metrics(const GArray *lines)
{
	static const struct column columns[] = {
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, vgpu), "VGPU" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, engine), "ENGINE" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, metric), "METRIC" },
		{ NULL, COLUMN_INTEGER, offsetof(struct shown_line, n_a), "N-A", .spare = true },
		{ NULL, COLUMN_INTEGER, offsetof(struct shown_line, n_b), "N-B", .spare = true },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, a), "A" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, b), "B" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, difference), "B-A", .spare = true },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, low), "LOW" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, high), "HIGH" },
		{ NULL, COLUMN_REAL, offsetof(struct shown_line, change_percent), "CHANGE%" },
		{ NULL, COLUMN_TEXT, offsetof(struct shown_line, verdict), "B IS" },
		{ 0 }
	};
	struct table *table = table_new(columns);

	for (unsigned int nr = 0; nr < lines->len; nr++)
		print_line(table, &g_array_index(lines, struct compare_line, nr));
	table_print(table, "Differences, with 95 % confidence intervals", stdout);
}

/* fewer blocks make intervals too wide to be of use */
#define FEW_BLOCKS	10

/* explains an unclear comparison, and suggests a remedy */
static void print_why(const struct compare *comparison)
{
	unsigned int blocks = MIN(comparison->samples[0]->blocks, comparison->samples[1]->blocks);
	unsigned int unclear = 0;

	for (unsigned int nr = 0; nr < comparison->lines->len; nr++) {
		const struct compare_line *line = &g_array_index(comparison->lines, struct compare_line, nr);

		unclear += !g_strcmp0(line->verdict, "unclear");
	}
	if (!unclear)
		return;
	if (blocks < FEW_BLOCKS)
		screen_print(0, stdout, "unclear (%u): %u blocks are too few: record for longer, or choose shorter ones with --block",
			     unclear, blocks);
	else
		screen_print(0, stdout, "unclear (%u): the metric varies so much from block to block that LOW..HIGH holds both no difference and one above the margin of %g %%: record for longer",
			     unclear, comparison->margin_percent);
}

static void print_settings(const GArray *settings)
{
	struct table *table;

	if (!settings->len)
		return;
	table = table_new(setting_columns);
	for (unsigned int nr = 0; nr < settings->len; nr++)
		table_line(table, &g_array_index(settings, struct compare_setting, nr));
	table_print(table, "Settings that differ", stdout);
}

static void print_tables(const void *result)
{
	const struct compare *comparison = result;
	struct sample *const *samples = comparison->samples;

	for (int nr = 0; nr < 2; nr++) {
		printf("%s%c: ", nr ? "\n" : "", 'A' + nr);
		notes_head(&samples[nr]->follow, stdout);
		printf("%u blocks of %.3f s", samples[nr]->blocks,
		       (double)samples[nr]->block_ns / NSEC_PER_SEC);
		if (samples[nr]->lost_blocks)
			printf("; %u more are left out, as events were lost", samples[nr]->lost_blocks);
		putchar('\n');
	}
	print_settings(comparison->settings);
	print_metrics(comparison->lines);
	print_why(comparison);
	compare_demands_print(comparison->lines);
	for (int nr = 0; nr < 2; nr++)
		notes_tail(&samples[nr]->follow, stdout);
}

void compare_print(const struct compare *comparison)
{
	static const struct printers printers = { print_lines, print_json, print_tables };

	form_print(comparison->form, &printers, comparison);
}
