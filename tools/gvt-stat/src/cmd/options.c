// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/order.h"
#include "trace/engine.h"
#include "trace/timespan.h"
#include "trace/util.h"
#include "options.h"

enum option_key {
	KEY_JSON = 0x100,
	KEY_CSV,
	KEY_TIME,
	KEY_GPU,
	KEY_VGPU,
	KEY_ENGINE,
	KEY_TSC_KHZ,
	KEY_IN_PROCESS,
	KEY_NO_PAGER,
	KEY_COLUMNS,
	KEY_LIST,
	KEY_SORT = 's',
	KEY_LIMIT = 'n',
};

static const struct argp_option trace_options[] = {
	{ "input", 'i', "FILE", 0, "Trace recorded by trace-cmd (trace.dat)", 0 },
	{ "time", KEY_TIME, "FROM,TO", 0,
	  "Observe only this window: times as trace-cmd report prints them, or +TIME from the start of the trace; either may be empty", 0 },
	{ "gpu", KEY_GPU, "LIST", 0,
	  "Only these GPUs, by number as in dev, or by PCI address if gvt-stat recorded the trace: 0,1", 0 },
	{ "engine", KEY_ENGINE, "LIST", 0, "Only these engines: rcs0,vcs0", 0 },
	{ "tsc-khz", KEY_TSC_KHZ, "N", 0,
	  "Rate of the x86-tsc clock, for traces that do not contain it", 0 },
	{ 0 }
};

static const struct argp_option form_options[] = {
	{ "json", KEY_JSON, NULL, 0, "Print one JSON document", 1 },
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values", 1 },
	{ "columns", KEY_COLUMNS, "LIST", 0,
	  "Only these columns of --list, in this order, separated by commas", 1 },
	{ "sort", KEY_SORT, "COLUMN", 0, "Sort by this column: numbers in descending order, texts alphabetically", 1 },
	{ "limit", KEY_LIMIT, "N", 0, "Print only the first N lines of each table or list", 1 },
	{ "list", KEY_LIST, NULL, 0, "List the columns, with their units and headings, and exit", 1 },
	{ "no-pager", KEY_NO_PAGER, NULL, 0, "Print to the terminal directly, not through PAGER", 1 },
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "in-process", KEY_IN_PROCESS, NULL, 0,
	  "Read the trace in this process, for debuggers: crashes of libtracecmd are not caught", 2 },
	{ 0 }
};

static void parse_time(const char *arg, struct options *options, struct argp_state *state)
{
	if (!timespan_parse(arg, &options->selection.span))
		argp_error(state, "--time %s: give FROM,TO, such as 12.5,13 or +1,+2.5, or each as in " TIMESPAN_FORMS,
			   arg);
}

static void parse_tsc_khz(const char *arg, struct options *options, struct argp_state *state)
{
	guint64 khz;

	if (!g_ascii_string_to_unsigned(arg, 10, 1, INT32_MAX, &khz, NULL))
		argp_error(state, "--tsc-khz %s: give a whole number of kHz, such as 2400000", arg);
	options->selection.tsc_khz = khz;
}

static char **parse_list(const char *arg, const char *option, char **old,
			 struct argp_state *state)
{
	char **list = g_strsplit(arg, ",", -1);

	for (char **item = list; *item; item++)
		if (!**item)
			argp_error(state, "%s %s: an item of the list is empty", option, arg);
	if (!*list)
		argp_error(state, "%s: the list is empty", option);
	g_strfreev(old);
	return list;
}

static void list_tables(const struct column *const *tables)
{
	for (; *tables; tables++)
		columns_list(*tables, stdout);
}

static void set_format(struct options *options, enum output_format format,
		       struct argp_state *state)
{
	if (options->form.format != FORMAT_TABLE && options->form.format != format)
		argp_error(state, "--json and --csv: the output has one form; give one of them");
	options->form.format = format;
}

void options_input(struct options *options, char *arg, struct argp_state *state)
{
	if (options->has_input)
		argp_error(state, "'%s' is a second trace: one is read at a time, and 'gvt-stat compare' compares two; record host and guests, or several instances, into one file",
			   make_printable(arg));
	options->has_input = true;
	options->selection.input = strcmp(arg, "-") ? arg : "/dev/stdin";
}

static error_t parse_trace(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'i':
	case ARGP_KEY_ARG:
		options_input(options, arg, state);
		break;
	case KEY_TIME:
		parse_time(arg, options, state);
		break;
	case KEY_GPU:
		options->selection.gpus = parse_list(arg, "--gpu", options->selection.gpus, state);
		break;
	case KEY_ENGINE:
		options->selection.engines = parse_list(arg, "--engine", options->selection.engines, state);
		break;
	case KEY_TSC_KHZ:
		parse_tsc_khz(arg, options, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static error_t parse_form(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	guint64 limit;

	switch (key) {
	case 'h':
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		break;
	case KEY_JSON:
		set_format(options, FORMAT_JSON, state);
		break;
	case KEY_CSV:
		set_format(options, FORMAT_CSV, state);
		break;
	case KEY_COLUMNS:
		options->form.columns = parse_list(arg, "--columns", options->form.columns, state);
		break;
	case KEY_LIST:
		list_tables(options->tables);
		exit(EXIT_SUCCESS);
	case KEY_SORT:
		order.column = arg;
		break;
	case KEY_LIMIT:
		if (!g_ascii_string_to_unsigned(arg, 10, 0, INT32_MAX, &limit, NULL))
			argp_error(state, "-n %s: give a whole number, 0 for all", arg);
		order.limit = limit;
		break;
	case KEY_NO_PAGER:
		options->no_pager = true;
		break;
	case KEY_IN_PROCESS:
		options->in_process = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void options_vgpu(struct options *options, const char *arg, struct argp_state *state)
{
	options->selection.vgpus = parse_list(arg, "--vgpu", options->selection.vgpus, state);
}

static error_t parse_vgpu(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != KEY_VGPU)
		return ARGP_ERR_UNKNOWN;
	options_vgpu(options, arg, state);
	return 0;
}

static const struct argp_option vgpu_option[] = {
	{ "vgpu", KEY_VGPU, "LIST", 0, "Only these vGPUs, by number, UUID or name of the VM: 1,2", 0 },
	{ 0 }
};

const struct argp options_vgpu_argp = { vgpu_option, parse_vgpu, NULL, NULL, NULL, NULL, NULL };

const struct argp options_trace_argp = { trace_options, parse_trace, NULL, NULL, NULL, NULL, NULL };

const struct argp options_argp = { form_options, parse_form, NULL, NULL, NULL, NULL, NULL };

void options_init(struct options *options)
{
	*options = (struct options) { .in_process = false };
	selection_init(&options->selection);
}

void options_clear(struct options *options)
{
	selection_clear(&options->selection);
	g_strfreev(options->form.columns);
}

int64_t options_length(const char *arg, const char *option, int64_t least_ns, int64_t most_ns,
		       struct argp_state *state)
{
	int64_t ns;

	if (!timespan_length(arg, &ns) || ns < least_ns || ns > most_ns)
		argp_error(state, "%s %s: give a time from %g to %g s, such as " TIMESPAN_FORMS, option,
			   arg, (double)least_ns / NSEC_PER_SEC, (double)most_ns / NSEC_PER_SEC);
	return ns;
}

unsigned int options_number(const char *arg, const char *option, unsigned int most,
			    struct argp_state *state)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(arg, 10, 1, most, &number, NULL))
		argp_error(state, "%s %s: give a whole number from 1 to %u", option, arg, most);
	return number;
}
