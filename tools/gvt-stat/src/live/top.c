// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "host/counters.h"
#include "host/sysfs.h"
#include "host/vm.h"
#include "output/document.h"
#include "output/screen.h"
#include "output/sheet.h"
#include "output/table.h"
#include "sampling/source.h"
#include "trace/util.h"
#include "host-options.h"
#include "live.h"
#include "top-rows.h"
#include "top-screen.h"
#include "top-totals.h"
#include "top-watts.h"

/* the number of samples between searches for VMs; new vGPUs cause a search, too */
#define NAMES_EVERY	10
/* of the time of its workloads: a VM that waits longer than it executes stands out */
#define HIGH_WAIT_PERCENT	50

enum top_key {
	KEY_INTERVAL = 0x600,
	KEY_PLAIN,
	KEY_TRACE,
	KEY_LIST,
};

struct top_options {
	struct host_options host;
	double seconds;
	int64_t count;			/* of samples; 0: no limit */
	enum top_sort sort;		/* TOP_SORTS: not chosen */
	bool plain;
	bool trace;
};

struct top {
	const struct top_options *options;
	struct top_screen screen;
	struct live *live;		/* NULL: no tracing */
	GPtrArray *old, *now;		/* struct vgpu_counters; NULL: not yet read */
	struct energy_source *energy;	/* NULL: no counter of it that can be read */
	struct top_watts *watts;
	uint64_t energy_count;		/* of the last sample, as the next one; UNKNOWN time: none */
	int64_t energy_ns;
	double total_watts;		/* of the GPU; NAN: unknown */
	GPtrArray *gpus;		/* struct top_gpu, of both samples; NULL: not yet read */
	bool on_screen;			/* draws, rather than prints one table after the other */
	GString *marks;			/* of the last text, see top_screen_show() */
	bool ill;			/* some VM is in failsafe mode or has errors */
	int fixed;			/* number of lines of the last text before the rows */
	int64_t samples;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct top_options *options = state->input;
	guint64 count;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->host;
		state->child_inputs[1] = &options->host;
		break;
	case 'n':
		if (!g_ascii_string_to_unsigned(arg, 10, 1, INT32_MAX, &count, NULL))
			argp_error(state, "-n %s: give a whole number from 1 on", arg);
		options->count = count;
		break;
	case 's':
		if (!top_sort_parse(arg, &options->sort))
			argp_error(state, "-s %s: give vgpu_id, exec_percent, wait_mean_ns, workloads_per_second, or with --trace queue_len_mean or latency_mean_ns",
				   make_printable(arg));
		break;
	case KEY_INTERVAL:
		options->seconds = (double)options_length(arg, "--interval", LEAST_INTERVAL_NS,
							  MOST_INTERVAL_NS, state) / NSEC_PER_SEC;
		break;
	case KEY_PLAIN:
		options->plain = true;
		break;
	case KEY_TRACE:
		options->trace = true;
		break;
	case KEY_LIST:
		columns_list(top_columns, stdout);
		exit(EXIT_SUCCESS);
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option", make_printable(arg));
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static bool has_new(const struct sysfs *sysfs, const GPtrArray *old)
{
	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];

		if (!counters_find(old, vgpu->uuid))
			return true;
	}
	return false;
}

/* Scanning all processes for every sample would cost more than the rest. */
static void name_vms(const struct top *top, struct sysfs *sysfs)
{
	if (top->samples % NAMES_EVERY == 0 || has_new(sysfs, top->now)) {
		vm_find(top->options->host.sysroot, sysfs->vgpus);
		return;
	}
	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];
		const struct vgpu_counters *old = counters_find(top->now, vgpu->uuid);

		vgpu->vm = g_strdup(old->vm);
	}
}

/* The counter is of one GPU. */
static bool is_of_one_gpu(const GPtrArray *vgpus)
{
	for (unsigned int nr = 1; nr < vgpus->len; nr++)
		if (g_strcmp0(((const struct vgpu_counters *)vgpus->pdata[nr])->gpu,
			      ((const struct vgpu_counters *)vgpus->pdata[0])->gpu))
			return false;
	return true;
}

/* A counter that could not be read, or began anew, makes this interval unknown, and the next one. */
static void sample_energy(struct top *top)
{
	const struct energy_counter *counter;
	int64_t before_ns = top->energy_ns;
	uint64_t before = top->energy_count, counts;

	top->total_watts = NAN;
	if (!top->energy)
		return;
	top_watts_skip(top->watts);
	counter = energy_source_counter(top->energy);
	top->energy_ns = energy_source_read(top->energy, &top->energy_count) ? clock_ns(CLOCK_MONOTONIC) : UNKNOWN;
	if (!known(before_ns) || top->energy_ns <= before_ns || !top->old ||
	    !energy_step(counter, before, top->energy_count, top->energy_ns - before_ns, &counts))
		return;
	top->total_watts = counts * counter->unit_nj / (top->energy_ns - before_ns);
	if (is_of_one_gpu(top->now))
		top_watts_add(top->watts, counts * counter->unit_nj, top->energy_ns - before_ns, top->old, top->now);
}

