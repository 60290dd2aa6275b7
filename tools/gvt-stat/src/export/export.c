// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export: writes a trace in a form that other programs show.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "host/newfile.h"
#include "trace/util.h"
#include "ctf-writer.h"
#include "export.h"

#define KEY_EXACT	0x700

/* an export format */
struct export_format {
	const char *name;
	const char *ending;		/* of file names */
	bool compressed;		/* gzip is supported, chosen by the file name */
	void (*run)(const struct options *options, FILE *out, const struct export_how *how);
	/* for formats that are a directory, whose file function is NULL */
	void (*run_dir)(const struct options *options, const char *path, struct newdir *dir);
};

static const struct export_format formats[] = {
	{ "csv", ".csv", false, export_csv, NULL },
	{ "ctf", ".ctf", false, NULL, export_ctf },
	{ "html", ".html", false, export_page, NULL },
	{ "perfetto", ".pftrace", true, export_perfetto, NULL },
	{ 0 }
};

static const struct export_format *format;
static const char *output;
static char *paths[2];		/* traces named without -i */
static int nr_paths;
static int64_t exact = EXPORT_EXACT;
static uint64_t exact_bytes = EXPORT_BYTES;

static const struct export_format *find_format(const char *name)
{
	for (const struct export_format *one = formats; one->name; one++)
		if (!strcmp(one->name, name))
			return one;
	return NULL;
}

static char *short_name(const char *path)
{
	char *name = g_path_get_basename(path);

	if (g_str_has_suffix(name, ".dat"))
		name[strlen(name) - strlen(".dat")] = '\0';
	return name;
}

/* the names of the traces with the ending of the format */
static char *default_output(const char *input)
{
	char *name = short_name(input), *after = nr_paths == 2 ? short_name(paths[1]) : NULL;
	char *path = g_strconcat(name, after ? "-" : "", after ? after : "", format->ending, NULL);

	g_free(after);
	g_free(name);
	return path;
}

static int write_file(const struct options *options, const char *path)
{
	struct export_how how = {
		.path = path, .exact = exact, .exact_bytes = exact_bytes,
		.compress = format->compressed && g_str_has_suffix(path, ".gz"),
	};
	struct newfile file;
	int error = newfile_open(&file, path);

	if (error)
		return error;
	if (nr_paths == 2)
		export_pair(options, (const char *const *)paths, file.stream);
	else
		format->run(options, file.stream, &how);
	return newfile_close(&file);
}

static int write_dir(const struct options *options, const char *path)
{
	struct newdir dir;
	int error = newdir_open(&dir, path, CTF_METADATA);

	if (error)
		return error;
	format->run_dir(options, path, &dir);
	return newdir_close(&dir);
}

static void check_output(const char *path, const char *input)
{
	if (newfile_replaces(path, input))
		fatal("%s: is %s itself: give --output another name", path,
		      nr_paths == 2 ? "a trace" : "the trace");
}

static int run(const struct options *options)
{
	const char *input = nr_paths ? paths[0] : options->selection.input;
	char *path = output ? g_strdup(output) : default_output(input);
	int error;

	check_output(path, input);
	if (nr_paths == 2)
		check_output(path, paths[1]);
	error = format->run ? write_file(options, path) : write_dir(options, path);
	if (error)
		fatal("%s: cannot write: %s", path, strerror(error));
	if (!output && can_draw(STDERR_FILENO))
		fprintf(stderr, "gvt-stat: wrote %s\n", path);
	g_free(path);
	return EXIT_SUCCESS;
}

static void check_form(const struct options *options, struct argp_state *state)
{
	if (!format)
		argp_error(state, "give --format html, perfetto, ctf or csv");
	if (format && !format->run && output && !strcmp(output, "-"))
		argp_error(state, "--output -: a trace of CTF is a directory: give its name");
	if (nr_paths == 2 && format && format->run != export_page)
		argp_error(state, "'%s' is a second trace: only --format html shows two, BEFORE AFTER",
			   make_printable(paths[1]));
	if (options->form.format != FORMAT_TABLE || options->form.columns)
		argp_error(state, "--json, --csv and --columns: what is exported has one form; --format tells which");
}

static int64_t parse_exact(char *arg, struct argp_state *state)
{
	char *end;
	uint64_t number = g_ascii_strtoull(arg, &end, 10);

	if (!g_ascii_isdigit(*arg) || *end || number > EXPORT_EXACT)
		argp_error(state, "--exact %s: give a number of intervals, up to %d", make_printable(arg),
			   EXPORT_EXACT);
	return number;
}

static void name_trace(struct options *options, char *arg, struct argp_state *state)
{
	if (nr_paths == 2)
		argp_error(state, "'%s' is the third trace: give one, or BEFORE AFTER", make_printable(arg));
	if (!nr_paths)
		options_input(options, arg, state);
	paths[nr_paths++] = arg;
	/* messages about crashes of the library name both traces */
	if (nr_paths == 2)
		options->selection.input = g_strjoin(" or ", paths[0], paths[1], NULL);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		nr_paths = 0;
		break;
	case ARGP_KEY_ARG:
		name_trace(state->input, arg, state);
		break;
	case 'f':
		format = find_format(arg);
		if (!format)
			argp_error(state, "--format %s: give html, perfetto, ctf or csv", make_printable(arg));
		break;
	case 'o':
		output = arg;
		break;
	case KEY_EXACT:
		exact = parse_exact(arg, state);
		exact_bytes = UINT64_MAX;
		break;
	case ARGP_KEY_END:
		check_form(state->input, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option option_table[] = {
	{ "exact", KEY_EXACT, "N", 0, "In a page, show N intervals exactly, 2000000 at most, and later ones as sums over time bins; by default, as many as fit into 4 MB", 0 },
	{ "format", 'f', "FORMAT", 0, "html: a page that shows everything, in one file, of two traces with how they differ; perfetto: a trace for ui.perfetto.dev, compressed if FILE ends with .gz; ctf: a directory for Trace Compass and babeltrace2; csv: a line for each interval", 0 },
	{ "output", 'o', "FILE", 0,
	  "Write to FILE, \"-\" for the standard output; by default, to the trace's name with another ending, here", 0 },
	{ 0 }
};

const struct command export_command = {
	.name = "export",
	.doc = "Write a trace in a form for viewing.",
	.quantities = EXPORT_QUANTITIES,
	.columns = TABLES(NULL),
	.argp = &(const struct argp) { option_table, parse, .args_doc = "[TRACE | BEFORE AFTER]" },
	.run = run,
};
