// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/column.h"
#include "output/document.h"
#include "output/notes.h"
#include "output/sheet.h"
#include "output/table.h"
#include "trace/engine.h"
#include "trace/util.h"
#include "command.h"
#include "condition.h"
#include "estimate.h"
#include "export.h"
#include "sample.h"

#define DEFAULT_BLOCK_NS	NSEC_PER_SEC
#define MAX_BLOCK_SECONDS	1e6
#define CELL_LEN		32
#define LABEL_LEN		64
#define MAX_CONDITIONS		32

/* within so much of A, what differs is the same for all practical purposes */
#define DEFAULT_MARGIN_PERCENT	5

/* no condition holds, but of one it cannot be told */
#define EXIT_UNCLEAR		3

enum compare_key {
	KEY_BLOCK = 0x700,
	KEY_MARGIN,
	KEY_FAIL_IF,
	KEY_HTML,
};

static struct {
	const char *paths[2];
	int count;
	int64_t block_ns;
	double margin_percent;
	const char *page;		/* file to write; NULL: none */
	char *both;			/* paths, for messages of a crash in the library */
} arguments = { .block_ns = DEFAULT_BLOCK_NS, .margin_percent = DEFAULT_MARGIN_PERCENT };

/* how a metric is made of the blocks */
struct metric {
	const char *name;		/* in JSON and CSV, with its unit */
	const char *title;		/* in tables, with its unit */
	enum quantity quantity;		/* that must be known */
	size_t y, x;			/* sums in a struct sample_block; x: or PER_TIME */
	double scale;			/* of JSON's unit */
	double shown;			/* factor from JSON's unit to the table's */
	double quantile;		/* of latencies; 0: sum(y) / sum(x) */
	const char *key;		/* for --fail-if */
	size_t n;			/* how many workloads it is made of, in a block */
	enum condition_unit unit;
};

#define PER_TIME	((size_t)-1)	/* x is the length of the block in ns */
#define BLOCK(member)	offsetof(struct sample_block, member)

static const struct metric metrics[] = {
	{ "utilization_percent", "utilisation %", QUANTITY_EXECUTION, BLOCK(exec_ns), PER_TIME,
	  100, 1, 0,
	  "utilization", BLOCK(done), UNIT_NUMBER },
	{ "completed_per_second", "completed /s", QUANTITY_COMPLETIONS, BLOCK(done), PER_TIME,
	  NSEC_PER_SEC, 1, 0,
	  "completed", BLOCK(done), UNIT_NUMBER },
	{ "failed_per_second", "failed /s", QUANTITY_COMPLETIONS, BLOCK(failed),
	  PER_TIME, NSEC_PER_SEC, 1, 0,
	  "failed", BLOCK(failed), UNIT_NUMBER },
	{ "exec_mean_ns", "exec, mean ms", QUANTITY_EXECUTION, BLOCK(exec_sum_ns),
	  BLOCK(execs), 1, 1e-6, 0,
	  "exec", BLOCK(execs), UNIT_TIME },
	{ "wait_mean_ns", "wait, mean ms", QUANTITY_WAIT, BLOCK(wait_ns), BLOCK(waits), 1, 1e-6,
	  0,
	  "wait", BLOCK(waits), UNIT_TIME },
	{ "latency_mean_ns", "latency, mean ms", QUANTITY_WAIT, BLOCK(latency_ns),
	  BLOCK(latencies), 1, 1e-6, 0,
	  "latency", BLOCK(latencies), UNIT_TIME },
	{ "latency_p50_ns", "latency, p50 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.5,
	  "p50", BLOCK(latencies), UNIT_TIME },
	{ "latency_p95_ns", "latency, p95 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.95,
	  "p95", BLOCK(latencies), UNIT_TIME },
	{ "latency_p99_ns", "latency, p99 ms", QUANTITY_WAIT, 0, 0, 1, 1e-6, 0.99,
	  "p99", BLOCK(latencies), UNIT_TIME },
};

/* one metric of one engine of a vGPU in both traces; NAN: unknown */
struct line {
	const struct metric *metric;
	int64_t dev;
	bool several_gpus;		/* in the traces */
	int64_t vgpu_id;		/* UNKNOWN: all */
	const char *uuid;
	const char *vm;
	char engine_text[ENGINE_NAME_LEN];
	const char *engine;		/* points to @engine_text, see point_engines() */
	const char *name;
	double a, b, difference, low, high, change_percent;
	int64_t n_a, n_b;		/* workloads that it is made of */
	const char *verdict;		/* higher, lower, same, unclear; NULL: unknown */
};