static void sample(struct top *top)
{
	struct sysfs *sysfs = sysfs_scan(top->options->host.sysroot);

	if (!top->samples)
		sysfs_need_gpu(sysfs, top->options->host.sysroot);
	sysfs_keep_gpus(sysfs, top->options->host.gpus);
	name_vms(top, sysfs);
	if (!top->samples)
		sysfs_check_vgpus(sysfs, top->options->host.vgpus);
	if (top->old)
		g_ptr_array_free(top->old, TRUE);
	top->old = top->now;
	top->now = counters_read(sysfs);
	sample_energy(top);
	/* with tracing, counters are optional */
	if (!top->samples && !top->live) {
		counters_check(top->now, top->options->host.sysroot);
		counters_warn_coarse(top->now);
	}
	if (top->live)
		live_read(top->live);
	if (top->gpus)
		g_ptr_array_free(top->gpus, TRUE);
	top->gpus = top_totals(sysfs, top->old, top->now, top->live);
	top->samples++;
	sysfs_free(sysfs);
}

/* all columns except those that need tracing */
static struct column *default_columns(const struct top *top)
{
	static struct column columns[] = {
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, vgpu_id), "VGPU" },
		{ NULL, COLUMN_TEXT, offsetof(struct top_row, vm), "VM" },
		{ NULL, COLUMN_TEXT, offsetof(struct top_row, engine), "ENGINE" },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, exec_percent), "UTIL%" },
		{ "watts", COLUMN_REAL, offsetof(struct top_row, watts) },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, done_per_second), "DONE/s" },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, wait_mean_ns), "WAIT-ms", UNIT_MS },
		{ "wait_percent", COLUMN_REAL, offsetof(struct top_row, wait_percent) },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, failed), "FAILED" },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, cancelled), "CANCELLED", .spare = true },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, queued), "QUEUED" },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, left_ns), "LEFT-ms", UNIT_MS, .spare = true },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, weight), "WEIGHT", .spare = true },
		{ "errors", COLUMN_INTEGER, offsetof(struct top_row, errors), .spare = true },
		{ "failsafe", COLUMN_TEXT, offsetof(struct top_row, failsafe), .spare = true },
		{ "gpu", COLUMN_TEXT, offsetof(struct top_row, gpu) },
		{ 0 }
	};
	static struct column traced[] = {
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, vgpu_id), "VGPU" },
		{ NULL, COLUMN_TEXT, offsetof(struct top_row, vm), "VM" },
		{ NULL, COLUMN_TEXT, offsetof(struct top_row, engine), "ENGINE" },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, exec_percent), "UTIL%" },
		{ "watts", COLUMN_REAL, offsetof(struct top_row, watts) },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, done_per_second), "DONE/s", .spare = true },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, live.queue_mean), "QUEUE" },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, live.queue_max), "QMAX", .spare = true },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, wait_mean_ns), "WAIT-ms", UNIT_MS },
		{ "wait_percent", COLUMN_REAL, offsetof(struct top_row, wait_percent) },
		{ NULL, COLUMN_REAL, offsetof(struct top_row, live.latency_mean_ns), "LATENCY-ms", UNIT_MS },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, live.latency_max_ns), "MAX-ms", UNIT_MS,
		  .spare = true },
		{ NULL, COLUMN_TEXT, offsetof(struct top_row, live.mostly), "MOSTLY" },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, failed), "FAILED", .spare = true },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, cancelled), "CANCELLED", .spare = true },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, left_ns), "LEFT-ms", UNIT_MS, .spare = true },
		{ NULL, COLUMN_INTEGER, offsetof(struct top_row, weight), "WEIGHT", .spare = true },
		{ "errors", COLUMN_INTEGER, offsetof(struct top_row, errors), .spare = true },
		{ "failsafe", COLUMN_TEXT, offsetof(struct top_row, failsafe), .spare = true },
		{ "gpu", COLUMN_TEXT, offsetof(struct top_row, gpu) },
		{ 0 }
	};

	struct column *chosen = top->live ? traced : columns;

	columns_title(chosen, "errors", top->ill ? "ERRORS" : NULL);
	columns_title(chosen, "failsafe", top->ill ? "FAILSAFE" : NULL);
	columns_title(chosen, "wait_percent", top->on_screen ? "WAIT%" : NULL);
	columns_title(chosen, "watts", top->energy ? "WATTS" : NULL);
	columns_title(chosen, "gpu", top->gpus->len > 1 ? "GPU" : NULL);
	return chosen;
}

