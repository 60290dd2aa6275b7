// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat energy: divides what the GPU's energy counter counted among vGPUs, engines and the host.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/intervals.h"
#include "cmd/command.h"
#include "energy/powercap.h"
#include "trace/util.h"
#include "energy.h"

/* of the dearest workloads, unless the user says how many */
#define DEFAULT_WORKLOADS	10
#define MOST_WORKLOADS		1000000

static struct energy_wanted wanted;

static void check_samples(const struct energy_session *session, const char *path)
{
	const struct timeline *timeline = session->timeline;
	const struct timespan *span = &session->follow.selection->span;

	if (timeline->levels->len < 2 && timeline->reads.early->len)
		fatal("%s: has reads of register 0x641, but none of 0x606, which has the unit of the counter: record that as well, as by 'rdmsr 0x606'",
		      path);
	if (timeline->levels->len < 2)
		fatal("%s: has %s of the GPU's energy counter%s: record with 'gvt-stat record --energy'", path,
		      timeline->levels->len ? "only one sample" : "no samples",
		      timeline->bad ? ", but damaged marks '" ENERGY_PREFIX "...'" :
		      known(span->from.ns) || known(span->to.ns) ? " in the window" : "");
}

static void check_intervals(const struct energy_session *session)
{
	int64_t count = energy_intervals(session->timeline, wanted.interval_ns);

	if (count > INTERVALS_MAX)
		usage_error("--interval: %" PRId64 " intervals are too many, %d can be", count, INTERVALS_MAX);
}

/* divide what was counted, and keep the powers for predictions */
static struct energy_result *count(const struct energy_session *session, const char *path)
{
	struct energy_result *result;
	struct coef *coef;

	check_samples(session, path);
	check_intervals(session);
	result = energy_result_new(session->timeline, wanted.rule, wanted.interval_ns);
	if (!wanted.save_path)
		return result;
	if (!result->powers_known)
		fatal("--save-coef: no powers could be fitted to %s: see 'gvt-stat energy'", path);
	coef = coef_of_fit(result);
	coef_save(coef, wanted.save_path);
	coef_free(coef);
	return result;
}

static int run(const struct options *options)
{
	static const struct printers whole = { energy_lines, energy_json, energy_tables };
	static const struct printers over_time = { energy_lines, energy_json, energy_time_tables };
	struct selection selection = options->selection;
	const char *path = selection.input;
	struct energy_session session = { .form = &options->form, .wanted = &wanted };
	struct coef *coef = wanted.coef_path ? coef_read(wanted.coef_path) : NULL;
	bool all_added = true;

	energy_open(&session, &selection);
	session.coef = coef;
	if (coef)
		session.result = coef_result(coef, session.timeline);
	else
		session.result = count(&session, path);
	/* after what may end the program: what is added stays, and would be added again by who tries again */
	if (wanted.powercap)
		all_added = powercap_add(wanted.powercap, session.result);
	if (!wanted.save_path || strcmp(wanted.save_path, "-"))
		form_print(&options->form, wanted.interval_ns ? &over_time : &whole, &session);
	energy_close(&session);
	if (coef)
		coef_free(coef);
	return all_added ? EXIT_SUCCESS : EXIT_FAILURE;
}

enum energy_key {
	KEY_STATIC = 0xd00,
	KEY_WORKLOADS,
	KEY_INTERVAL,
	KEY_POWERCAP,
	KEY_COEF,
	KEY_SAVE_COEF,
};

#define LEAST_INTERVAL_NS	NSEC_PER_MSEC
#define MOST_INTERVAL_NS	(100000000 * NSEC_PER_SEC)

static void parse_static(char *arg, struct argp_state *state)
{
	for (enum static_rule rule = 0; rule < STATIC_RULES; rule++)
		if (!strcmp(arg, static_rule_name(rule))) {
			wanted.rule = rule;
			return;
		}
	argp_error(state, "--static %s: give busy, none or equal", make_printable(arg));
}

static void check_options(struct argp_state *state)
{
	if (wanted.workloads && wanted.interval_ns)
		argp_error(state, "--workloads and --interval: give one of them");
	if (wanted.coef_path && (wanted.save_path || wanted.powercap || wanted.rule != STATIC_BUSY ||
				 wanted.workloads || wanted.interval_ns))
		argp_error(state, "--coef predicts: give it without --save-coef, --powercap, --static, --workloads and --interval");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_STATIC:
		parse_static(arg, state);
		return 0;
	case KEY_WORKLOADS:
		wanted.workloads = arg ? options_number(arg, "--workloads", MOST_WORKLOADS, state) : DEFAULT_WORKLOADS;
		return 0;
	case KEY_INTERVAL:
		wanted.interval_ns = options_length(arg, "--interval", LEAST_INTERVAL_NS, MOST_INTERVAL_NS, state);
		return 0;
	case KEY_POWERCAP:
		wanted.powercap = arg;
		return 0;
	case KEY_COEF:
		wanted.coef_path = arg;
		return 0;
	case KEY_SAVE_COEF:
		wanted.save_path = arg;
		return 0;
	case ARGP_KEY_END:
		check_options(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option option_table[] = {
	{ "static", KEY_STATIC, "RULE", 0,
	  "Whose is what the GPU draws in any case: busy (those who execute, the default), none, equal (all vGPUs)", 0 },
	{ "workloads", KEY_WORKLOADS, "N", OPTION_ARG_OPTIONAL, "Also print the N (10) workloads that cost the most", 0 },
	{ "interval", KEY_INTERVAL, "TIME", 0, "Print energy over time, in intervals of 1s, 100ms, ...", 0 },
	{ "powercap", KEY_POWERCAP, "DIR", 0,
	  "Also add each VM's joules to DIR/VM/intel-rapl:0:1/energy_uj, for readers of RAPL in the guests", 0 },
	{ "save-coef", KEY_SAVE_COEF, "FILE", 0,
	  "Also write the fitted powers to a file, for predictions; - is the standard output", 0 },
	{ "coef", KEY_COEF, "FILE", 0,
	  "Predict energy from such a file: needs no samples of the counter", 0 },
	{ 0 }
};

const struct command energy_command = {
	.name = "energy",
	.doc = "Show how many joules of the GPU's energy counter went to each vGPU, engine and the host.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_HOST) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS),
	.columns = TABLES(energy_columns, dear_work_columns, energy_interval_columns),
	.argp = &(const struct argp) { option_table, parse },
	.run = run,
};
