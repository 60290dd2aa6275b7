// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "command.h"
#include "document.h"
#include "engine.h"
#include "estimate.h"
#include "notes.h"
#include "sample.h"
#include "sheet.h"
#include "table.h"
#include "util.h"

#define DEFAULT_BLOCK_NS	NSEC_PER_SEC
#define MAX_BLOCK_SECONDS	1e6
#define CELL_LEN		32
#define LABEL_LEN		64

enum compare_key {
	KEY_BLOCK = 0x700,
};

static struct {
	const char *paths[2];
	int count;
	int64_t block_ns;
	char *both;			/* paths, for messages of a crash in the library */
} arguments = { .block_ns = DEFAULT_BLOCK_NS };

/* how a metric is made of the blocks */
struct metric {
	const char *name;		/* in JSON and CSV, with its unit */
	const char *title;		/* in tables, with its unit */
	enum quantity quantity;		/* that must be known */
	size_t y, x;			/* sums in a struct sample_block; x: or PER_TIME */
	double scale;			/* of JSON's unit */
	double shown;			/* factor from JSON's unit to the table's */
	double quantile;		/* of latencies; 0: sum(y) / sum(x) */
};

#define PER_TIME	((size_t)-1)	/* x is the length of the block in ns */
#define BLOCK(member)	offsetof(struct sample_block, member)

