// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat export: writes a trace in a form that other programs show.
 */
#include <errno.h>
#include <limits.h>
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
#define KEY_HOST	0x701
#define KEY_BEGIN	0x702

/* an export format */
struct export_format {
	const char *name;
	const char *ending;		/* of file names */
	bool compressed;		/* gzip is supported, chosen by the file name */
	void (*run)(const struct options *options, FILE *out, const struct export_how *how);
	/* for formats that are a directory, whose file function is NULL */
	void (*run_dir)(const struct options *options, const char *path, struct newdir *dir);
	/* for one that adds a file to a directory, as those two */
	int (*run_add)(const struct options *options, const char *path, const struct export_how *how);
};

static const struct export_format formats[] = {
	{ "csv", ".csv", false, export_csv, NULL },
	{ "ctf", ".ctf", false, NULL, export_ctf },
	{ "html", ".html", false, export_page, NULL },
	{ "parquet", ".parquet", false, NULL, NULL, export_parquet },
	{ "perfetto", ".pftrace", true, export_perfetto, NULL },
	{ 0 }
};

static const struct export_format *format;
static const char *output;
static char *paths[2];		/* traces named without -i */
static int nr_paths;
static int64_t exact = EXPORT_EXACT;
static uint64_t exact_bytes = EXPORT_BYTES;
static const char *host;
static int64_t begin_ns = UNKNOWN;

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

static int write_file(const struct options *options, const char *path, const struct export_how *how)
{
	struct newfile file;
	int error = newfile_open(&file, path);

	if (error)
		return error;
	if (nr_paths == 2)
		export_pair(options, (const char *const *)paths, file.stream);
	else
		format->run(options, file.stream, how);
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

static int write_output(const struct options *options, const char *path)
{
	const struct export_how how = {
		.path = path, .exact = exact, .exact_bytes = exact_bytes, .host = host, .begin_ns = begin_ns,
		.compress = format->compressed && g_str_has_suffix(path, ".gz"),
	};

	if (format->run_add)
		return format->run_add(options, path, &how);
	return format->run ? write_file(options, path, &how) : write_dir(options, path);
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
	error = write_output(options, path);
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
		argp_error(state, "give --format html, perfetto, ctf, csv or parquet");
	if (format && !format->run && output && !strcmp(output, "-"))
		argp_error(state, "--output -: --format %s makes a directory: give its name", format->name);
	if ((host || known(begin_ns)) && format && !format->run_add)
		argp_error(state, "--host, --begin: only --format parquet takes them");
	if (nr_paths == 2 && format && format->run != export_page)
		argp_error(state, "'%s' is a second trace: only --format html shows two, BEFORE AFTER",
			   make_printable(paths[1]));
	if (options->form.format != FORMAT_TABLE || options->form.columns)
		argp_error(state, "--json, --csv and --columns: what is exported has one form, that of --format");
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

/* from 1970 to 2262, as Unix time in ns */
static int64_t parse_begin(char *arg, struct argp_state *state)
{
	GTimeZone *utc = g_time_zone_new_utc();
	GDateTime *time = g_date_time_new_from_iso8601(arg, utc);
	int64_t seconds = time ? g_date_time_to_unix(time) : -1;

	if (seconds < 0 || seconds >= INT64_MAX / NSEC_PER_SEC)
		argp_error(state, "--begin %s: give a time as 2026-11-30T12:00:00Z or 2026-11-30T13:00:00+01:00",
			   make_printable(arg));
	seconds = seconds * NSEC_PER_SEC + (time ? g_date_time_get_microsecond(time) * 1000 : 0);
	g_clear_pointer(&time, g_date_time_unref);
	g_time_zone_unref(utc);
	return seconds;
}

static const char *parse_host(char *arg, struct argp_state *state)
{
	if (!*arg || strlen(arg) > HOST_NAME_MAX)
		argp_error(state, "--host '%s': give a name of up to %d bytes", make_printable(arg), HOST_NAME_MAX);
	return arg;
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
		host = NULL;
		begin_ns = UNKNOWN;
		break;
	case ARGP_KEY_ARG:
		name_trace(state->input, arg, state);
		break;
	case 'f':
		format = find_format(arg);
		if (!format)
			argp_error(state, "--format %s: give html, perfetto, ctf, csv or parquet", make_printable(arg));
		break;
	case 'o':
		output = arg;
		break;
	case KEY_HOST:
		host = parse_host(arg, state);
		break;
	case KEY_BEGIN:
		begin_ns = parse_begin(arg, state);
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
	{ "begin", KEY_BEGIN, "TIME", 0, "For parquet: when the trace begins, as 2026-11-30T12:00:00Z, unless it has its time", 0 },
	{ "exact", KEY_EXACT, "N", 0, "In a page, show N intervals exactly, 2000000 at most, and later ones as sums over time bins; by default, as many as fit into 4 MB", 0 },
	{ "format", 'f', "FORMAT", 0, "html: a page that shows everything, in one file, of two traces with how they differ; perfetto: a trace for ui.perfetto.dev, compressed if FILE ends with .gz; ctf: a directory for Trace Compass and babeltrace2; csv: a line for each interval; parquet: rows for SQL over many hosts, in a file of its own below the directory FILE", 0 },
	{ "host", KEY_HOST, "NAME", 0, "For parquet: name of the host, instead of the one in the trace", 0 },
	{ "output", 'o', "FILE", 0,
	  "Write to FILE, \"-\" for the standard output; by default, to the trace's name with another ending, here", 0 },
	{ 0 }
};

const struct command export_command = {
	.name = "export",
	.doc = "Write a trace in a form for viewing, or for SQL.",
	.quantities = EXPORT_QUANTITIES,
	.columns = TABLES(NULL),
	.argp = &(const struct argp) { option_table, parse, .args_doc = "[TRACE | BEFORE AFTER]" },
	.run = run,
};