/* --fail-if */
struct demand {
	struct condition condition;
	const struct metric *metric;
};

static struct demand demands[MAX_CONDITIONS];
static int nr_demands;

struct comparison {
	const struct form *form;
	struct sample *samples[2];
	GArray *lines;			/* of struct line */
	GArray *settings;		/* of struct setting_line */
};

static const struct metric *find_metric(const char *name, size_t len)
{
	for (size_t nr = 0; nr < G_N_ELEMENTS(metrics); nr++)
		if ((strlen(metrics[nr].key) == len && !strncmp(metrics[nr].key, name, len)) ||
		    (strlen(metrics[nr].name) == len && !strncmp(metrics[nr].name, name, len)))
			return &metrics[nr];
	return NULL;
}

static char *metric_keys(void)
{
	GString *keys = g_string_new(NULL);

	for (size_t nr = 0; nr < G_N_ELEMENTS(metrics); nr++)
		g_string_append_printf(keys, "%s%s", nr ? ", " : "", metrics[nr].key);
	return g_string_free(keys, FALSE);
}

static void parse_condition(const char *arg, struct argp_state *state)
{
	int len = condition_metric_len(arg);
	struct demand *demand = &demands[nr_demands];
	const char *wrong;

	demand->metric = find_metric(arg, len);
	if (!len || !demand->metric)
		argp_error(state, "--fail-if '%s': give METRIC>LIMIT or METRIC<LIMIT, such as 'p99>+10%%'; metrics are %s",
			   arg, metric_keys());
	wrong = condition_parse(&demand->condition, arg, demand->metric->unit);
	if (wrong)
		argp_error(state, "--fail-if '%s': %s", arg, wrong);
	if (++nr_demands == MAX_CONDITIONS)
		argp_error(state, "--fail-if '%s': there may be up to %d conditions", arg,
			   MAX_CONDITIONS - 1);
}

