// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat: where the time of GVT-g's vGPUs goes, from a trace.
 */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "policy.h"
#include "report.h"
#include "supervise.h"
#include "util.h"
#include "workloads.h"

const char *argp_program_version = "gvt-stat " GVT_STAT_VERSION;

struct command {
	const char *name;
	const char *help;
	int (*main)(int argc, char **argv);
};

struct job {
	int (*command)(void *arg);
	void *arg;
};

/* A command that could not write all of its output has not succeeded. */
static int run_job(void *arg)
{
	const struct job *job = arg;
	int status = job->command(job->arg);

	if (fflush(stdout) || ferror(stdout))
		fatal("cannot write the output: %s", strerror(errno));
	return status;
}

static int run(const struct options *options, int (*command)(void *arg), void *arg)
{
	struct job job = { command, arg };

	if (options->in_process)
		return run_job(&job);
	return supervise(options->input, SUPERVISE_CPU_SECONDS, run_job, &job);
}

static error_t parse_report(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

static int report_main(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.parser = parse_report,
		.doc = "Report utilisation, queue length, wait, latency, slices and memory per vGPU and engine.",
		.children = children,
	};
	struct options options;
	int status;

	options_init(&options);
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	status = run(&options, report_run, &options);
	options_clear(&options);
	return status;
}

#define KEY_PIECES	0x200

static error_t parse_workloads(int key, char *arg, struct argp_state *state)
{
	struct workloads_options *options = state->input;

	(void)arg;
	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = &options->common;
	else if (key == KEY_PIECES)
		options->pieces = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static int workloads_main(int argc, char **argv)
{
	static const struct argp_option option_table[] = {
		{ "pieces", KEY_PIECES, NULL, 0,
		  "One line per stretch of execution instead of per workload", 0 },
		{ 0 }
	};
	static const struct argp_child children[] = { { &options_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_workloads,
		.doc = "List every workload with its timestamps (ns) and durations.",
		.children = children,
	};
	struct workloads_options options = { .pieces = false };
	int status;

	options_init(&options.common);
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	status = run(&options.common, workloads_run, &options);
	options_clear(&options.common);
	return status;
}

static const struct command commands[] = {
	{ "report", "metrics per vGPU and engine", report_main },
	{ "workloads", "one line per workload, or per stretch of execution", workloads_main },
	{ "policy", "show and set the scheduler's settings", policy_main },
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name)
{
	for (size_t nr = 0; nr < NR_COMMANDS; nr++)
		if (!strcmp(commands[nr].name, name))
			return &commands[nr];
	return NULL;
}

/* The rest of the line belongs to the command: stop at its name. */
static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	const struct command **command = state->input;

	if (key == ARGP_KEY_ARG) {
		*command = find_command(arg);
		if (!*command)
			argp_error(state, "'%s' is no command", arg);
		state->next = state->argc;
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "give a command");
	return ARGP_ERR_UNKNOWN;
}

/* argp prints what follows the vertical tab after the options */
static char *list_commands(int key, const char *text, void *input)
{
	char *list = NULL;
	size_t size;
	FILE *stream;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA)
		return (char *)text;
	stream = open_memstream(&list, &size);
	fputs("Commands:\n", stream);
	for (size_t nr = 0; nr < NR_COMMANDS; nr++)
		fprintf(stream, "  %-12s %s\n", commands[nr].name, commands[nr].help);
	fputs("\n'gvt-stat COMMAND --help' tells a command's options.", stream);
	fclose(stream);
	return list;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_main,
		.args_doc = "COMMAND [OPTION...]",
		.doc = "Show where the time of GVT-g's virtual GPUs goes, from a trace of trace-cmd.\v",
		.help_filter = list_commands,
	};
	const struct command *command = NULL;
	char name[64];
	int first;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = EXIT_USAGE;
	for (first = 1; first < argc && argv[first][0] == '-'; first++)
		;
	argp_parse(&argp, first < argc ? first + 1 : argc, argv, ARGP_IN_ORDER, NULL, &command);
	snprintf(name, sizeof(name), "gvt-stat %s", command->name);
	argv[first] = name;
	return command->main(argc - first, argv + first);
}
