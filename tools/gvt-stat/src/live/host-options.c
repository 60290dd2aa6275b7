// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <glib.h>

#include "host-options.h"

enum host_key {
	KEY_SYSROOT = 0x400,
	KEY_GPU,
	KEY_VGPU,
	KEY_JSON,
	KEY_ENGINE,
	KEY_COLUMNS,
	KEY_CSV,
};

static char **parse_list(const char *arg, const char *option, char **old, struct argp_state *state)
{
	char **list = g_strsplit(arg, ",", -1);

	if (!*list)
		argp_error(state, "%s: the list is empty", option);
	for (char **item = list; *item; item++)
		if (!**item)
			argp_error(state, "%s %s: an item of the list is empty", option, arg);
	g_strfreev(old);
	return list;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct host_options *options = state->input;

	if (key == ARGP_KEY_END && options->json && options->csv)
		argp_error(state, "--json and --csv: the output has one form; give one of them");
	if (key == 'h')
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
	else if (key == KEY_SYSROOT)
		options->sysroot = arg;
	else if (key == KEY_GPU)
		options->gpus = parse_list(arg, "--gpu", options->gpus, state);
	else if (key == KEY_VGPU)
		options->vgpus = parse_list(arg, "--vgpu", options->vgpus, state);
	else if (key == KEY_ENGINE)
		options->engines = parse_list(arg, "--engine", options->engines, state);
	else if (key == KEY_COLUMNS)
		options->columns = parse_list(arg, "--columns", options->columns, state);
	else if (key == KEY_CSV)
		options->csv = true;
	else if (key == KEY_JSON)
		options->json = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

#define SYSROOT_OPTION							\
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 },			\
	{ "sysroot", KEY_SYSROOT, "DIR", 0,				\
	  "Use DIR/sys and DIR/proc instead of the host's, for tests and copies of a host", 2 }

static const struct argp_option sysroot_option[] = { SYSROOT_OPTION, { 0 } };

static const struct argp_option all_options[] = {
	{ "gpu", KEY_GPU, "LIST", 0,
	  "Only these GPUs, by PCI address or number of the card: 0000:00:02.0", 0 },
	{ "vgpu", KEY_VGPU, "LIST", 0, "Only these vGPUs, by id or UUID: 1,2", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 1 },
	SYSROOT_OPTION,
	{ 0 }
};

static const struct argp_option lines_options[] = {
	{ "engine", KEY_ENGINE, "LIST", 0, "Only these engines: rcs0,vcs0", 0 },
	{ "columns", KEY_COLUMNS, "LIST", 0,
	  "Only these columns, in this order: vgpu_id,exec_percent", 1 },
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values", 1 },
	{ 0 }
};

const struct argp lines_argp = { lines_options, parse, NULL, NULL, NULL, NULL, NULL };
const struct argp sysroot_argp = { sysroot_option, parse, NULL, NULL, NULL, NULL, NULL };
const struct argp host_argp = { all_options, parse, NULL, NULL, NULL, NULL, NULL };

void host_options_clear(struct host_options *options)
{
	g_strfreev(options->gpus);
	g_strfreev(options->vgpus);
	g_strfreev(options->engines);
	g_strfreev(options->columns);
}