static char mark_of(const struct top_row *row)
{
	if (top_is_ill(row->errors, row->failsafe))
		return TOP_MARK_ILL;
	return row->wait_percent >= HIGH_WAIT_PERCENT ? TOP_MARK_WAITS : TOP_MARK_NONE;
}

static void print_rows(struct top *top, FILE *out)
{
	struct column *chosen = columns_choose(top_columns, top->options->host.columns);
	struct table *table = chosen ? table_new_keys(chosen) : table_new(default_columns(top));
	GArray *rows = top_rows(top->old, top->now, &top->screen.view);

	if (top->on_screen)
		table_live(table, top_screen_width());
	g_string_append_c(top->marks, TOP_MARK_TITLES);
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct top_row *row = &g_array_index(rows, struct top_row, nr);

		g_string_append_c(top->marks, mark_of(row));
		table_line(table, row);
	}
	table_print(table, NULL, out);
	g_array_free(rows, TRUE);
	g_free(chosen);
}

static unsigned int count_vgpus(const GPtrArray *all)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < all->len; nr++)
		count += !counters_is_host(all->pdata[nr]);
	return count;
}

static void print_time(const struct top *top, FILE *out)
{
	GDateTime *now = g_date_time_new_now_local();
	char *time = g_date_time_format(now, "%H:%M:%S");

	fprintf(out, "%s  vGPUs: %u  interval: %.2f s", time, count_vgpus(top->now),
		top->options->seconds);
	if (!isnan(top->total_watts))
		fprintf(out, "  GPU: %.2f W", top->total_watts);
	if (top->live && live_lost(top->live))
		fprintf(out, "  lost events: at least %" PRIu64, live_lost(top->live));
	fputc('\n', out);
	g_free(time);
	g_date_time_unref(now);
}

static void print_ill(struct top *top, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	top_ill_print(top->now, top->options->host.vgpus,
		  top->on_screen ? top_screen_width() : screen_width(out), stream);
	fclose(stream);
	fputs(text, out);
	top->ill = size;
	for (const char *end = text; (end = strchr(end, '\n')); end++)
		g_string_append_c(top->marks, TOP_MARK_ILL);
	free(text);
}

static void print_text(struct top *top, FILE *out)
{
	g_string_assign(top->marks, (const char[]) { TOP_MARK_NONE, '\0' });
	print_time(top, out);
	for (int lines = top_totals_print(top->gpus, out); lines; lines--)
		g_string_append_c(top->marks, TOP_MARK_NONE);
	print_ill(top, out);
	top->fixed = top->marks->len + 1;
	print_rows(top, out);
}

static void print_json(const struct top *top)
{
	json_t *document = top_json(top->old, top->now, &top->screen.view,
				    top->options->host.columns, clock_ns(CLOCK_REALTIME));

	json_object_set_new(document, "gpus", top_totals_json(top->gpus));
	json_object_set_new(document, "watts", json_decimal(top->total_watts));
	json_dumpf(document, stdout, JSON_COMPACT | DOCUMENT_REALS);
	putchar('\n');
	json_decref(document);
}

/* prints the header once: all samples form one table, with times */
static void print_csv(const struct top *top)
{
	struct column *chosen = columns_choose(top_columns, top->options->host.columns);
	const struct column *columns = chosen ? chosen : top_columns;
	GArray *rows = top_rows(top->old, top->now, &top->screen.view);
	int64_t time_ns = clock_ns(CLOCK_REALTIME);

	if (top->samples == 2)
		csv_header(stdout, columns);
	for (unsigned int nr = 0; nr < rows->len; nr++) {
		struct top_row *row = &g_array_index(rows, struct top_row, nr);

		row->time_ns = time_ns;
		csv_line(stdout, columns, row);
	}
	g_array_free(rows, TRUE);
	g_free(chosen);
}

/* flushes each sample, as a program may wait for it */
static void print_plain(struct top *top)
{
	if (top->options->host.json) {
		print_json(top);
	} else if (top->options->host.csv) {
		print_csv(top);
	} else {
		print_text(top, stdout);
		putchar('\n');
	}
	if (fflush(stdout) || ferror(stdout))
		fatal("cannot write the output: %s", strerror(errno));
}

/* shows engines if they fit on the screen, unless the user has chosen */
static void choose_engines(struct top *top)
{
	struct top_view *view = &top->screen.view;
	GArray *rows;

	if (top->screen.chosen)
		return;
	view->no_engines = false;
	rows = top_rows(top->old, top->now, view);
	view->no_engines = !top_screen_holds(top->fixed + rows->len);
	g_array_free(rows, TRUE);
}

