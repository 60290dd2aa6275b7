// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "trace/util.h"
#include "compare.h"

#define LEAST_BLOCK_NS	1000
#define MOST_BLOCK_NS	(1000000 * NSEC_PER_SEC)

/* no condition holds, but at least one is unclear */
#define EXIT_UNCLEAR		3

enum compare_key {
	KEY_BLOCK = 0x700,
	KEY_MARGIN,
	KEY_FAIL_IF,
};

static struct {
	const char *paths[2];
	int count;
	int64_t block_ns;		/* 0: choose by the length of the traces */
	double margin_percent;
	char *both;			/* both paths, for messages about crashes of the library */
} arguments = { .margin_percent = COMPARE_MARGIN_PERCENT };

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
		arguments.block_ns = options_length(arg, "--block", LEAST_BLOCK_NS, MOST_BLOCK_NS, state);
		break;
	case KEY_MARGIN:
		arguments.margin_percent = parse_positive("margin", arg, 0, 1000,
							  "per cent, such as 5", state);
		break;
	case KEY_FAIL_IF:
		compare_demand(arg, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int status_of(const GArray *lines)
{
	enum condition_result worst = compare_demands_worst(lines);

	if (worst == CONDITION_HOLDS)
		return EXIT_FOUND;
	return worst == CONDITION_UNCLEAR ? EXIT_UNCLEAR : EXIT_SUCCESS;
}

static int run(const struct options *options)
{
	struct compare comparison = {
		.form = &options->form, .margin_percent = arguments.margin_percent,
	};
	int status;

	compare_read(&comparison, &options->selection, arguments.paths, arguments.block_ns);
	compare_print(&comparison);
	status = status_of(comparison.lines);
	compare_free(&comparison);
	return status;
}

static const struct argp_option option_table[] = {
	{ "block", KEY_BLOCK, "TIME", 0, "Length of the blocks that are assumed to be independent (about 1s, or a tenth of a trace that is shorter than 10 s)", 0 },
	{ "margin", KEY_MARGIN, "PERCENT", 0,
	  "Call a difference 'same' if it is not significant and certainly below PERCENT (5)", 0 },
	{ "fail-if", KEY_FAIL_IF, "CONDITION", 0,
	  "Exit with status 2 if it holds for a vGPU and engine, such as 'p99>+10%' or 'utilization<50'; may be given several times", 0 },
	{ 0 }
};

const struct command compare_command = {
	.name = "compare",
	.doc = "Compare the metrics of two traces, for example before and after a change of settings.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_HOST) |
		      QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_CANCELLED) |
		      QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS),
	.columns = TABLES(compare_columns),
	.argp = &(const struct argp) { option_table, parse_option, "BEFORE AFTER" },
	.run = run,
};
