// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat: where the time of GVT-g's vGPUs goes, from a trace.
 */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "host/supervise.h"
#include "output/progress.h"
#include "output/order.h"
#include "trace/util.h"
#include "command.h"

const char *argp_program_version = "gvt-stat " GVT_STAT_VERSION;

/* in the order in which --help lists them */
static const struct command *const commands[] = {
	&report_command,
	&workloads_command,
	&timehist_command,
	&map_command,
	&gaps_command,
	&blame_command,
	&check_command,
	&vcpu_command,
	&critical_command,
	&compare_command,
	&export_command,
	&simulate_command,
	&advise_command,
	&profile_command,
	&calibrate_command,
	&predict_command,
	&learn_command,
	&place_command,
	&record_command,
	&policy_command,
	&top_command,
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

struct job {
	const struct command *command;
	const struct options *options;
};

/* A command that could not write all of its output has not succeeded. */
static int run_job(void *arg)
{
	const struct job *job = arg;
	int status;

	supervise_allow(job->options->selection.input);
	status = job->command->run(job->options);
	if (fflush(stdout) || ferror(stdout))
		fatal("cannot write the output: %s", strerror(errno));
	return status;
}

static int run(const struct command *command, const struct options *options)
{
	struct job job = { command, options };

	if (options->in_process)
		return run_job(&job);
	return supervise(options->selection.input, SUPERVISE_CPU_SECONDS, run_job, &job);
}

/* the option parsers of a command: its own, and those that all have */
struct parsers {
	struct argp_child children[5];
	int count;
	struct options *options;
};

static error_t parse_command(int key, char *arg, struct argp_state *state)
{
	const struct parsers *parsers = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	for (int nr = 0; nr < parsers->count; nr++)
		state->child_inputs[nr] = parsers->options;
	return 0;
}

static void check_columns(const struct options *options, const struct column *const *tables)
{
	form_check_columns(options->form.columns, tables);
	order_check(tables);
}

static void parse_command_line(const struct command *command, int argc, char **argv,
			       struct options *options)
{
	struct parsers parsers = { .options = options };
	const struct argp argp = {
		.parser = parse_command,
		.doc = command->doc,
		.children = parsers.children,
	};

	if (command->argp)
		parsers.children[parsers.count++].argp = command->argp;
	if (!(command->flags & (COMMAND_OWN_VGPU | COMMAND_NO_TRACE)))
		parsers.children[parsers.count++].argp = &options_vgpu_argp;
	if (!(command->flags & COMMAND_NO_TRACE))
		parsers.children[parsers.count++].argp = &options_trace_argp;
	parsers.children[parsers.count++].argp = &options_argp;
	argp_parse(&argp, argc, argv, 0, NULL, &parsers);
	if (!(command->flags & COMMAND_OWN_COLUMNS))
		check_columns(options, command->columns);
}

static void alive(const struct trace_info *trace)
{
	supervise_alive();
	progress_alive(trace);
}

static void done(void)
{
	supervise_done();
	progress_done();
}

static int command_main(const struct command *command, int argc, char **argv)
{
	struct options options;
	int status;

	if (command->main)
		return command->main(argc, argv);
	options_init(&options);
	options.form.command = command->name;
	options.selection.quantities = command->quantities;
	options.selection.alive = alive;
	options.selection.done = done;
	options.tables = command->columns;
	parse_command_line(command, argc, argv, &options);
	status = run(command, &options);
	options_clear(&options);
	return status;
}

static const struct command *find_command(const char *name)
{
	for (size_t nr = 0; nr < NR_COMMANDS; nr++)
		if (!strcmp(commands[nr]->name, name))
			return commands[nr];
	return NULL;
}

/* what the command line begins with */
struct choice {
	const struct command *command;
	bool help;			/* "help COMMAND", or "help" with none */
};

/* The rest of the line belongs to the command: stop at its name. */
static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	struct choice *choice = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (!choice->help && !strcmp(arg, "help")) {
		choice->help = true;
		return 0;
	}
	choice->command = find_command(arg);
	if (!choice->command)
		argp_error(state, "'%s' is no command", make_printable(arg));
	state->next = state->argc;
	return 0;
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
		fprintf(stream, "  %-12s %s\n", commands[nr]->name, commands[nr]->help);
	fputs("  help         show the options of a command: gvt-stat help COMMAND\n"
	      "\nWithout a command, gvt-stat runs report.", stream);
	fclose(stream);
	return list;
}

/* "gvt-stat -i FILE" is a report, but "gvt-stat --help" is not its help */
static bool is_report(int argc, char **argv)
{
	static const char *const ours[] = { "--help", "-?", "--usage", "--version", "-V", NULL };

	return argc < 2 || (argv[1][0] == '-' && !g_strv_contains(ours, argv[1]));
}

static int run_command(const struct command *command, int argc, char **argv)
{
	char name[64];

	snprintf(name, sizeof(name), "gvt-stat %s", command->name);
	argv[0] = name;
	return command_main(command, argc, argv);
}

static int print_help(const struct argp *argp, const struct command *command)
{
	char *argv[] = { (char *)"gvt-stat", (char *)"--help", NULL };

	if (command)
		return run_command(command, 2, argv);
	return argp_parse(argp, 2, argv, 0, NULL, NULL);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_main,
		.args_doc = "[COMMAND] [OPTION...]",
		.doc = "Analyse a trace of GVT-g: where the time of virtual GPUs goes.\v",
		.help_filter = list_commands,
	};
	struct choice choice = { .command = NULL };
	int last;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = EXIT_USAGE;
	if (is_report(argc, argv))
		return run_command(&report_command, argc, argv);
	/* up to the command: what follows is its own */
	for (last = 1; last < argc && (argv[last][0] == '-' || !strcmp(argv[last], "help")); last++)
		;
	argp_parse(&argp, last < argc ? last + 1 : argc, argv, ARGP_IN_ORDER, NULL, &choice);
	if (choice.help || !choice.command)
		return print_help(&argp, choice.command);
	return run_command(choice.command, argc - last, argv + last);
}
