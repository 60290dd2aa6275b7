// SPDX-License-Identifier: GPL-2.0-or-later
#include "report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

struct verdict {
	const char *name;
	bool ok;
};

#define VERDICTS 8

static const struct share *share_at(const struct comparison *c, guint i)
{
	return &g_array_index(c->shares, struct share, i);
}

static bool counts_equal(const struct comparison *c)
{
	for (guint i = 0; i < c->shares->len; i++) {
		if (share_at(c, i)->traced_done != share_at(c, i)->truth_done)
			return false;
	}
	return true;
}

static double util_difference(const struct share *s)
{
	return s->traced_util - s->truth_util;
}

static bool utils_equal(const struct comparison *c)
{
	for (guint i = 0; i < c->shares->len; i++) {
		if (fabs(util_difference(share_at(c, i))) > share_at(c, i)->tolerance)
			return false;
	}
	return true;
}

static bool judge(const struct comparison *c, double limit_ns, struct verdict *v)
{
	const struct verdict verdicts[VERDICTS] = {
		{ "every traced workload ran on the device",
		  c->workloads && c->workloads_matched == c->workloads && !c->traced_unmatched },
		{ "everything that ran on the device within the window is traced",
		  !c->truth_unmatched },
		{ "both sides agree on what was finished and what was interrupted",
		  !c->results_differ },
		{ "counts per vGPU and engine are equal", counts_equal(c) },
		{ "execution of each workload that was not reset differs by no more than the limit for each of its pieces",
		  c->exec_piece_max <= limit_ns },
		{ "utilisation is within the tolerance", utils_equal(c) },
		{ "no vGPU's registers are switched for another one while it executes",
		  c->switches.live_to_vgpu <= c->live_limit },
		{ "each stay of the host's work is as long as on the device, and none is missing",
		  c->hosts.worst_ns <= limit_ns && c->hosts.unseen_ns <= limit_ns },
	};
	bool ok = true;

	for (int i = 0; i < VERDICTS; i++) {
		v[i] = verdicts[i];
		ok = ok && v[i].ok;
	}
	return ok;
}

static void print_distribution(const char *name, const struct distribution *d)
{
	printf("# %-28s n %-6zu mean %9.3f  p50 %9.3f  p95 %9.3f  p99 %9.3f  max %9.3f us\n",
	       name, d->count, d->mean / 1e3, d->p50 / 1e3, d->p95 / 1e3, d->p99 / 1e3,
	       d->max / 1e3);
}

static void print_comparison(const struct comparison *c)
{
	printf("# window %.6f s, %u of %u workloads matched\n",
	       (c->window.end_ns - c->window.begin_ns) / 1e9, c->workloads_matched, c->workloads);
	printf("# pieces: %u matched, %u only traced, %u only on the device, %u cut by the window's edges, %u with other results\n",
	       c->matched, c->traced_unmatched, c->truth_unmatched, c->edges, c->results_differ);
	printf("# stays: %u finished and preempted in i915's busy-wait, %u traced as one with the stay before (%.3f us away in between), %u not traced without any command executed\n",
	       c->in_wait, c->resumed, c->away_ns / 1e3, c->empty);
	print_distribution("execution (trace - truth)", &c->exec);
	printf("# of it for each piece, at most %.3f us\n", c->exec_piece_max / 1e3);
	if (c->reset.count)
		print_distribution("execution until a reset", &c->reset);
	print_distribution("start offset", &c->start);
	print_distribution("stop offset", &c->stop);
	printf("# registers switched while a vGPU executed: %u times for another vGPU, %u for the host; while the host did: %u; begun with other values than left: %u by vGPUs, %u by the host\n",
	       c->switches.live_to_vgpu, c->switches.live_to_host, c->switches.live_host,
	       c->switches.other, c->switches.other_host);
	if (c->hosts.recorded)
		printf("# host: %u stays, %.3f ms traced, %.3f ms on the device; ends and gaps at most %.3f us off, at most %.3f us not traced\n",
		       c->hosts.stays, c->hosts.traced_ms, c->hosts.truth_ms, c->hosts.worst_ns / 1e3,
		       c->hosts.unseen_ns / 1e3);
	else
		puts("# host: its work is not in the trace");
	for (guint i = 0; i < c->shares->len; i++) {
		const struct share *s = share_at(c, i);

		printf("# vGPU %u on %-5s done %u traced, %u on the device; utilisation %.4f %% traced, %.4f %% on the device, difference %+.4f of %.4f percentage points allowed\n",
		       s->vgpu_id, s->engine, s->traced_done, s->truth_done, s->traced_util,
		       s->truth_util, util_difference(s), s->tolerance);
	}
}

