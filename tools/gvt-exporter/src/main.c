// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-exporter: see gvt-exporter(8)
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/sysfs.h"
#include "serve/listener.h"
#include "serve/server.h"
#include "trace/util.h"
#include "collector.h"
#include "exposition.h"
#include "spelling.h"

#define LISTEN_DEFAULT	"127.0.0.1:9853"
/* of --textfile: node_exporter is another user */
#define TEXTFILE_MODE	0644

static const struct spelling spellings[] = {
	{ "gvt", gvt_write, false },
	{ "dcgm", dcgm_write, true },
	{ "drm", drm_write, true },
	{ "kepler", kepler_write, false },
};

struct exporter {
	struct collector collector;
	bool wants[G_N_ELEMENTS(spellings)];
	const char *listen, *textfile;	/* NULL: not given */
};

enum key {
	KEY_LISTEN = 0x100,
	KEY_NAMES,
	KEY_TEXTFILE,
	KEY_POWERCAP,
	KEY_SYSROOT,
};

static const struct argp_option options[] = {
	{ "listen", KEY_LISTEN, "ADDRESS:PORT", 0,
	  "Answer there, if systemd passes no socket on; " LISTEN_DEFAULT " by default", 0 },
	{ "names", KEY_NAMES, "LIST", 0, "Names of metrics: gvt (default), dcgm, drm, kepler, or several: gvt,dcgm", 0 },
	{ "powercap", KEY_POWERCAP, "DIR", 0, "Also export joules of VMs, which 'gvt-stat energy --powercap DIR' keeps", 0 },
	{ "textfile", KEY_TEXTFILE, "FILE", 0, "Write the metrics to this file, for node_exporter, and exit", 0 },
	{ "sysroot", KEY_SYSROOT, "DIR", 0, "Read DIR/sys and DIR/proc instead of /sys and /proc", 0 },
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 },
	{ 0 }
};

static bool want(struct exporter *exporter, const char *name)
{
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(spellings); nr++) {
		if (!strcmp(name, spellings[nr].name)) {
			exporter->wants[nr] = true;
			return true;
		}
	}
	return false;
}

static void parse_names(struct exporter *exporter, const char *arg, struct argp_state *state)
{
	char **names = g_strsplit(arg, ",", -1);

	memset(exporter->wants, 0, sizeof(exporter->wants));
	if (!*names)
		argp_error(state, "--names: the list is empty; give gvt, dcgm, drm or kepler");
	for (char **name = names; *name; name++)
		if (!want(exporter, *name))
			argp_error(state, "--names %s: there are gvt, dcgm, drm and kepler", arg);
	g_strfreev(names);
}

/* node_exporter reads no other, and what is called otherwise may be a device, which a new file would replace */
static void parse_textfile(struct exporter *exporter, const char *arg, struct argp_state *state)
{
	if (!g_str_has_suffix(arg, ".prom"))
		argp_error(state, "--textfile %s: its name has to end with .prom, such as gvt.prom", arg);
	exporter->textfile = arg;
}

static void parse_sysroot(struct exporter *exporter, const char *arg, struct argp_state *state)
{
	char *sys = g_build_filename(arg, "sys", NULL);

	if (!g_file_test(sys, G_FILE_TEST_IS_DIR))
		argp_error(state, "--sysroot %s: there is no directory %s", arg, sys);
	g_free(sys);
	exporter->collector.watch.sysroot = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct exporter *exporter = state->input;

	if (key == 'h')
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
	else if (key == KEY_LISTEN)
		exporter->listen = arg;
	else if (key == KEY_NAMES)
		parse_names(exporter, arg, state);
	else if (key == KEY_TEXTFILE)
		parse_textfile(exporter, arg, state);
	else if (key == KEY_POWERCAP)
		exporter->collector.powercap = arg;
	else if (key == KEY_SYSROOT)
		parse_sysroot(exporter, arg, state);
	else if (key == ARGP_KEY_ARG)
		argp_error(state, "%s: there are no arguments; see --help", arg);
	else if (key == ARGP_KEY_END && exporter->listen && exporter->textfile)
		argp_error(state, "--listen and --textfile: give one of them");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static bool needs_rates(const struct exporter *exporter)
{
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(spellings); nr++)
		if (exporter->wants[nr] && spellings[nr].needs_rates)
			return true;
	return false;
}

static GString *make_metrics(void *ctx, bool openmetrics)
{
	struct exporter *exporter = ctx;
	struct exposition x = { g_string_new(NULL), openmetrics, NULL };

	collector_read(&exporter->collector);
	for (unsigned int nr = 0; nr < G_N_ELEMENTS(spellings); nr++)
		if (exporter->wants[nr])
			spellings[nr].write(&x, &exporter->collector);
	exposition_end(&x);
	return x.text;
}

static GString *answer_metrics(void *ctx, const char *accept, const char **type)
{
	bool openmetrics = accept && strstr(accept, "application/openmetrics-text");

	*type = exposition_type(openmetrics);
	return make_metrics(ctx, openmetrics);
}

static GString *answer_start(void *ctx, const char *accept, const char **type)
{
	(void)ctx, (void)accept;
	*type = "text/html; charset=utf-8";
	return g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><title>gvt-exporter</title>\n"
			    "<p>Counters of GVT-g: <a href=\"metrics\">metrics</a>\n</html>\n");
}

static const struct server_page pages[] = {
	{ "/", answer_start },
	{ "/metrics", answer_metrics },
	{ 0 }
};

/* g_file_set_contents_full() writes another file beside, FILE.XXXXXX, and renames it. */
static void write_textfile(struct exporter *exporter)
{
	GError *error = NULL;
	GString *text;

	if (needs_rates(exporter)) {
		g_string_free(make_metrics(exporter, false), TRUE);
		usleep(1100 * 1000);
	}
	text = make_metrics(exporter, false);
	if (!g_file_set_contents_full(exporter->textfile, text->str, text->len, G_FILE_SET_CONTENTS_CONSISTENT,
				      TEXTFILE_MODE, &error))
		fatal("--textfile: %s", error->message);
	g_string_free(text, TRUE);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, NULL,
		"Export each VM's use of a GPU shared by GVT-g to Prometheus and others.", NULL, NULL, NULL
	};
	struct exporter exporter = { .collector.watch.sysroot = "", .wants = { true } };
	struct server server = { .method = "GET", .pages = pages, .ctx = &exporter };
	int fd;

	message_program = "gvt-exporter";
	argp_program_version = "gvt-exporter " GVT_EXPORTER_VERSION;
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &exporter);
	sysfs_keep_open();
	if (exporter.textfile) {
		write_textfile(&exporter);
		return EXIT_SUCCESS;
	}
	fd = listener_inherited();
	server_run(&server, fd >= 0 ? fd : listener_open(exporter.listen ? exporter.listen : LISTEN_DEFAULT));
}
