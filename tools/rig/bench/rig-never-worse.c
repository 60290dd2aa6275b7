// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether preemptive dispatch is worse than another mode anywhere: a table with intervals. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "never.h"

/* How much longer latencies may be than in the better other mode. */
#define LATENCY_FACTOR 1.05

struct arguments {
	const char *rows, *runs, *settings;
	unsigned long n;
};

static const struct argp_option options[] = {
	{ "rows", 'r', "FILE", 0, "the table of rows", 0 },
	{ "runs", 'd', "DIR", 0, "directory of the runs' results", 0 },
	{ "settings", 's', "NAME,...", 0, "settings of the device, in this order", 0 },
	{ "number", 'n', "N", 0, "runs of each row, mode and setting", 0 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	char *end;

	switch (key) {
	case 'r': a->rows = arg; break;
	case 'd': a->runs = arg; break;
	case 's': a->settings = arg; break;
	case 'n':
		a->n = strtoul(arg, &end, 10);
		if (end == arg || *end || a->n < 1 || a->n > 1000)
			argp_error(state, "--number: '%s' is not 1 to 1000", arg);
		break;
	case ARGP_KEY_END:
		if (!a->rows || !a->runs || !a->settings || !a->n)
			argp_error(state, "--rows, --runs, --settings and --number are needed");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options, .parser = parse_option,
	.doc = "Compare preemptive dispatch with the other modes, row by row, and judge.\v"
	       "Figures are means of the runs with the half of their 95 % interval (Student's t). "
	       "A missed goal is not an error.",
};

/* ---- cells ----------------------------------------------------------------- */

static void print_spread(const struct spread *s, int decimals)
{
	if (isnan(s->mean))
		printf(" unknown |");
	else if (isnan(s->half))
		printf(" %.*f |", decimals, s->mean);
	else
		printf(" %.*f +-%.*f |", decimals, s->mean, decimals, s->half);
}

/* Met, missed, and whether the interval confirms it */
static void print_verdict(double slack, double half)
{
	if (isnan(slack))
		printf(" unknown |\n");
	else
		printf(" %s%s |\n", slack >= 0 ? "met" : "**missed**",
		       !isnan(half) && fabs(slack) < half ? ", within the interval" : "");
}

static void count_verdict(double slack, unsigned int counts[3])
{
	counts[isnan(slack) ? 2 : slack < 0]++;
}

struct line {
	const char *row, *setting, *figure;
	const struct spread *modes;
	int decimals;
	const char *relation;
	double goal, slack;
};

static void print_line(const struct line *l, unsigned int counts[3])
{
	printf("| %s | %s | %s |", l->row, l->setting, l->figure);
	for (int m = 0; m < NEVER_MODES; m++)
		print_spread(&l->modes[m], l->decimals);
	if (isnan(l->goal))
		printf(" unknown |");
	else
		printf(" %s %.*f |", l->relation, l->decimals, l->goal);
	print_verdict(l->slack, l->modes[NEVER_PREEMPTIVE].half);
	count_verdict(l->slack, counts);
}

/* ---- rows ------------------------------------------------------------------ */

static void spreads(struct spread to[NEVER_MODES], const struct never_values *v, int figure)
{
	for (int m = 0; m < NEVER_MODES; m++)
		to[m] = spread_of(v->v[m][figure], v->n);
}

static void judge_fairness(const struct never_row *row, const char *setting,
			   const struct never_values *v, unsigned int counts[3])
{
	struct spread s[NEVER_MODES];
	struct line line = { row->name, setting, "least/most service", s, 3, ">=",
			     row->fairness, 0 };

	if (!row->full[0] || row->fairness <= 0)
		return;
	spreads(s, v, NEVER_FAIRNESS);
	line.slack = s[NEVER_PREEMPTIVE].mean - row->fairness;
	print_line(&line, counts);
}

static void judge_latency(const struct never_row *row, const char *setting, const char *figure,
			  const struct never_values *v, int which, unsigned int counts[3])
{
	struct spread s[NEVER_MODES];
	struct line line = { row->name, setting, figure, s, 2, "<=", 0, 0 };

	spreads(s, v, which);
	/* fmin() returns the other value if one is unknown */
	line.goal = LATENCY_FACTOR * fmin(s[NEVER_EXCLUSIVE].mean, s[NEVER_PER_ENGINE].mean);
	line.slack = line.goal - s[NEVER_PREEMPTIVE].mean;
	print_line(&line, counts);
}

static const struct never_row *find_row(const GPtrArray *rows, const char *name)
{
	for (guint i = 0; i < rows->len; i++) {
		const struct never_row *row = g_ptr_array_index(rows, i);

		if (!strcmp(row->name, name))
			return row;
	}
	return NULL;
}

static double p99_alone(const struct never_row *alone, const struct arguments *a,
			const char *setting, GError **error)
{
	struct never_values *v = never_values_read(alone, a->runs, setting, a->n, error);
	double p99 = v ? spread_of(v->v[NEVER_PREEMPTIVE][NEVER_P99], v->n).mean : NAN;

	never_values_free(v);
	return p99;
}

/* Quality of service: as alone, plus at most the hogs' longest piece. */
static gboolean judge_service(const struct never_row *row, const GPtrArray *rows,
			      const struct arguments *a, const char *setting,
			      const struct never_values *v, unsigned int counts[3], GError **error)
{
	const struct never_row *alone = find_row(rows, row->alone);
	struct spread s[NEVER_MODES];
	struct line line = { row->name, setting, "p99 latency against alone, ms", s, 2, "<=", NAN, 0 };

	spreads(s, v, NEVER_P99);
	if (alone)
		line.goal = p99_alone(alone, a, setting, error) + row->allowed_ms;
	line.slack = line.goal - s[NEVER_PREEMPTIVE].mean;
	print_line(&line, counts);
	return !*error;
}

static gboolean judge(const struct never_row *row, const GPtrArray *rows,
		      const struct arguments *a, const char *setting, unsigned int counts[3],
		      GError **error)
{
	struct never_values *v = never_values_read(row, a->runs, setting, a->n, error);
	gboolean good = TRUE;

	if (!v)
		return FALSE;
	judge_fairness(row, setting, v, counts);
	if (row->shorts[0]) {
		judge_latency(row, setting, "mean latency, ms", v, NEVER_MEAN, counts);
		judge_latency(row, setting, "p99 latency, ms", v, NEVER_P99, counts);
	}
	if (row->alone)
		good = judge_service(row, rows, a, setting, v, counts, error);
	never_values_free(v);
	return good;
}

static gboolean judge_all(const GPtrArray *rows, const struct arguments *a, GError **error)
{
	g_auto(GStrv) settings = g_strsplit(a->settings, ",", -1);
	unsigned int counts[3] = { 0 };

	printf("| row | device | figure | exclusive | per-engine | preemptive | goal | |\n"
	       "|---|---|---|---|---|---|---|---|\n");
	for (guint i = 0; i < rows->len; i++)
		for (int s = 0; settings[s]; s++)
			if (!judge(g_ptr_array_index(rows, i), rows, a, settings[s], counts, error))
				return FALSE;
	printf("\n%u met, %u missed, %u unknown; n = %lu\n", counts[0], counts[1], counts[2], a->n);
	return TRUE;
}

int main(int argc, char **argv)
{
	struct arguments a = { 0 };
	g_autoptr(GError) error = NULL;
	GPtrArray *rows;
	gboolean good;

	argp_err_exit_status = 1;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	rows = never_rows_read(a.rows, &error);
	good = rows && judge_all(rows, &a, &error);
	if (!good)
		fprintf(stderr, "rig-never-worse: %s\n", error->message);
	if (rows)
		g_ptr_array_unref(rows);
	return good ? 0 : 1;
}
