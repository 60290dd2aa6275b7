// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of never-worse: their comparisons, and the results of the runs. */
#include "never.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "fault.h"

const char *const never_modes[NEVER_MODES] = { "exclusive", "per-engine", "preemptive" };

#define COLUMNS 7
#define NS_PER_MS 1e6

static void free_row(gpointer data)
{
	struct never_row *row = data;

	g_free(row->name);
	g_free(row->scenario);
	g_strfreev(row->full);
	g_strfreev(row->shorts);
	g_free(row->alone);
	g_free(row);
}

/* "-" means none. */
static char **list(const char *text)
{
	return g_strsplit(strcmp(text, "-") ? text : "", ",", -1);
}

static gboolean number(double *to, const char *text)
{
	char *end;

	*to = strcmp(text, "-") ? g_ascii_strtod(text, &end) : 0;
	return !strcmp(text, "-") || (end != text && !*end && *to >= 0);
}

static struct never_row *parse_row(char **words)
{
	struct never_row *row = g_new0(struct never_row, 1);

	row->name = g_strdup(words[0]);
	row->scenario = g_strdup(words[1]);
	row->with_gaps = words[3][0] == '+';
	row->full = list(words[3] + row->with_gaps);
	row->shorts = list(words[4]);
	row->alone = strcmp(words[5], "-") ? g_strdup(words[5]) : NULL;
	if (number(&row->fairness, words[2]) && number(&row->allowed_ms, words[6]))
		return row;
	free_row(row);
	return NULL;
}

/* The words of a line, separated by any number of blanks */
static char **words_of(const char *line)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_auto(GStrv) parts = g_strsplit_set(line, " \t", -1);

	for (int i = 0; parts[i] && *parts[0] != '#'; i++)
		if (*parts[i])
			g_ptr_array_add(words, g_strdup(parts[i]));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_steal(words, NULL);
}

static gboolean add_line(GPtrArray *rows, const char *line)
{
	g_auto(GStrv) words = words_of(line);
	struct never_row *row;

	if (!words[0])
		return TRUE;
	row = g_strv_length(words) >= COLUMNS ? parse_row(words) : NULL;
	if (row)
		g_ptr_array_add(rows, row);
	return row != NULL;
}

GPtrArray *never_rows_read(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);

	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i]; i++) {
		if (!add_line(rows, lines[i])) {
			fault(error, "%s:%d: not a row: write %d words", path, i + 1, COLUMNS);
			return NULL;
		}
	}
	return g_steal_pointer(&rows);
}

/* ---- runs ------------------------------------------------------------------ */

static double percent(json_t *run, const char *vgpu, const char *name)
{
	json_t *value = json_object_get(json_object_get(json_object_get(run, "vgpus"), vgpu), name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Least over most service for the weight; NAN if one of them is unknown */
static double fairness(json_t *run, const struct never_row *row)
{
	const char *service_of = row->with_gaps ? "had_percent" : "exec_percent";
	char **vgpus = row->full;
	double least = INFINITY, most = 0;

	for (int i = 0; vgpus[i]; i++) {
		double service = percent(run, vgpus[i], service_of) /
				 percent(run, vgpus[i], "weight_percent");

		if (isnan(service))
			return NAN;
		least = fmin(least, service);
		most = fmax(most, service);
	}
	return vgpus[0] && most > 0 ? least / most : NAN;
}

/* The worst of the vGPU's streams, in ms */
static double latency_of(json_t *run, const char *vgpu, const char *name)
{
	json_t *streams = json_object_get(json_object_get(json_object_get(run, "vgpus"), vgpu),
					  "streams");
	double worst = NAN;
	const char *stream;
	json_t *result;

	json_object_foreach(streams, stream, result) {
		json_t *value = json_object_get(result, name);

		if (!json_is_number(value))
			return NAN;
		worst = fmax(worst, json_number_value(value) / NS_PER_MS);
	}
	return worst;
}

static double latency(json_t *run, char **vgpus, const char *name)
{
	double worst = NAN;

	for (int i = 0; vgpus[i]; i++) {
		double one = latency_of(run, vgpus[i], name);

		if (isnan(one))
			return NAN;
		worst = fmax(worst, one);
	}
	return worst;
}

static gboolean read_run(struct never_values *values, const struct never_row *row, int mode,
			 size_t i, const char *path, GError **error)
{
	json_error_t why;
	json_t *run;

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return TRUE;
	run = json_load_file(path, 0, &why);
	if (!run) {
		fault(error, "%s: %s; remove it, never-worse makes it again", path, why.text);
		return FALSE;
	}
	values->v[mode][NEVER_FAIRNESS][i] = fairness(run, row);
	values->v[mode][NEVER_MEAN][i] = latency(run, row->shorts, "latency_mean_ns");
	values->v[mode][NEVER_P99][i] = latency(run, row->shorts, "latency_p99_ns");
	json_decref(run);
	return TRUE;
}

static struct never_values *new_values(size_t n)
{
	struct never_values *values = g_new0(struct never_values, 1);

	values->n = n;
	for (int m = 0; m < NEVER_MODES; m++) {
		for (int f = 0; f < NEVER_FIGURES; f++) {
			values->v[m][f] = g_new(double, n);
			for (size_t i = 0; i < n; i++)
				values->v[m][f][i] = NAN;
		}
	}
	return values;
}

struct never_values *never_values_read(const struct never_row *row, const char *dir,
				       const char *setting, size_t n, GError **error)
{
	struct never_values *values = new_values(n);

	for (int m = 0; m < NEVER_MODES; m++) {
		for (size_t i = 0; i < n; i++) {
			g_autofree char *path = g_strdup_printf("%s/%s/%s/%s/%zu.json", dir, setting,
								never_modes[m], row->scenario, i + 1);

			if (!read_run(values, row, m, i, path, error)) {
				never_values_free(values);
				return NULL;
			}
		}
	}
	return values;
}

void never_values_free(struct never_values *values)
{
	for (int m = 0; values && m < NEVER_MODES; m++)
		for (int f = 0; f < NEVER_FIGURES; f++)
			g_free(values->v[m][f]);
	g_free(values);
}
