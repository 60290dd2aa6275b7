// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Command line of gvt-stat, gvt-view and gvt-plan. Compiled once for each program, with PROGRAM and
 * PROGRAM_NAME, and linked with the commands of that program.
 */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "host/supervise.h"
#include "output/order.h"
#include "output/progress.h"
#include "trace/timespan.h"
#include "trace/util.h"
#include "catalogue.h"
#include "pager.h"

/* in the environment of a program that another one has handed its command over to */
#define HANDED_OVER	"GVT_STAT_HANDED_OVER"
static bool handed_over;

const char *argp_program_version = PROGRAM_NAME " " GVT_STAT_VERSION;

struct job {
	const struct command *command;
	const struct options *options;
};

/* A write error of the output makes the command fail. */
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

	if (form_is_tables(&options->form) && !options->no_pager)
		pager_start();
	if (options->in_process)
		return run_job(&job);
	return supervise(options->selection.input, SUPERVISE_CPU_SECONDS, run_job, &job);
}

/* the option parsers of a command: its own, and the common ones */
struct parsers {
	struct argp_child children[5];
	int count;
	struct options *options;
	const struct entry *entry;
};

/* A word that names no file may be a misspelt detail, unless the command takes other words. */
static void check_argument(const struct entry *entry, char *arg, struct argp_state *state)
{
	const struct argp *own = entry->command->argp;
	const struct entry *detail = catalogue_detail(entry->name, NULL);
	g_autoptr(GString) names = g_string_new(NULL);

	if (!detail || (own && own->args_doc) || !strcmp(arg, "-") || g_file_test(arg, G_FILE_TEST_EXISTS))
		return;
	for (; detail; detail = catalogue_detail(entry->name, detail))
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", detail->name);
	argp_error(state, "'%s' is no trace, and none of these commands: %s", make_printable(arg), names->str);
}