static double parse_positive(const char *option, const char *arg, double least, double most,
			     const char *what, struct argp_state *state)
{
	char *end;
	double number = g_ascii_strtod(arg, &end);

	if (end == arg || *end || !(number >= least && number <= most))
		argp_error(state, "--%s %s: give %s", option, arg, what);
	return number;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	double seconds;

	switch (key) {
	case ARGP_KEY_INIT:
		arguments.count = 0;
		break;
	case ARGP_KEY_ARG:
		if (arguments.count == 2)
			argp_error(state, "'%s' is the third trace: give two",
				   make_printable(arg));
		arguments.paths[arguments.count++] = arg;
		break;
	case ARGP_KEY_END:
		if (arguments.count != 2)
			argp_error(state, "give two traces: BEFORE AFTER");
		arguments.both = g_strjoin(" or ", arguments.paths[0], arguments.paths[1], NULL);
		options->selection.input = arguments.both;
		break;
	case KEY_BLOCK:
		seconds = parse_positive("block", arg, 1e-6, MAX_BLOCK_SECONDS,
					 "seconds, such as 1 or 0.5", state);
		arguments.block_ns = llround(seconds * NSEC_PER_SEC);
		break;
	case KEY_MARGIN:
		arguments.margin_percent = parse_positive("margin", arg, 0, 1000,
							  "per cent, such as 5", state);
		break;
	case KEY_HTML:
		if (!strcmp(arg, "-"))
			argp_error(state, "--html -: the table is there; give a file");
		arguments.page = arg;
		break;
	case KEY_FAIL_IF:
		parse_condition(arg, state);
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
	struct quantile quantiles[2];
	struct estimate estimates[2];

	for (int nr = 0; nr < 2; nr++) {
		if (metric->quantile > 0)
			quantiles[nr] = estimate_quantile(rows[nr] ? rows[nr]->latencies : none,
							  samples[nr]->blocks, metric->quantile);
		else
			estimates[nr] = estimate_metric(samples[nr], rows[nr], metric);
	}
	g_array_free(none, TRUE);
	line->a = metric->quantile > 0 ? quantiles[0].value : estimates[0].value;
	line->b = metric->quantile > 0 ? quantiles[1].value : estimates[1].value;
	return metric->quantile > 0 ? contrast_quantile(&quantiles[0], &quantiles[1]) :
				      contrast_welch(&estimates[0], &estimates[1]);
}

static int64_t count_workloads(const struct sample *sample, const struct sample_row *row,
			       const struct metric *metric)
{
	double count = 0;

	for (unsigned int nr = 0; row && nr < sample->blocks; nr++)
		count += *(const double *)((const char *)&g_array_index(row->blocks,
			 struct sample_block, nr) + metric->n);
	return count;
}

/*
 * An interval with 0 in it shows no difference; that there is none takes one that is
 * short enough. Without an interval, nothing is shown.
 */
static const char *verdict_of(const struct contrast *contrast, double a)
{
	double margin = fabs(a) * arguments.margin_percent / 100;

	if (isnan(contrast->difference))
		return NULL;
	if (isnan(contrast->low) || isnan(contrast->high))
		return "unclear";
	if (contrast->low > 0)
		return "higher";
	if (contrast->high < 0)
		return "lower";
	return contrast->low >= -margin && contrast->high <= margin ? "same" : "unclear";
}

static void forget(struct line *line)
{
	line->a = line->b = line->difference = line->low = line->high = NAN;
	line->change_percent = NAN;
	line->n_a = line->n_b = UNKNOWN;
	line->verdict = NULL;
}

static bool have_several_gpus(struct sample *const samples[2])
{
	return model_gpus(samples[0]->follow.model)->len > 1 ||
	       model_gpus(samples[1]->follow.model)->len > 1;
}

static struct line make_line(struct sample *const samples[2], const struct sample_row *row,
			     const struct metric *metric)
{
	const struct sample_row *rows[2] = {
		sample_find(samples[0], row), sample_find(samples[1], row)
	};
	struct line line = {
		.metric = metric, .dev = row->dev, .vgpu_id = row->vgpu_id, .uuid = row->uuid,
		.vm = row->vm, .several_gpus = have_several_gpus(samples),
		.name = metric->name,
	};
	struct contrast contrast = contrast_metric(samples, rows, &line);

	engine_name(line.engine_text, row->class, row->instance);
	line.difference = contrast.difference;
	line.low = contrast.low;
	line.high = contrast.high;
	line.change_percent = line.a > 0 ? 100 * contrast.difference / line.a : NAN;
	line.verdict = verdict_of(&contrast, line.a);
	line.n_a = count_workloads(samples[0], rows[0], metric);
	line.n_b = count_workloads(samples[1], rows[1], metric);
	for (int nr = 0; nr < 2; nr++)
		if (!quantity_known(samples[nr]->follow.trace, metric->quantity))
			forget(&line);
	return line;
}

static bool wanted(const struct sample *sample, const struct sample_row *row)
{
	struct gpu *gpu = (struct gpu *)model_gpu(sample->follow.model, row->dev);
	struct vgpu vgpu = { .gpu = gpu, .id = row->vgpu_id, .uuid = row->uuid };
	const struct gpu_engine engine = {
		.gpu = gpu, .class = row->class, .instance = row->instance
	};

	return selection_engine(&sample->selection, &engine) &&
	       (!known(row->vgpu_id) || selection_vgpu(&sample->selection, &vgpu));
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
			if (wanted(samples[nr], rows->pdata[pos]) &&
			    (!nr || !sample_find(samples[0], rows->pdata[pos])))
				add_row(lines, samples, rows->pdata[pos]);
	}
	point_engines(lines);
	return lines;
}

struct setting_line {
	int64_t dev;
	const char *setting;
	char *a, *b;			/* NULL: not told */
};

static char *setting_text(const struct sched_info *info, const struct told_desc *desc)
{
	const void *member = (const char *)info + desc->offset;
	int64_t number;

	if (desc->is_text)
		return g_strdup(*(char *const *)member);
	number = *(const int64_t *)member;
	return known(number) ? g_strdup_printf("%" G_GINT64_FORMAT, number) : NULL;
}