static const struct metric metrics[] = {
	{ "utilization_percent", "utilisation %", QUANTITY_EXECUTION, BLOCK(exec_ns), PER_TIME,
	  100, 1, 0 },
	{ "completed_per_second", "completed /s", QUANTITY_COMPLETIONS, BLOCK(done), PER_TIME,
	  NSEC_PER_SEC, 1, 0 },
	{ "failed_per_second", "failed, cancelled /s", QUANTITY_COMPLETIONS, BLOCK(failed),
	  PER_TIME, NSEC_PER_SEC, 1, 0 },
	{ "exec_mean_ns", "execution, mean ms", QUANTITY_EXECUTION, BLOCK(exec_sum_ns),
	  BLOCK(execs), 1, 1e-6, 0 },
	{ "wait_mean_ns", "wait, mean ms", QUANTITY_WAIT, BLOCK(wait_ns), BLOCK(waits), 1, 1e-6,
	  0 },
	{ "latency_mean_ns", "latency, mean ms", QUANTITY_WAIT, BLOCK(latency_ns),
	  BLOCK(latencies), 1, 1e-6, 0 },
	{ "latency_p50_ns", "latency, p50 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.5 },
	{ "latency_p95_ns", "latency, p95 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.95 },
	{ "latency_p99_ns", "latency, p99 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.99 },
};

/* one metric of one engine of a vGPU in both traces; NAN: unknown */
struct line {
	const struct metric *metric;
	int64_t dev;
	int64_t vgpu_id;		/* UNKNOWN: all */
	const char *uuid;
	const char *vm;
	char engine_text[ENGINE_NAME_LEN];
	const char *engine;		/* points to @engine_text, see point_engines() */
	const char *name;
	double a, b, difference, low, high, change_percent;
	const char *verdict;		/* higher, lower, same; NULL: unknown */
};

struct comparison {
	struct sample *samples[2];
	GArray *lines;			/* of struct line */
	GArray *settings;		/* of struct setting_line */
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	double seconds;
	char *end;

	switch (key) {
	case ARGP_KEY_ARG:
		if (arguments.count == 2)
			argp_error(state, "'%s' is the third trace: give two", arg);
		arguments.paths[arguments.count++] = arg;
		break;
	case ARGP_KEY_END:
		if (arguments.count != 2)
			argp_error(state, "give two traces: BEFORE AFTER");
		arguments.both = g_strjoin(" or ", arguments.paths[0], arguments.paths[1], NULL);
		options->input = arguments.both;
		break;
	case KEY_BLOCK:
		seconds = g_ascii_strtod(arg, &end);
		if (end == arg || *end || !(seconds >= 1e-6 && seconds <= MAX_BLOCK_SECONDS))
			argp_error(state, "--block %s: give seconds, such as 1 or 0.5", arg);
		arguments.block_ns = llround(seconds * NSEC_PER_SEC);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static struct estimate estimate_metric(const struct sample *sample, const struct sample_row *row,
				       const struct metric *metric)
{
	double *y = g_new0(double, sample->blocks), *x = g_new0(double, sample->blocks);
	struct estimate estimate;

	for (unsigned int nr = 0; nr < sample->blocks; nr++) {
		const char *block = row ? (const char *)&g_array_index(row->blocks,
					  struct sample_block, nr) : NULL;

		y[nr] = block ? metric->scale * *(const double *)(block + metric->y) : 0;
		x[nr] = metric->x == PER_TIME ? sample->block_ns :
			block ? *(const double *)(block + metric->x) : 0;
	}
	estimate = estimate_ratio(y, x, sample->blocks);
	g_free(x);
	g_free(y);
	return estimate;
}

static struct contrast contrast_metric(struct sample *const samples[2],
				       const struct sample_row *const rows[2], struct line *line)
{
	const struct metric *metric = line->metric;
	GArray *none = g_array_new(FALSE, FALSE, sizeof(struct block_value));
	struct estimate a, b;
	struct contrast contrast;

	if (metric->quantile > 0) {
		contrast = contrast_quantile(rows[0] ? rows[0]->latencies : none,
					     samples[0]->blocks,
					     rows[1] ? rows[1]->latencies : none,
					     samples[1]->blocks, metric->quantile,
					     &line->a, &line->b);
	} else {
		a = estimate_metric(samples[0], rows[0], metric);
		b = estimate_metric(samples[1], rows[1], metric);
		contrast = contrast_welch(&a, &b);
		line->a = a.value;
		line->b = b.value;
	}
	g_array_free(none, TRUE);
	return contrast;
}

static const char *verdict_of(const struct contrast *contrast)
{
	if (isnan(contrast->low) || isnan(contrast->high))
		return NULL;
	if (contrast->low > 0)
		return "higher";
	return contrast->high < 0 ? "lower" : "same";
}

static void forget(struct line *line)
{
	line->a = line->b = line->difference = line->low = line->high = NAN;
	line->change_percent = NAN;
	line->verdict = NULL;
}

static struct line make_line(struct sample *const samples[2], const struct sample_row *row,
			     const struct metric *metric)
{
	const struct sample_row *rows[2] = {
		sample_find(samples[0], row), sample_find(samples[1], row)
	};
	struct line line = {
		.metric = metric, .dev = row->dev, .vgpu_id = row->vgpu_id, .uuid = row->uuid,
		.vm = row->vm,
		.name = metric->name,
	};
	struct contrast contrast = contrast_metric(samples, rows, &line);

	engine_name(line.engine_text, row->class, row->instance);
	line.difference = contrast.difference;
	line.low = contrast.low;
	line.high = contrast.high;
	line.change_percent = line.a > 0 ? 100 * contrast.difference / line.a : NAN;
	line.verdict = verdict_of(&contrast);
	for (int nr = 0; nr < 2; nr++)
		if (!quantity_known(samples[nr]->follow.trace, metric->quantity))
			forget(&line);
	return line;
}

static bool wanted(const struct options *options, const struct sample_row *row)
{
	struct vgpu vgpu = { .id = row->vgpu_id, .uuid = row->uuid };
	const struct gpu_engine engine = { .class = row->class, .instance = row->instance };

	return options_want_engine(options, &engine) &&
	       (!known(row->vgpu_id) || options_want_vgpu(options, &vgpu));
}

static void add_row(GArray *lines, struct sample *const samples[2],
		    const struct sample_row *row)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(metrics); nr++) {
		struct line line = make_line(samples, row, &metrics[nr]);

		g_array_append_val(lines, line);
	}
}

/* The lines do not move any more. */
static void point_engines(GArray *lines)
{
	for (unsigned int nr = 0; nr < lines->len; nr++) {
		struct line *line = &g_array_index(lines, struct line, nr);

		line->engine = line->engine_text;
	}
}

/* the rows of both traces, then those that only the second one has */
static GArray *make_lines(struct sample *const samples[2])
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct line));

	for (int nr = 0; nr < 2; nr++) {
		const GPtrArray *rows = samples[nr]->rows;

		for (unsigned int pos = 0; pos < rows->len; pos++)
			if (wanted(&samples[0]->options, rows->pdata[pos]) &&
			    (!nr || !sample_find(samples[0], rows->pdata[pos])))
				add_row(lines, samples, rows->pdata[pos]);
	}
	point_engines(lines);
	return lines;
}