static void print_energy(const struct energy *e)
{
	if (!e->told)
		return;
	for (int i = 0; i < ENERGY_STATES; i++)
		printf("# energy: %-6s %12.6f J in %.6f s\n", energy_state_name[i], e->nj[i] / 1e9, e->ns[i] / 1e9);
	for (guint i = 0; i < e->shares->len; i++) {
		const struct energy_share *s = &g_array_index(e->shares, struct energy_share, i);

		printf("# energy: vGPU %u on %-5s %12.6f J of its own, %.6f J with its part of what is shared\n",
		       s->vgpu_id, s->engine, s->own_nj / 1e9, s->fair_nj / 1e9);
	}
}

bool report_tap(const struct comparison *c, double limit_ns)
{
	struct verdict v[VERDICTS];
	bool ok = judge(c, limit_ns, v);

	print_comparison(c);
	print_energy(&c->energy);
	for (int i = 0; i < VERDICTS; i++)
		printf("%sok %d - %s\n", v[i].ok ? "" : "not ", i + 1, v[i].name);
	printf("1..%d\n", VERDICTS);
	return ok;
}

static json_t *json_distribution(const struct distribution *d)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f}", "count", (json_int_t)d->count,
			 "mean_ns", d->mean, "p50_ns", d->p50, "p95_ns", d->p95,
			 "p99_ns", d->p99, "max_ns", d->max);
}

static json_t *json_shares(const struct comparison *c)
{
	json_t *shares = json_array();

	for (guint i = 0; i < c->shares->len; i++) {
		const struct share *s = share_at(c, i);

		json_array_append_new(shares, json_pack(
			"{s:i, s:s, s:i, s:i, s:f, s:f, s:f}", "vgpu_id", s->vgpu_id,
			"engine", s->engine, "traced_done", s->traced_done,
			"truth_done", s->truth_done, "traced_util_percent", s->traced_util,
			"truth_util_percent", s->truth_util, "tolerance_pp", s->tolerance));
	}
	return shares;
}

static json_t *json_switches(const struct switches *s)
{
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "live_to_vgpu", s->live_to_vgpu,
			 "live_to_host", s->live_to_host, "live_host", s->live_host,
			 "other", s->other, "other_host", s->other_host,
			 "registers", s->registers);
}

/* null if the trace lacks it */
static json_t *json_hosts(const struct hosts *h)
{
	if (!h->recorded)
		return json_null();
	return json_pack("{s:i, s:f, s:f, s:f, s:f}", "stays", h->stays, "traced_ms", h->traced_ms,
			 "truth_ms", h->truth_ms, "worst_ns", h->worst_ns, "unseen_ns", h->unseen_ns);
}

static json_t *json_states(const struct energy *e)
{
	json_t *states = json_object();

	for (int i = 0; i < ENERGY_STATES; i++)
		json_object_set_new(states, energy_state_name[i],
				    json_pack("{s:I, s:f}", "ns", (json_int_t)e->ns[i], "joules", e->nj[i] / 1e9));
	return states;
}

/* null if the log does not tell */
static json_t *json_energy(const struct energy *e)
{
	json_t *shares;

	if (!e->told)
		return json_null();
	shares = json_array();
	for (guint i = 0; i < e->shares->len; i++) {
		const struct energy_share *s = &g_array_index(e->shares, struct energy_share, i);

		json_array_append_new(shares, json_pack("{s:i, s:s, s:f, s:f}", "vgpu_id", s->vgpu_id,
							"engine", s->engine, "own_joules", s->own_nj / 1e9,
							"fair_joules", s->fair_nj / 1e9));
	}
	return json_pack("{s:o, s:o}", "states", json_states(e), "shares", shares);
}

static json_t *json_verdicts(const struct verdict *v)
{
	json_t *verdicts = json_array();

	for (int i = 0; i < VERDICTS; i++)
		json_array_append_new(verdicts, json_pack("{s:s, s:b}", "name", v[i].name,
							  "ok", v[i].ok));
	return verdicts;
}

bool report_json(const struct comparison *c, double limit_ns)
{
	struct verdict v[VERDICTS];
	bool ok = judge(c, limit_ns, v);
	json_t *document = json_pack(
		"{s:b, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"agree", ok, "begin_ns", (json_int_t)c->window.begin_ns,
		"end_ns", (json_int_t)c->window.end_ns,
		"workloads", c->workloads, "workloads_matched", c->workloads_matched,
		"pieces_matched", c->matched, "pieces_only_traced", c->traced_unmatched,
		"pieces_only_truth", c->truth_unmatched, "pieces_without_command", c->empty,
		"pieces_at_edges", c->edges,
		"results_differ", c->results_differ, "finished_in_busy_wait", c->in_wait,
		"resumed", c->resumed, "resumed_away_ns", (json_int_t)c->away_ns,
		"execution", json_distribution(&c->exec), "execution_piece_max_ns", c->exec_piece_max,
		"execution_until_reset", json_distribution(&c->reset), "start", json_distribution(&c->start),
		"stop", json_distribution(&c->stop), "switches", json_switches(&c->switches), "shares", json_shares(c), "host", json_hosts(&c->hosts),
		"energy", json_energy(&c->energy),
		"verdicts", json_verdicts(v));

	json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(document);
	return ok;
}
