// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/util.h"
#include "compare.h"

#define MAX_CONDITIONS		32

/* a condition of --fail-if */
struct demand {
	struct condition condition;
	const struct compare_metric *metric;
};

static struct demand demands[MAX_CONDITIONS];
static int nr_demands;

static const struct compare_metric *find_metric(const char *name, size_t len)
{
	for (const struct compare_metric *metric = compare_metrics; metric->name; metric++)
		if ((strlen(metric->key) == len && !strncmp(metric->key, name, len)) ||
		    (strlen(metric->name) == len && !strncmp(metric->name, name, len)))
			return metric;
	return NULL;
}

static char *metric_keys(void)
{
	GString *keys = g_string_new(NULL);

	for (const struct compare_metric *metric = compare_metrics; metric->name; metric++)
		g_string_append_printf(keys, "%s%s", keys->len ? ", " : "", metric->key);
	return g_string_free(keys, FALSE);
}

void compare_demand(const char *arg, struct argp_state *state)
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

static enum condition_result test_line(const struct demand *demand, const struct compare_line *line)
{
	const struct condition_values values = {
		line->a, line->b, line->difference, line->low, line->high
	};

	if (line->metric != demand->metric)
		return CONDITION_NO;
	/* the vGPU did not use the engine in either trace */
	if (isnan(line->a) && isnan(line->b) && !line->n_a && !line->n_b)
		return CONDITION_NO;
	return condition_test(&demand->condition, &values);
}

/* the worst result over all lines; traces without samples of energy do not show that it is no worse */
static enum condition_result test_lines(const struct demand *demand, const GArray *lines)
{
	enum condition_result worst = CONDITION_NO;
	bool found = false;

	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct compare_line *line = &g_array_index(lines, struct compare_line, nr);

		found = found || line->metric == demand->metric;
		worst = MAX(worst, test_line(demand, line));
	}
	return demand->metric->energy && !found ? CONDITION_UNCLEAR : worst;
}

static const char *const result_names[] = {
	[CONDITION_NO] = "no", [CONDITION_UNCLEAR] = "unclear", [CONDITION_HOLDS] = "holds",
};

/* the lines on which a condition holds, or may hold */
static json_t *condition_json(const struct demand *demand, const GArray *lines)
{
	json_t *where = json_array();

	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct compare_line *line = &g_array_index(lines, struct compare_line, nr);
		enum condition_result result = test_line(demand, line);
		json_t *json;

		if (result == CONDITION_NO)
			continue;
		json = json_pack("{s:I, s:s, s:s}", "dev", (json_int_t)line->dev,
				 "engine", line->engine, "result", result_names[result]);
		json_object_set_new(json, "vgpu_id", known(line->vgpu_id) ?
				    json_integer(vgpu_number(line->vgpu_id)) : json_null());
		json_array_append_new(where, json);
	}
	return json_pack("{s:s, s:s, s:s, s:o}", "condition", demand->condition.text,
			 "metric", demand->metric->name,
			 "result", result_names[test_lines(demand, lines)], "where", where);
}

json_t *compare_demands_json(const GArray *lines)
{
	json_t *conditions = json_array();

	for (int nr = 0; nr < nr_demands; nr++)
		json_array_append_new(conditions, condition_json(&demands[nr], lines));
	return conditions;
}

static void print_condition(const struct demand *demand, const GArray *lines)
{
	char label[COMPARE_LABEL_LEN];

	printf("%s: %s", demand->condition.text, result_names[test_lines(demand, lines)]);
	for (unsigned int nr = 0; nr < lines->len; nr++) {
		const struct compare_line *line = &g_array_index(lines, struct compare_line, nr);
		enum condition_result result = test_line(demand, line);

		if (result != CONDITION_NO)
			printf("; %s %s: %s", compare_label(line, label), line->engine,
			       result_names[result]);
	}
	putchar('\n');
}

void compare_demands_print(const GArray *lines)
{
	for (int nr = 0; nr < nr_demands; nr++)
		print_condition(&demands[nr], lines);
}

enum condition_result compare_demands_worst(const GArray *lines)
{
	enum condition_result worst = CONDITION_NO;

	for (int nr = 0; nr < nr_demands; nr++)
		worst = MAX(worst, test_lines(&demands[nr], lines));
	return worst;
}
