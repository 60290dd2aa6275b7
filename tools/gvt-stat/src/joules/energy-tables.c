// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "output/bar.h"
#include "output/notes.h"
#include "output/screen.h"
#include "output/table.h"
#include "timeline/gpu-use.h"
#include "trace/util.h"
#include "energy.h"

#define INDENT	2

static void print_coef(const struct coef *coef)
{
	screen_print(INDENT, stdout, "Predicted, not measured: with coefficients of %s (%s, on %s; condition number %.1f, residual %.2f %%)",
		     coef->path, coef->date ? coef->date : "unknown date", coef->host ? coef->host : "an unknown host",
		     coef->condition, coef->residual);
}

static void print_counter(const struct energy_session *session)
{
	const struct timeline *timeline = session->timeline;
	const struct shares *shares = session->result->shares;

	screen_print(INDENT, stdout, "Energy: %.6f J in %.6f s, read from %s in units of %.3f uJ; %u samples, %.1f %% of them at an update of the counter",
		     shares->total_nj / NSEC_PER_SEC, shares->length_ns / NSEC_PER_SEC, timeline->counter.source,
		     timeline->counter.unit_nj / 1000, timeline->levels->len,
		     100.0 * timeline->on_edges / timeline->levels->len);
}

static void add_use(GString *text, const char *before, double value, const char *behind)
{
	if (!isnan(value))
		g_string_append_printf(text, "%s%s%.1f%s", text->len ? ", " : "", before, value, behind);
}

static void print_gpu(const struct timeline *timeline)
{
	struct gpu_use use = gpu_use(timeline->gpu);
	GString *text = g_string_new(NULL);

	add_use(text, "in RC6 for ", use.rc6_percent, " % of the time");
	add_use(text, "kept awake by i915 for ", use.awake_percent, " %");
	add_use(text, "then at ", use.mhz, " MHz on average");
	if (text->len)
		screen_print(INDENT, stdout, "GPU: %s", text->str);
	g_string_free(text, TRUE);
}

static void print_fit(const struct energy_session *session)
{
	const struct fit *fit = session->result->fit;

	if (fit->groups)
		screen_print(INDENT, stdout, "Fit: %u powers from %u intervals, condition number %.1f, residual %.2f %% (shared, too); static energy: %s",
			     fit->powers, fit->used, fit->condition, 100 * fit->residual,
			     static_rule_name(session->wanted->rule));
}

static bool several_engines(const struct energy_result *result)
{
	return result->engines->len > result->sums->len;
}

/* they come first */
static bool has_vgpus(const struct energy_result *result)
{
	return !strcmp(g_array_index(result->sums, struct energy_row, 0).kind, "vgpu");
}

/* one of the tables of the columns; only vGPUs have workloads */
static void print_rows(const GArray *rows, const struct column *columns, enum energy_table which, const char *heading)
{
	GArray *chosen = g_array_new(TRUE, FALSE, sizeof(struct column));
	struct table *table;

	columns_of_table(chosen, columns, which, 0);
	table = table_new((const struct column *)chosen->data);
	for (guint nr = 0; nr < rows->len; nr++) {
		const struct energy_row *row = &g_array_index(rows, struct energy_row, nr);

		if (which == ENERGY_SHARES || !strcmp(row->kind, "vgpu"))
			table_line(table, row);
	}
	table_print(table, heading, stdout);
	g_array_free(chosen, TRUE);
}

static void print_dearest(const struct energy_session *session)
{
	GArray *dearest = works_dearest(session->result, session->wanted->workloads);
	struct table *table = table_new(dear_work_columns);

	for (guint nr = 0; nr < dearest->len; nr++)
		table_line(table, &g_array_index(dearest, struct dear_work, nr));
	table_print(table, "Workloads that cost the most", stdout);
	g_array_free(dearest, TRUE);
}

static void print_note(const char *text)
{
	putchar('\n');
	screen_print(INDENT, stdout, "%s", text);
}

void energy_tables(const void *ctx)
{
	const struct energy_session *session = ctx;
	const struct energy_result *result = session->result;

	notes_head(&session->follow, stdout);
	if (session->coef) {
		print_coef(session->coef);
	} else {
		print_counter(session);
		print_gpu(session->timeline);
		print_fit(session);
	}
	print_rows(result->sums, energy_sum_columns, ENERGY_SHARES, "Where the GPU's energy went");
	if (several_engines(result))
		print_rows(result->engines, energy_columns, ENERGY_SHARES, "The same by engine");
	if (has_vgpus(result))
		print_rows(result->sums, energy_sum_columns, ENERGY_COSTS, "What a completed workload cost");
	if (has_vgpus(result) && several_engines(result))
		print_rows(result->engines, energy_columns, ENERGY_COSTS, "The same by engine");
	if (session->wanted->workloads && energy_knows_works(result))
		print_dearest(session);
	energy_notes(session, print_note);
	notes_tail(&session->follow, stdout);
}

/* one row of the sums in all intervals */
struct spark_line {
	const char *who;
	double least, most;		/* watts */
	const char *watts;
};

static void add_spark(struct table *table, const GArray *rows, guint first, guint step)
{
	guint count = rows->len / step;
	double *watts = g_new(double, count);
	struct spark_line line = { .least = NAN, .most = NAN };
	char text[BAR_LEN];

	for (guint nr = 0; nr < count; nr++) {
		const struct energy_interval *row = &g_array_index(rows, struct energy_interval, first + nr * step);

		line.who = row->who;
		watts[nr] = row->watts;
		line.least = fmin(line.least, row->watts);
		line.most = fmax(line.most, row->watts);
	}
	line.watts = sparkline(text, watts, count, line.most);
	table_line(table, &line);
	g_free(watts);
}

static void print_sparks(const struct energy_session *session, const GArray *rows)
{
	static const struct column columns[] = {
		{ NULL, COLUMN_TEXT, offsetof(struct spark_line, who), "VGPU" },
		{ NULL, COLUMN_REAL, offsetof(struct spark_line, least), "MIN-W" },
		{ NULL, COLUMN_REAL, offsetof(struct spark_line, most), "MAX-W" },
		{ NULL, COLUMN_TEXT, offsetof(struct spark_line, watts), "WATTS, 0 TO MAX" },
		{ 0 }
	};
	struct table *table = table_new(columns);
	char *heading = g_strdup_printf("Over time, in %u intervals of %.3f ms", session->result->spread->intervals,
					(double)session->wanted->interval_ns / NSEC_PER_MSEC);

	for (guint nr = 0; rows->len && nr < session->result->sums->len; nr++)
		add_spark(table, rows, nr, session->result->sums->len);
	table_print(table, heading, stdout);
	g_free(heading);
}

void energy_time_tables(const void *ctx)
{
	const struct energy_session *session = ctx;
	GArray *rows = over_time_rows(session->result);
	struct table *table = table_new(energy_interval_columns);

	notes_head(&session->follow, stdout);
	print_counter(session);
	print_sparks(session, rows);
	for (guint nr = 0; nr < rows->len; nr++)
		table_line(table, &g_array_index(rows, struct energy_interval, nr));
	table_print(table, "Each interval", stdout);
	energy_notes(session, print_note);
	notes_tail(&session->follow, stdout);
	g_array_free(rows, TRUE);
}
