// SPDX-License-Identifier: GPL-2.0-or-later
/* Each vGPU's service by the emulated GPU inside the window of a run, as JSON. */
#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "loadlog.h"
#include "owner.h"
#include "service.h"
#include "switched.h"
#include "truthlog.h"

#define WORST_LENGTH_NS 1000000000ll
#define WORST_STEP_NS 10000000ll

struct arguments {
	const char *truth, *load, *scenario;
};

static const struct argp_option options[] = {
	{ "truth", 't', "FILE", 0, "truth log of the emulated GPU", 0 },
	{ "load", 'l', "FILE", 0, "output of rig-load", 0 },
	{ "scenario", 's', "FILE", 0, "the scenario", 0 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 't': a->truth = arg; break;
	case 'l': a->load = arg; break;
	case 's': a->scenario = arg; break;
	case ARGP_KEY_END:
		if (!a->truth || !a->load || !a->scenario)
			argp_error(state, "--truth, --load and --scenario are needed");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options, .parser = parse_option,
	.doc = "Print how much of the rig's GPU each vGPU got in the window, as one JSON document.\v"
	       "Execution is the device's own word; it needs no trace and no patched kernel.",
};

/* NAN means unknown: null in JSON. */
static json_t *json_number(double x)
{
	return isnan(x) ? json_null() : json_real(x);
}

static json_t *json_ns(int64_t ns)
{
	return ns == LATENCY_UNKNOWN ? json_null() : json_integer(ns);
}

static double percent(const GArray *exec, const struct interval *window)
{
	return 100.0 * intervals_covered(exec, window) / (window->end_ns - window->begin_ns);
}

static json_t *json_engines(GHashTable *of, const struct interval *window)
{
	json_t *engines = json_object();
	GHashTableIter iter;
	const char *name;
	GArray *exec;

	g_hash_table_iter_init(&iter, of);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, (gpointer *)&exec))
		json_object_set_new(engines, name, json_real(percent(exec, window)));
	return engines;
}

static json_t *json_streams(const char *vgpu, const struct load_log *log)
{
	json_t *streams = json_object();

	for (guint i = 0; i < log->streams->len; i++) {
		const struct stream_result *r =
			&g_array_index(log->streams, struct stream_result, i);

		if (!strcmp(r->vgpu, vgpu))
			json_object_set_new(streams, r->stream, json_pack(
				"{s:I, s:I, s:I, s:o, s:o, s:o}", "done", (json_int_t)r->done,
				"failed", (json_int_t)r->failed, "hangs", (json_int_t)r->hangs,
				"latency_mean_ns", json_ns(r->latency_mean_ns),
				"latency_p99_ns", json_ns(r->latency_p99_ns),
				"latency_max_ns", json_ns(r->latency_max_ns)));
	}
	return streams;
}

struct total {
	double exec_percent;	/* sum over all vGPUs */
	double weight;		/* sum over vGPUs with streams */
};

static struct total add_up(const GArray *services, const struct interval *window)
{
	struct total sum = { 0, 0 };

	for (guint i = 0; i < services->len; i++) {
		const struct service *v = &g_array_index(services, struct service, i);

		sum.exec_percent += percent(v->exec, window);
		sum.weight += v->vgpu->n_streams ? v->vgpu->type->weight : 0;
	}
	return sum;
}

static json_t *json_vgpu(const struct service *v, const struct load_log *log,
			 const struct total *sum)
{
	double exec = percent(v->exec, &log->window);
	double weight = v->vgpu->n_streams ? v->vgpu->type->weight : NAN;

	return json_pack("{s:f, s:f, s:o, s:o, s:o, s:o}", "exec_percent", exec,
			 "had_percent", percent(v->had, &log->window),
			 "share_percent", json_number(100 * exec / sum->exec_percent),
			 "weight_percent", json_number(100 * weight / sum->weight),
			 "engines_percent", json_engines(v->engines, &log->window),
			 "streams", json_streams(v->vgpu->name, log));
}

static json_t *json_vgpus(const GArray *services, const struct load_log *log)
{
	const struct total sum = add_up(services, &log->window);
	json_t *vgpus = json_object();

	for (guint i = 0; i < services->len; i++) {
		const struct service *v = &g_array_index(services, struct service, i);

		json_object_set_new(vgpus, v->vgpu->name, json_vgpu(v, log, &sum));
	}
	return vgpus;
}

