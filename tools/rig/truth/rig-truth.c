// SPDX-License-Identifier: GPL-2.0-or-later
/* Compare a trace with the log of the emulated GPU. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "fault.h"
#include "match.h"
#include "report.h"
#include "switched.h"
#include "tracecsv.h"
#include "tracefile.h"
#include "truthlog.h"
#include "trace/util.h"

#define DEFAULT_LIMIT_US 50

struct arguments {
	const char *truth, *trace, *workloads, *pieces;
	int64_t tsc_khz;
	double limit_ns;
	unsigned long live_limit;
	bool json;
};

#define KEY_TSC_KHZ	0x100

static const struct argp_option options[] = {
	{ "truth", 't', "FILE", 0, "truth log of the emulated GPU", 0 },
	{ "trace", 'i', "FILE", 0, "the trace, trace.dat", 0 },
	{ "tsc-khz", KEY_TSC_KHZ, "N", 0, "rate of the trace's clock x86-tsc, if not in the trace", 0 },
	{ "workloads", 'w', "FILE", 0,
	  "output of gvt-stat list workloads --csv, instead of the trace except for the host's work", 0 },
	{ "pieces", 'p', "FILE", 0, "and of gvt-stat list workloads --pieces --csv", 0 },
	{ "limit-us", 'l', "US", 0,
	  "allowed difference of a workload's execution for each of its pieces (default 50)", 0 },
	{ "live-switches", 's', "N", 0,
	  "how often a vGPU's registers may be switched to another vGPU's during execution (default 0)", 0 },
	{ "json", 'j', NULL, 0, "print one JSON document instead of TAP", 0 },
	{ 0 }
};

static void parse_limit(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;

	a->limit_ns = strtod(text, &end) * 1e3;
	if (*end || end == text || a->limit_ns < 0)
		argp_error(state, "--limit-us: \"%s\" is not a time", text);
}

static void parse_live_limit(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;

	a->live_limit = strtoul(text, &end, 10);
	if (*end || !g_ascii_isdigit(*text))
		argp_error(state, "--live-switches: \"%s\" is not a number", text);
}

static void parse_tsc_khz(struct arguments *a, const char *text, struct argp_state *state)
{
	if (!g_ascii_string_to_signed(text, 10, 1, INT32_MAX, &a->tsc_khz, NULL))
		argp_error(state, "--tsc-khz: \"%s\" is not a whole number of kHz", text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 't': a->truth = arg; break;
	case 'i': a->trace = arg; break;
	case KEY_TSC_KHZ: parse_tsc_khz(a, arg, state); break;
	case 'w': a->workloads = arg; break;
	case 'p': a->pieces = arg; break;
	case 'l': parse_limit(a, arg, state); break;
	case 's': parse_live_limit(a, arg, state); break;
	case 'j': a->json = true; break;
	case ARGP_KEY_END:
		if (!a->truth || (!a->trace && (!a->workloads || !a->pieces)))
			argp_error(state, "--truth is required, and --trace or --workloads and --pieces");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options, .parser = parse_option,
	.doc = "Compare a trace of the rig with the truth log of its emulated GPU.\v"
	       "Exit code 0 if they agree: every workload is on both sides, counts are equal, "
	       "execution differs by no more than the limit for each piece of a workload that was not reset, utilisation by no "
	       "more than 0.1 percentage points plus the measured offset times the rate; if the host's "
	       "own work, where the trace shows it, differs by no more than the limit for each of its contexts; and if no "
	       "vGPU's registers are switched for another one while it executes.\n\n"
	       "Three cases are no disagreement, and are counted: a workload that had finished when it was "
	       "preempted in i915's busy-wait behind its end, which the device calls preempted; one "
	       "that left for another request and was back before i915 reported it, which the trace shows as one piece; "
	       "and one that was preempted before it executed a command and within the limit, which the trace does not show.\n\n"
	       "If the GPU has a power-law, the joules of the whole log are printed by power state, and by vGPU and engine: what its "
	       "contexts drew, and the same with an equal part of what those share that execute at the same time.",
};

/* NULL with @error set if there is nothing to compare */
static GArray *read_traced(const struct arguments *a, GArray **hosts, struct covered *window,
			   GError **error)
{
	g_autoptr(GArray) traced = NULL;

	if (a->trace)
		traced = tracefile_pieces(a->trace, a->tsc_khz, hosts, window, error);
	if (!a->workloads || (a->trace && !traced))
		return g_steal_pointer(&traced);
	g_clear_pointer(&traced, g_array_unref);
	traced = tracecsv_pieces(a->pieces, error);
	if (!traced || !tracecsv_window(a->workloads, window, error))
		return NULL;
	return g_steal_pointer(&traced);
}

static int run(const struct arguments *a, GError **error)
{
	g_autoptr(GArray) truth = truthlog_read(a->truth, error);
	g_autoptr(GArray) notes = truth ? switched_read(a->truth, error) : NULL;
	struct covered window;
	g_autoptr(GArray) hosts = NULL;
	g_autoptr(GArray) traced = notes ? read_traced(a, &hosts, &window, error) : NULL;
	struct energy energy;
	struct comparison c;
	bool agree;

	if (!traced || !energy_read(&energy, a->truth, error))
		return EXIT_FAILURE;
	match_pieces(truth, traced, a->limit_ns);
	compare(&c, truth, traced, &window, a->limit_ns);
	hosts_compare(&c.hosts, truth, hosts, &window);
	switched_count(&c.switches, notes, truth, &window);
	c.live_limit = a->live_limit;
	c.energy = energy;
	energy_share_out(&c.energy, truth);
	agree = a->json ? report_json(&c, a->limit_ns) : report_tap(&c, a->limit_ns);
	comparison_free(&c);
	energy_free(&energy);
	return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct arguments a = { .limit_ns = DEFAULT_LIMIT_US * 1e3 };
	g_autoptr(GError) error = NULL;
	int code;

	argp_err_exit_status = EXIT_FAILURE;
	message_program = "rig-truth";
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	code = run(&a, &error);
	if (error)
		fprintf(stderr, "rig-truth: %s\n", error->message);
	return code;
}