static void add_settings(GArray *lines, const struct sched_info *a, const struct sched_info *b)
{
	for (const struct told_desc *desc = sched_info_members; desc->name; desc++) {
		struct setting_line line = {
			.dev = a->dev, .setting = desc->name,
			.a = setting_text(a, desc), .b = setting_text(b, desc),
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
		const struct sched_info *b = model_sched_info(samples[1]->follow.model, a->dev);

		if (known(b->dev) &&
		    selection_gpu(&samples[0]->selection, model_gpu(samples[0]->follow.model, a->dev)))
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
	{ "n_a", COLUMN_INTEGER, offsetof(struct line, n_a) },
	{ "n_b", COLUMN_INTEGER, offsetof(struct line, n_b) },
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
	{ "dev", COLUMN_INTEGER, offsetof(struct setting_line, dev), "GPU" },
	{ "setting", COLUMN_TEXT, offsetof(struct setting_line, setting), "SETTING" },
	{ "a", COLUMN_TEXT, offsetof(struct setting_line, a), "A" },
	{ "b", COLUMN_TEXT, offsetof(struct setting_line, b), "B" },
	{ 0 }
};

/* what document_new() tells of a trace, without what is the same in both */
static json_t *trace_json(const struct sample *sample)
{
	json_t *document = document_new(&sample->follow, "compare");

	document_add_window(document, sample->follow.window);
	json_object_del(document, "schema");
	json_object_del(document, "tool");
	json_object_del(document, "command");
	json_object_set_new(document, "blocks", json_integer(sample->blocks));
	json_object_set_new(document, "block_ns", json_integer(sample->block_ns));
	json_object_set_new(document, "tainted_workloads", json_integer(sample->tainted));
	return document;
}

static enum condition_result test_line(const struct demand *demand, const struct line *line)
{
	const struct condition_values values = {
		line->a, line->b, line->difference, line->low, line->high
	};

	if (line->metric != demand->metric)
		return CONDITION_NO;
	/* an engine on which a vGPU has not done anything in either trace */
	if (isnan(line->a) && isnan(line->b) && !line->n_a && !line->n_b)
		return CONDITION_NO;
	return condition_test(&demand->condition, &values);
}

/* the worst of all lines */
static enum condition_result test_lines(const struct demand *demand, const GArray *lines)
{
	enum condition_result worst = CONDITION_NO;

	for (unsigned int nr = 0; nr < lines->len; nr++)
		worst = MAX(worst, test_line(demand, &g_array_index(lines, struct line, nr)));
	return worst;
}

static const char *const result_names[] = {
	[CONDITION_NO] = "no", [CONDITION_UNCLEAR] = "unclear", [CONDITION_HOLDS] = "holds",
};

/* where a condition holds, or may hold */
static json_t *condition_json(const struct demand *demand, const GArray *lines)
{
	json_t *where = json_array();

	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct line *line = &g_array_index(lines, struct line, nr);
		enum condition_result result = test_line(demand, line);
		json_t *json;

		if (result == CONDITION_NO)
			continue;
		json = json_pack("{s:I, s:s, s:s}", "dev", (json_int_t)line->dev,
				 "engine", line->engine, "result", result_names[result]);
		json_object_set_new(json, "vgpu_id", known(line->vgpu_id) ?
				    json_integer(line->vgpu_id) : json_null());
		json_array_append_new(where, json);
	}
	return json_pack("{s:s, s:s, s:s, s:o}", "condition", demand->condition.text,
			 "metric", demand->metric->name,
			 "result", result_names[test_lines(demand, lines)], "where", where);
}

static json_t *conditions_json(const GArray *lines)
{
	json_t *conditions = json_array();

	for (int nr = 0; nr < nr_demands; nr++)
		json_array_append_new(conditions, condition_json(&demands[nr], lines));
	return conditions;
}

/* @chosen: columns of a line */
static json_t *document_of(const struct comparison *comparison, const struct column *chosen)
{
	const GArray *lines = comparison->lines, *settings = comparison->settings;
	struct sample *const *samples = comparison->samples;
	json_t *metrics_array = json_array(), *settings_array = json_array();

	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct line *line = &g_array_index(lines, struct line, nr);

		json_array_append_new(metrics_array, columns_to_json(chosen, line));
	}
	for (unsigned int nr = 0; nr < settings->len; nr++)
		json_array_append_new(settings_array, columns_to_json(setting_columns,
			&g_array_index(settings, struct setting_line, nr)));
	return json_pack("{s:s, s:s, s:s, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o}",
			 "schema", DOCUMENT_SCHEMA,
			 "tool", "gvt-stat " GVT_STAT_VERSION, "command", "compare",
			 "block_ns", (json_int_t)arguments.block_ns,
			 "confidence", ESTIMATE_CONFIDENCE,
			 "margin_percent", arguments.margin_percent,
			 "a", trace_json(samples[0]), "b", trace_json(samples[1]),
			 "settings", settings_array, "metrics", metrics_array,
			 "conditions", conditions_json(lines));
}

static void print_json(const void *result)
{
	const struct comparison *comparison = result;

	document_print(document_of(comparison, form_columns(comparison->form, line_columns)), stdout);
}

/* with names of metrics for people, and the factor from JSON's unit to theirs */
static void write_page(const struct options *options, const struct comparison *comparison)
{
	json_t *document = document_of(comparison, line_columns);
	json_t *titles = json_object();

	for (size_t nr = 0; nr < G_N_ELEMENTS(metrics); nr++)
		json_object_set_new(titles, metrics[nr].name,
				    json_pack("{s:s, s:f}", "title", metrics[nr].title,
					      "scale", metrics[nr].shown));
	json_object_set_new(document, "titles", titles);
	export_pair(options, arguments.paths, document, arguments.page);
	json_decref(document);
}