/* a setting of the scheduler that may be in gvt_sched_info */
struct setting_desc {
	const char *name;
	bool is_text;
	size_t offset;
};

#define NUMBER_SETTING(member)	{ #member, false, offsetof(struct sched_info, member) }
#define TEXT_SETTING(member)	{ #member, true, offsetof(struct sched_info, member) }

static const struct setting_desc setting_descs[] = {
	TEXT_SETTING(policy), TEXT_SETTING(dispatch), NUMBER_SETTING(vgpus),
	NUMBER_SETTING(tick_ns), NUMBER_SETTING(period_ns), NUMBER_SETTING(stages),
	NUMBER_SETTING(boost_ns), NUMBER_SETTING(carry_over), NUMBER_SETTING(leftover_max_ns),
	NUMBER_SETTING(max_wait_ns), NUMBER_SETTING(anticipation_ns),
};

struct setting_line {
	int64_t dev;
	const char *setting;
	char *a, *b;			/* NULL: not told */
};

static char *setting_text(const struct sched_info *info, const struct setting_desc *desc)
{
	const void *member = (const char *)info + desc->offset;
	int64_t number;

	if (desc->is_text)
		return g_strdup(*(char *const *)member);
	number = *(const int64_t *)member;
	return known(number) ? g_strdup_printf("%" G_GINT64_FORMAT, number) : NULL;
}

static const struct sched_info *find_info(const struct sample *sample, int64_t dev)
{
	const GPtrArray *infos = model_sched_infos(sample->follow.model);

	for (unsigned int nr = 0; nr < infos->len; nr++) {
		const struct sched_info *info = infos->pdata[nr];

		if (info->dev == dev)
			return info;
	}
	return NULL;
}

static void add_settings(GArray *lines, const struct sched_info *a, const struct sched_info *b)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(setting_descs); nr++) {
		struct setting_line line = {
			.dev = a->dev, .setting = setting_descs[nr].name,
			.a = setting_text(a, &setting_descs[nr]),
			.b = setting_text(b, &setting_descs[nr]),
		};

		if (g_strcmp0(line.a, line.b)) {
			g_array_append_val(lines, line);
			continue;
		}
		g_free(line.a);
		g_free(line.b);
	}
}

static void clear_setting(void *data)
{
	struct setting_line *line = data;

	g_free(line->a);
	g_free(line->b);
}

/* settings that differ, as they were at the ends of the traces */
static GArray *make_settings(struct sample *const samples[2])
{
	const GPtrArray *infos = model_sched_infos(samples[0]->follow.model);
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct setting_line));

	g_array_set_clear_func(lines, clear_setting);
	for (unsigned int nr = 0; nr < infos->len; nr++) {
		const struct sched_info *a = infos->pdata[nr];
		const struct sched_info *b = find_info(samples[1], a->dev);

		if (b)
			add_settings(lines, a, b);
	}
	return lines;
}

static const struct column line_columns[] = {
	{ "dev", COLUMN_INTEGER, offsetof(struct line, dev) },
	{ "vgpu_id", COLUMN_INTEGER, offsetof(struct line, vgpu_id) },
	{ "uuid", COLUMN_TEXT, offsetof(struct line, uuid) },
	{ "engine", COLUMN_TEXT, offsetof(struct line, engine) },
	{ "metric", COLUMN_TEXT, offsetof(struct line, name) },
	{ "a", COLUMN_REAL, offsetof(struct line, a) },
	{ "b", COLUMN_REAL, offsetof(struct line, b) },
	{ "difference", COLUMN_REAL, offsetof(struct line, difference) },
	{ "low", COLUMN_REAL, offsetof(struct line, low) },
	{ "high", COLUMN_REAL, offsetof(struct line, high) },
	{ "change_percent", COLUMN_REAL, offsetof(struct line, change_percent) },
	{ "verdict", COLUMN_TEXT, offsetof(struct line, verdict) },
	{ "vm", COLUMN_TEXT, offsetof(struct line, vm) },
	{ 0 }
};