/* Execution for no vGPU, including i915's and GVT-g's own requests, which take no time. */
static json_t *json_host(GHashTable *engines, const struct scenario *s, const struct load_log *log)
{
	return json_pack("{s:o, s:o}", "engines_percent", json_engines(engines, &log->window),
			 "streams", json_streams(s->host.name, log));
}

/* Per cent of the window in which any vGPU executes */
static double busy_percent(const GArray *services, const struct interval *window)
{
	g_autoptr(GArray) all = intervals_new();

	for (guint i = 0; i < services->len; i++)
		intervals_add_all(all, g_array_index(services, struct service, i).exec);
	intervals_merge(all);
	return percent(all, window);
}

/* Stays, of vGPUs and in all, that a reset of the engine ended */
static json_t *json_resets(const GArray *truth, const struct interval *window)
{
	json_int_t vgpus = 0, all = 0;

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *p = &g_array_index(truth, struct truth_piece, i);

		if (!p->reset || p->stop_ns < window->begin_ns || p->stop_ns >= window->end_ns)
			continue;
		all++;
		vgpus += p->vgpu_id != 0;
	}
	return json_pack("{s:I, s:I}", "vgpus", vgpus, "all", all);
}

static json_t *json_switches(const GArray *notes, const GArray *truth,
			     const struct interval *interval)
{
	const struct covered window = { interval->begin_ns, interval->end_ns };
	struct switches s;

	switched_count(&s, notes, truth, &window);
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "live_to_vgpu", s.live_to_vgpu,
			 "live_to_host", s.live_to_host, "live_host", s.live_host,
			 "other", s.other, "other_host", s.other_host,
			 "registers", s.registers);
}

static void print(const GArray *services, const struct scenario *s, const struct load_log *log,
		  json_t *host, json_t *switches, json_t *resets)
{
	struct worst_window worst = services_worst_window(services, &log->window,
							  WORST_LENGTH_NS, WORST_STEP_NS);
	json_t *document = json_pack(
		"{s:I, s:I, s:f, s:o, s:o, s:{s:I, s:o, s:I, s:o}, s:o, s:o, s:o, s:o}",
		"begin_ns", (json_int_t)log->window.begin_ns,
		"end_ns", (json_int_t)log->window.end_ns,
		"busy_percent", busy_percent(services, &log->window),
		"least_to_most",
		json_number(services_least_to_most(services, &log->window, false)),
		"had_least_to_most",
		json_number(services_least_to_most(services, &log->window, true)),
		"worst_window", "length_ns", (json_int_t)WORST_LENGTH_NS,
		"least_to_most", json_number(worst.least_to_most),
		"begin_ns", (json_int_t)worst.begin_ns,
		"bound", json_number(services_bound(s, WORST_LENGTH_NS)),
		"vgpus", json_vgpus(services, log), "own_work", host, "switches", switches,
		"resets", resets);

	json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(document);
}

static gboolean run(const struct arguments *a, const struct scenario *s, GError **error)
{
	g_autoptr(GArray) truth = truthlog_read(a->truth, error);
	g_autoptr(GArray) notes = truth ? switched_read(a->truth, error) : NULL;
	struct load_log log;
	GArray *services;
	GHashTable *host;
	gboolean ok;

	if (!notes || !loadlog_read(&log, a->load, error))
		return FALSE;
	ok = owners_find(truth, s, &log, error);
	if (ok) {
		services = services_new(truth, s);
		host = services_nobodys(truth);
		print(services, s, &log, json_host(host, s, &log),
		      json_switches(notes, truth, &log.window), json_resets(truth, &log.window));
		g_hash_table_destroy(host);
		services_free(services);
	}
	g_array_free(log.streams, TRUE);
	return ok;
}

int main(int argc, char **argv)
{
	struct arguments a = { 0 };
	g_autoptr(GError) error = NULL;
	struct scenario *s;
	gboolean ok;

	argp_err_exit_status = EXIT_FAILURE;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	s = scenario_load(a.scenario, stderr);
	if (!s)
		return EXIT_FAILURE;
	ok = run(&a, s, &error);
	if (error)
		fprintf(stderr, "rig-service: %s\n", error->message);
	scenario_free(s);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