static void print_lines(const void *result)
{
	const struct comparison *comparison = result;
	const GArray *lines = comparison->lines;
	struct sheet *sheet = sheet_begin(comparison->form, line_columns);

	for (unsigned int nr = 0; nr < lines->len; nr++)
		sheet_line(sheet, &g_array_index(lines, struct line, nr));
	sheet_end(sheet);
}

/* a line of the table: every metric has a unit of its own */
struct shown_line {
	const char *vgpu, *engine, *metric;
	int64_t n_a, n_b;
	const char *a, *b, *difference, *low, *high;
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

static const char *label_of(const struct line *line, char label[LABEL_LEN])
{
	char gpu[CELL_LEN] = "";

	if (line->several_gpus)
		g_snprintf(gpu, CELL_LEN, "%" G_GINT64_FORMAT "/", line->dev);
	if (!known(line->vgpu_id))
		g_snprintf(label, LABEL_LEN, "%sall", gpu);
	else if (line->vm)
		g_snprintf(label, LABEL_LEN, "%s%" G_GINT64_FORMAT " (%s)", gpu, line->vgpu_id,
			   line->vm);
	else
		g_snprintf(label, LABEL_LEN, "%s%" G_GINT64_FORMAT, gpu, line->vgpu_id);
	return label;
}

static void print_line(struct table *table, const struct line *line)
{
	char cells[5][CELL_LEN], label[LABEL_LEN];
	struct shown_line shown = {
		.vgpu = label_of(line, label), .engine = line->engine, .metric = line->metric->title,
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
		print_line(table, &g_array_index(lines, struct line, nr));
	table_print(table, "Differences, with 95 % confidence intervals", stdout);
}

static void print_settings(const GArray *settings)
{
	struct table *table;

	if (!settings->len)
		return;
	table = table_new(setting_columns);
	for (unsigned int nr = 0; nr < settings->len; nr++)
		table_line(table, &g_array_index(settings, struct setting_line, nr));
	table_print(table, "Settings that differ", stdout);
}

static void print_condition(const struct demand *demand, const GArray *lines)
{
	char label[LABEL_LEN];

	printf("%s: %s", demand->condition.text, result_names[test_lines(demand, lines)]);
	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct line *line = &g_array_index(lines, struct line, nr);
		enum condition_result result = test_line(demand, line);

		if (result != CONDITION_NO)
			printf("; %s %s: %s", label_of(line, label), line->engine,
			       result_names[result]);
	}
	putchar('\n');
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
	for (int nr = 0; nr < nr_demands; nr++)
		print_condition(&demands[nr], comparison->lines);
	for (int nr = 0; nr < 2; nr++)
		notes_tail(&samples[nr]->follow, stdout);
}

static int status_of(const GArray *lines)
{
	enum condition_result worst = CONDITION_NO;

	for (int nr = 0; nr < nr_demands; nr++)
		worst = MAX(worst, test_lines(&demands[nr], lines));
	if (worst == CONDITION_HOLDS)
		return EXIT_FOUND;
	return worst == CONDITION_UNCLEAR ? EXIT_UNCLEAR : EXIT_SUCCESS;
}

static int run(const struct options *options)
{
	static const struct printers printers = { print_lines, print_json, print_tables };
	struct comparison comparison = { .form = &options->form };
	int status;

	for (int nr = 0; nr < 2; nr++)
		comparison.samples[nr] = sample_read(&options->selection, arguments.paths[nr],
						     arguments.block_ns);
	comparison.lines = make_lines(comparison.samples);
	comparison.settings = make_settings(comparison.samples);
	if (arguments.page)
		write_page(options, &comparison);
	form_print(&options->form, &printers, &comparison);
	status = status_of(comparison.lines);
	g_array_free(comparison.settings, TRUE);
	g_array_free(comparison.lines, TRUE);
	for (int nr = 0; nr < 2; nr++)
		sample_free(comparison.samples[nr]);
	return status;
}

static const struct argp_option option_table[] = {
	{ "block", KEY_BLOCK, "SECONDS", 0, "Length of the blocks that count as independent (1)", 0 },
	{ "html", KEY_HTML, "FILE", 0,
	  "Write a page, too, that shows the differences and both traces, in one file", 0 },
	{ "margin", KEY_MARGIN, "PERCENT", 0,
	  "What differs by less, for certain, is the same (5)", 0 },
	{ "fail-if", KEY_FAIL_IF, "CONDITION", 0,
	  "Exit with status 2 if it holds of a vGPU and engine, such as 'p99>+10%' or 'utilization<50'; may be given several times", 0 },
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