static const struct column setting_columns[] = {
	{ "dev", COLUMN_INTEGER, offsetof(struct setting_line, dev) },
	{ "setting", COLUMN_TEXT, offsetof(struct setting_line, setting) },
	{ "a", COLUMN_TEXT, offsetof(struct setting_line, a) },
	{ "b", COLUMN_TEXT, offsetof(struct setting_line, b) },
	{ 0 }
};

/* what document_new() tells of a trace, without what is the same in both */
static json_t *trace_json(const struct sample *sample)
{
	json_t *document = document_new(&sample->follow);

	document_add_window(document, sample->follow.window);
	json_object_del(document, "schema");
	json_object_del(document, "tool");
	json_object_del(document, "command");
	json_object_set_new(document, "blocks", json_integer(sample->blocks));
	json_object_set_new(document, "tainted_workloads", json_integer(sample->tainted));
	return document;
}

static void print_json(const void *result)
{
	const struct comparison *comparison = result;
	const GArray *lines = comparison->lines, *settings = comparison->settings;
	struct sample *const *samples = comparison->samples;
	const struct column *chosen = options_columns(samples[0]->follow.options, line_columns);
	json_t *metrics_array = json_array(), *settings_array = json_array();

	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct line *line = &g_array_index(lines, struct line, nr);

		json_array_append_new(metrics_array, columns_to_json(chosen, line));
	}
	for (unsigned int nr = 0; nr < settings->len; nr++)
		json_array_append_new(settings_array, columns_to_json(setting_columns,
			&g_array_index(settings, struct setting_line, nr)));
	document_print(json_pack("{s:s, s:s, s:s, s:I, s:f, s:o, s:o, s:o, s:o}",
				 "schema", DOCUMENT_SCHEMA,
				 "tool", "gvt-stat " GVT_STAT_VERSION, "command", "compare",
				 "block_ns", (json_int_t)arguments.block_ns,
				 "confidence", ESTIMATE_CONFIDENCE,
				 "a", trace_json(samples[0]), "b", trace_json(samples[1]),
				 "settings", settings_array, "metrics", metrics_array), stdout);
}

static void print_lines(const void *result)
{
	const struct comparison *comparison = result;
	const GArray *lines = comparison->lines;
	struct sheet *sheet = sheet_begin(comparison->samples[0]->follow.options, line_columns);

	for (unsigned int nr = 0; nr < lines->len; nr++)
		sheet_line(sheet, &g_array_index(lines, struct line, nr));
	sheet_end(sheet);
}

/* a line of the table: every metric has a unit of its own */
struct shown_line {
	const char *vgpu, *engine, *metric, *a, *b, *difference, *low, *high;
	double change_percent;
	const char *verdict;
};

static const char *show_number(char *cell, const struct metric *metric, double value)
{
	if (isnan(value))
		return NULL;
	snprintf(cell, CELL_LEN, "%.3f", value * metric->shown);
	/* "-0.000" would look as if it meant something */
	return strtod(cell, NULL) == 0 ? "0.000" : cell;
}

static void print_line(struct table *table, const struct line *line)
{
	char cells[5][CELL_LEN], label[LABEL_LEN];
	struct shown_line shown = {
		.vgpu = label, .engine = line->engine, .metric = line->metric->title,
		.a = show_number(cells[0], line->metric, line->a),
		.b = show_number(cells[1], line->metric, line->b),
		.difference = show_number(cells[2], line->metric, line->difference),
		.low = show_number(cells[3], line->metric, line->low),
		.high = show_number(cells[4], line->metric, line->high),
		.change_percent = line->change_percent, .verdict = line->verdict,
	};

	if (!known(line->vgpu_id))
		g_strlcpy(label, "all", LABEL_LEN);
	else if (line->vm)
		g_snprintf(label, LABEL_LEN, "%" G_GINT64_FORMAT " (%s)", line->vgpu_id, line->vm);
	else
		g_snprintf(label, LABEL_LEN, "%" G_GINT64_FORMAT, line->vgpu_id);
	table_line(table, &shown);
}

