// SPDX-License-Identifier: GPL-2.0-or-later
/* How long the GPU is idle with work pending at switches between vGPUs. */
#include <argp.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <jansson.h>
#include <stdlib.h>

#include "gaps.h"
#include "holds.h"
#include "intervals.h"
#include "tracecsv.h"

struct arguments {
	const char *workloads, *pieces, *events;
};

static const struct argp_option options[] = {
	{ "workloads", 'w', "FILE", 0, "output of gvt-stat list workloads --csv", 0 },
	{ "pieces", 'p', "FILE", 0, "output of gvt-stat list workloads --pieces --csv", 0 },
	{ "events", 'e', "FILE", 0, "output of trace-cmd report -R -N", 0 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'w': a->workloads = arg; break;
	case 'p': a->pieces = arg; break;
	case 'e': a->events = arg; break;
	case ARGP_KEY_END:
		if (!a->workloads || !a->pieces || !a->events)
			argp_error(state, "--workloads, --pieces and --events are needed");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options, .parser = parse_option,
	.doc = "Print how long the GPU is idle with work pending at each switch between vGPUs, as one "
	       "JSON document.\vTime in which the scheduler keeps the GPU idle on purpose "
	       "(gvt_sched_hold) is excluded and reported separately.",
};

static json_t *json_distribution(double *ns, size_t count)
{
	if (!count)
		return json_null();
	gsl_sort(ns, 1, count);
	return json_pack("{s:f, s:f, s:f}",
			 "p50_ns", gsl_stats_quantile_from_sorted_data(ns, 1, count, 0.50),
			 "p99_ns", gsl_stats_quantile_from_sorted_data(ns, 1, count, 0.99),
			 "max_ns", ns[count - 1]);
}

/* Includes successful holds, after which the same vGPU continues without a switch. */
static json_int_t sum_ns(const GArray *holds)
{
	const struct interval always = { INT64_MIN / 2, INT64_MAX / 2 };

	return intervals_covered(holds, &always);
}

static void print(const GArray *gaps, const GArray *holds)
{
	g_autofree double *pending = g_new(double, gaps->len + 1);
	g_autofree double *held = g_new(double, gaps->len + 1);
	json_t *document;

	for (guint i = 0; i < gaps->len; i++) {
		const struct gap *g = &g_array_index(gaps, struct gap, i);

		pending[i] = g->pending_ns;
		held[i] = g->held_ns;
	}
	document = json_pack("{s:i, s:o, s:o, s:i, s:I}", "switches", (int)gaps->len,
			     "pending", json_distribution(pending, gaps->len),
			     "held", json_distribution(held, gaps->len),
			     "holds", (int)holds->len, "holds_sum_ns", sum_ns(holds));
	json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(document);
}

static gboolean run(const struct arguments *a, GError **error)
{
	g_autoptr(GArray) pieces = tracecsv_pieces(a->pieces, error);
	g_autoptr(GArray) workloads = pieces ? tracecsv_workloads(a->workloads, error) : NULL;
	g_autoptr(GArray) holds = workloads ? holds_read(a->events, error) : NULL;
	g_autoptr(GArray) gaps = holds ? gaps_find(pieces, workloads, holds) : NULL;

	if (gaps)
		print(gaps, holds);
	return gaps != NULL;
}

int main(int argc, char **argv)
{
	struct arguments a = { 0 };
	g_autoptr(GError) error = NULL;
	gboolean ok;

	argp_err_exit_status = EXIT_FAILURE;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	ok = run(&a, &error);
	if (error)
		fprintf(stderr, "rig-gaps: %s\n", error->message);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