static error_t parse_command(int key, char *arg, struct argp_state *state)
{
	const struct parsers *parsers = state->input;

	if (key == ARGP_KEY_ARG)
		check_argument(parsers->entry, arg, state);
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

/* argp prints it after the options */
static char *list_details(int key, const char *text, void *input)
{
	const struct parsers *parsers = input;
	const struct entry *detail = NULL;
	GString *list;

	if (key != ARGP_KEY_HELP_EXTRA || !catalogue_detail(parsers->entry->name, NULL))
		return (char *)text;
	list = g_string_new("In detail:");
	while ((detail = catalogue_detail(parsers->entry->name, detail)))
		g_string_append_printf(list, "\n  %-15s %s", detail->name, detail->help);
	return g_string_free(list, FALSE);
}

static void parse_command_line(const struct entry *entry, int argc, char **argv,
			       struct options *options)
{
	const struct command *command = entry->command;
	bool takes_trace = !(command->flags & COMMAND_NO_TRACE);
	struct parsers parsers = { .options = options, .entry = entry };
	const struct argp argp = {
		.parser = parse_command,
		.doc = command->doc,
		.args_doc = takes_trace && !(command->argp && command->argp->args_doc) ? "[TRACE]" : NULL,
		.children = parsers.children,
		.help_filter = list_details,
	};

	if (command->argp)
		parsers.children[parsers.count++].argp = command->argp;
	if (takes_trace && !(command->flags & COMMAND_OWN_VGPU))
		parsers.children[parsers.count++].argp = &options_vgpu_argp;
	if (takes_trace)
		parsers.children[parsers.count++].argp = &options_trace_argp;
	parsers.children[parsers.count++].argp = &options_argp;
	argp_parse(&argp, argc, argv, 0, NULL, &parsers);
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

static int command_main(const struct entry *entry, int argc, char **argv)
{
	const struct command *command = entry->command;
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
	parse_command_line(entry, argc, argv, &options);
	status = run(command, &options);
	options_clear(&options);
	return status;
}

/* the begin of the command line, up to the command */
struct choice {
	const struct entry *entry;
	bool help;			/* "help COMMAND", or "help" with none */
};

static _Noreturn void no_command(char *name, struct argp_state *state)
{
	const struct entry *nearest = catalogue_nearest(name);

	if (g_file_test(name, G_FILE_TEST_IS_REGULAR))
		argp_error(state, "'%s' is no command; did you mean report %s?", make_printable(name),
			   make_printable(name));
	if (nearest)
		argp_error(state, "'%s' is no command; did you mean %s?", make_printable(name), nearest->name);
	argp_error(state, "'%s' is no command", make_printable(name));
	exit(EXIT_USAGE);
}

/* Stops at the command's name: the rest of the line belongs to the command. */
static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	struct choice *choice = state->input;

	if (key == 'h')
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (!strcmp(arg, "help")) {
		choice->help = true;
		return 0;
	}
	choice->entry = catalogue_find(arg);
	if (!choice->entry)
		no_command(arg, state);
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
	catalogue_list(PROGRAM, stream);
	fputs("\n  help         show the options of a command: " PROGRAM_NAME " help COMMAND\n", stream);
	fputs("\nA time is in seconds, or has a unit: " TIMESPAN_FORMS, stream);
	if (PROGRAM == PROGRAM_STAT)
		fputs("\nAlone, gvt-stat runs status; with options, report.", stream);
	fclose(stream);
	return list;
}

/* "gvt-stat -i FILE" runs report, but "gvt-stat --help" does not; NULL: a command follows */
static const char *default_command(int argc, char **argv)
{
	static const char *const ours[] = { "--help", "-h", "-?", "--usage", "--version", "-V", NULL };

	if (PROGRAM != PROGRAM_STAT && PROGRAM != PROGRAM_ALL)
		return NULL;
	if (argc < 2)
		return "status";
	return argv[1][0] == '-' && !g_strv_contains(ours, argv[1]) ? "report" : NULL;
}

/* looks in the directory of this program, as git does */
static _Noreturn void run_other(enum program program, char **argv)
{
	char *self = g_file_read_link("/proc/self/exe", NULL);
	char *dir = self ? g_path_get_dirname(self) : g_strdup(".");
	char *path = g_build_filename(dir, program_name(program), NULL);

	/* should that program be a copy of this one */
	if (handed_over)
		fatal("%s: is not %s: install it anew", path, program_name(program));
	setenv(HANDED_OVER, "1", 1);
	execv(path, argv);
	fatal("%s: cannot be run: %s; it is installed together with gvt-stat", path, strerror(errno));
}

static int run_command(const struct entry *entry, int argc, char **argv)
{
	char name[64];

	if (PROGRAM != PROGRAM_ALL && entry->program != PROGRAM) {
		char **line = g_new0(char *, argc + 2);

		line[0] = (char *)"gvt-stat";
		line[1] = (char *)entry->name;
		memcpy(line + 2, argv + 1, (argc - 1) * sizeof(*argv));
		run_other(entry->program, line);
	}
	snprintf(name, sizeof(name), "gvt-stat %s", entry->name);
	argv[0] = name;
	return command_main(entry, argc, argv);
}

static int print_help(const struct argp *argp, const struct entry *entry)
{
	char *argv[] = { (char *)PROGRAM_NAME, (char *)"--help", NULL };

	if (entry)
		return run_command(entry, 2, argv);
	return argp_parse(argp, 2, argv, 0, NULL, NULL);
}

/* Makes one word of "why waits", the name of a command. */
static void join_name(int *argc, char **argv, int nr)
{
	g_autofree char *name = nr + 1 < *argc ? g_strdup_printf("%s %s", argv[nr], argv[nr + 1]) : NULL;
	const struct entry *entry = name ? catalogue_find(name) : NULL;

	if (!entry)
		return;
	argv[nr + 1] = (char *)entry->name;
	memmove(argv + nr, argv + nr + 1, (*argc - nr) * sizeof(*argv));
	(*argc)--;
}

/* "--help COMMAND", as git understands it */
static bool asks_for_help(int argc, char **argv)
{
	return argc > 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) && catalogue_find(argv[2]);
}

int main(int argc, char **argv)
{
	g_autofree char *doc = g_strconcat(program_doc(PROGRAM), "\v", NULL);
	static const struct argp_option options[] = {
		{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 }, { 0 }
	};
	const struct argp argp = {
		.options = options,
		.parser = parse_main,
		.args_doc = "[COMMAND] [OPTION...]",
		.doc = doc,
		.help_filter = list_commands,
	};
	struct choice choice = { .entry = NULL };
	const char *chosen;
	int last;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = EXIT_USAGE;
	handed_over = getenv(HANDED_OVER);
	unsetenv(HANDED_OVER);
	if (argc > 1 && !strcmp(argv[1], "--")) {
		argv[1] = argv[0];
		argv++;
		argc--;
	}
	chosen = default_command(argc, argv);
	if (chosen)
		return run_command(catalogue_find(chosen), argc, argv);
	/* the part before the command; the rest belongs to the command */
	for (last = 1; last < argc && (argv[last][0] == '-' || !strcmp(argv[last], "help")); last++)
		;
	join_name(&argc, argv, last);
	if (asks_for_help(argc, argv))
		return print_help(&argp, catalogue_find(argv[2]));
	argp_parse(&argp, last < argc ? last + 1 : argc, argv, ARGP_IN_ORDER, NULL, &choice);
	if (choice.help || !choice.entry)
		return print_help(&argp, choice.entry);
	return run_command(choice.entry, argc - last, argv + last);
}