static void print_metrics(const GArray *lines)
{
	static const struct table_column columns[] = {
		{ "VGPU", TABLE_TEXT, offsetof(struct shown_line, vgpu) },
		{ "ENGINE", TABLE_TEXT, offsetof(struct shown_line, engine) },
		{ "METRIC", TABLE_TEXT, offsetof(struct shown_line, metric) },
		{ "A", TABLE_TEXT, offsetof(struct shown_line, a) },
		{ "B", TABLE_TEXT, offsetof(struct shown_line, b) },
		{ "B-A", TABLE_TEXT, offsetof(struct shown_line, difference) },
		{ "LOW", TABLE_TEXT, offsetof(struct shown_line, low) },
		{ "HIGH", TABLE_TEXT, offsetof(struct shown_line, high) },
		{ "CHANGE%", TABLE_REAL, offsetof(struct shown_line, change_percent) },
		{ "B IS", TABLE_TEXT, offsetof(struct shown_line, verdict) },
		{ 0 }
	};
	struct table *table = table_new(columns);

	for (unsigned int nr = 0; nr < lines->len; nr++)
		print_line(table, &g_array_index(lines, struct line, nr));
	table_print(table, "Differences, with 95 % confidence intervals", stdout);
}

static void print_settings(const GArray *settings)
{
	static const struct table_column columns[] = {
		{ "GPU", TABLE_INTEGER, offsetof(struct setting_line, dev) },
		{ "SETTING", TABLE_TEXT, offsetof(struct setting_line, setting) },
		{ "A", TABLE_TEXT, offsetof(struct setting_line, a) },
		{ "B", TABLE_TEXT, offsetof(struct setting_line, b) },
		{ 0 }
	};
	struct table *table;

	if (!settings->len)
		return;
	table = table_new(columns);
	for (unsigned int nr = 0; nr < settings->len; nr++)
		table_line(table, &g_array_index(settings, struct setting_line, nr));
	table_print(table, "Settings that differ", stdout);
}

static void print_tables(const void *result)
{
	const struct comparison *comparison = result;
	struct sample *const *samples = comparison->samples;

	for (int nr = 0; nr < 2; nr++) {
		printf("%s%c: ", nr ? "\n" : "", 'A' + nr);
		notes_head(&samples[nr]->follow, stdout);
		printf("%u blocks of %.3f s\n", samples[nr]->blocks,
		       (double)samples[nr]->block_ns / NSEC_PER_SEC);
	}
	print_settings(comparison->settings);
	print_metrics(comparison->lines);
	for (int nr = 0; nr < 2; nr++)
		notes_tail(&samples[nr]->follow, stdout);
}

static int run(const struct options *options)
{
	static const struct forms forms = { print_lines, print_json, print_tables };
	struct comparison comparison;

	for (int nr = 0; nr < 2; nr++)
		comparison.samples[nr] = sample_read(options, arguments.paths[nr],
						     arguments.block_ns);
	comparison.lines = make_lines(comparison.samples);
	comparison.settings = make_settings(comparison.samples);
	options_print(options, &forms, &comparison);
	g_array_free(comparison.settings, TRUE);
	g_array_free(comparison.lines, TRUE);
	for (int nr = 0; nr < 2; nr++)
		sample_free(comparison.samples[nr]);
	return EXIT_SUCCESS;
}

static const struct argp_option option_table[] = {
	{ "block", KEY_BLOCK, "SECONDS", 0, "Length of the blocks that count as independent (1)", 0 },
	{ 0 }
};

static const struct argp compare_argp = {
	option_table, parse_option, "BEFORE AFTER", NULL, NULL, NULL, NULL
};

static const struct column *const tables[] = { line_columns, NULL };

const struct command compare_command = {
	.name = "compare",
	.help = "two traces side by side, with confidence intervals",
	.doc = "Compare the metrics of two traces, such as before and after a setting was changed.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_CANCELLED) |
		      QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS),
	.columns = tables,
	.argp = &compare_argp,
	.run = run,
};