static void draw(struct top *top)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	choose_engines(top);
	out = open_memstream(&text, &size);
	print_text(top, out);
	fclose(out);
	top_screen_show(&top->screen, text, top->marks->str, top->fixed);
	free(text);
}

static void sleep_until(gint64 until_us)
{
	struct timespec ts = {
		.tv_sec = until_us / G_USEC_PER_SEC,
		.tv_nsec = until_us % G_USEC_PER_SEC * 1000,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/* returns false when the user quits */
static bool show_until(struct top *top, gint64 until_us)
{
	bool quit = false;

	do
		draw(top);
	while (top_screen_wait(&top->screen, until_us, &quit) && !quit);
	return !quit;
}

static void run_screen(struct top *top)
{
	gint64 next_us = g_get_monotonic_time();

	/* what fails is to be read after the program, too */
	sample(top);
	top_screen_open();
	for (;;) {
		next_us += top->options->seconds * G_USEC_PER_SEC;
		if (!show_until(top, next_us) || (top->options->count && top->samples > top->options->count))
			break;
		sample(top);
	}
	top_screen_close();
}

/* The first sample gives no rates, so it is not printed. */
static void run_plain(struct top *top)
{
	gint64 next_us = g_get_monotonic_time();

	sample(top);
	for (int64_t nr = 0; !top->options->count || nr < top->options->count; nr++) {
		next_us += top->options->seconds * G_USEC_PER_SEC;
		sleep_until(next_us);
		sample(top);
		print_plain(top);
	}
}

/* By use on a screen; in numbers' order for programs. */
static enum top_sort known_sort(enum top_sort asked, bool on_screen)
{
	if (asked != TOP_SORTS)
		return asked;
	return on_screen ? TOP_BY_EXEC : TOP_BY_VGPU;
}

/* Without a counter, there are no watts: 'record --energy' tells why. */
static void open_energy(struct top *top)
{
	char *why = NULL;

	top->energy_ns = UNKNOWN;
	top->energy = energy_source_open(top->options->host.sysroot, &why);
	g_free(why);
	if (top->energy)
		top->screen.view.watts = top->watts = top_watts_new();
}

static void close_energy(struct top *top)
{
	if (!top->energy)
		return;
	energy_source_close(top->energy);
	top_watts_free(top->watts);
}

static void run(const struct top_options *options)
{
	struct top top = { .options = options, .marks = g_string_new(NULL) };

	top.on_screen = !options->plain && !options->host.json && !options->host.csv &&
			can_draw(STDOUT_FILENO) && isatty(STDIN_FILENO);
	top.screen.view.sort = known_sort(options->sort, top.on_screen);
	top.screen.view.vgpus = options->host.vgpus;
	top.screen.view.engines = options->host.engines;
	if (options->trace)
		top.screen.view.live = top.live = live_open(options->host.sysroot);
	open_energy(&top);
	if (top.on_screen)
		run_screen(&top);
	else
		run_plain(&top);
	g_ptr_array_free(top.now, TRUE);
	if (top.old)
		g_ptr_array_free(top.old, TRUE);
	if (top.gpus)
		g_ptr_array_free(top.gpus, TRUE);
	if (top.live)
		live_close(top.live);
	close_energy(&top);
	g_string_free(top.marks, TRUE);
}

static int top_main(int argc, char **argv)
{
	static const struct argp_option option_table[] = {
		{ "count", 'n', "N", 0, "Exit after N samples", 0 },
		{ "sort", 's', "COLUMN", 0,
		  "Sort vGPUs by this column, in descending order: exec_percent, the default on a screen", 0 },
		{ "interval", KEY_INTERVAL, "TIME", 0, "Time between samples (1s)", 0 },
		{ "trace", KEY_TRACE, NULL, 0,
		  "Also trace, in an instance of its own, to show queues and latencies; requires root", 0 },
		{ "list", KEY_LIST, NULL, 0, "List the columns, and exit", 1 },
		{ "plain", KEY_PLAIN, NULL, 0,
		  "Print one table after the other, as if the output were not a terminal", 1 },
		{ 0 }
	};
	static const struct argp_child children[] = {
		{ &host_argp, 0, NULL, 0 }, { &lines_argp, 0, NULL, 0 }, { 0 }
	};
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.doc = "Show live what vGPUs and engines do, from the counters in sysfs, or with tracing.",
		.children = children,
	};
	struct top_options options = { .host = { .sysroot = "" }, .seconds = 1, .sort = TOP_SORTS };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	form_check_columns(options.host.columns, (const struct column *[]) {
		top_columns, NULL
	});
	run(&options);
	host_options_clear(&options.host);
	return EXIT_SUCCESS;
}

const struct command top_command = {
	.name = "top",
	.main = top_main,
};
