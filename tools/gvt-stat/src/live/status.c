// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gvt-stat status, the default command: shows the present state of the host.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "host/counters.h"
#include "host/sysfs.h"
#include "host/vm.h"
#include "output/document.h"
#include "output/screen.h"
#include "output/table.h"
#include "trace/util.h"
#include "host-options.h"
#include "top-rows.h"
#include "top-totals.h"

enum status_key {
	KEY_INTERVAL = 0x600,
	KEY_LIST,
};

struct status_options {
	struct host_options host;
	double seconds;
};

/* two samples of the counters */
struct status {
	const struct status_options *options;
	struct sysfs *sysfs;		/* of the second sample */
	GPtrArray *old, *now;		/* struct vgpu_counters */
};

#define COLUMN(type, member, title, ...) \
	{ #member, COLUMN_##type, offsetof(struct top_row, member), title, ##__VA_ARGS__ }

static struct column status_columns[] = {
	COLUMN(INTEGER, vgpu_id, "VGPU"),
	COLUMN(TEXT, uuid, NULL),
	COLUMN(TEXT, vm, "VM"),
	COLUMN(TEXT, type, "TYPE"),
	COLUMN(TEXT, gpu, NULL),
	COLUMN(REAL, exec_percent, "UTIL%"),
	COLUMN(INTEGER, queued, "QUEUED"),
	COLUMN(REAL, wait_mean_ns, "WAIT-ms", UNIT_MS),
	COLUMN(REAL, wait_percent, "WAIT%"),
	COLUMN(INTEGER, errors, NULL),
	COLUMN(TEXT, failsafe, NULL),
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct status_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->host;
		break;
	case KEY_INTERVAL:
		options->seconds = (double)options_length(arg, "--interval", LEAST_INTERVAL_NS,
							  MOST_INTERVAL_NS, state) / NSEC_PER_SEC;
		break;
	case KEY_LIST:
		columns_list(status_columns, stdout);
		exit(EXIT_SUCCESS);
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option", make_printable(arg));
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static struct sysfs *scan(const struct host_options *options)
{
	struct sysfs *sysfs = sysfs_scan(options->sysroot);

	sysfs_need_gpu(sysfs, options->sysroot);
	sysfs_keep_gpus(sysfs, options->gpus);
	sysfs_check_vgpus(sysfs, options->vgpus);
	return sysfs;
}

static void look_twice(struct status *status)
{
	const struct host_options *options = &status->options->host;
	struct sysfs *first = scan(options);

	status->old = counters_read(first);
	counters_check(status->old, options->sysroot);
	counters_warn_coarse(status->old);
	sysfs_free(first);
	g_usleep(status->options->seconds * G_USEC_PER_SEC);
	status->sysfs = scan(options);
	vm_find(options->sysroot, status->sysfs->vgpus);
	status->now = counters_read(status->sysfs);
}

static void each_row(const struct status *status, record_fn call, void *to)
{
	const struct top_view view = {
		.sort = TOP_BY_EXEC, .no_engines = true, .vgpus = status->options->host.vgpus,
	};
	GArray *rows = top_rows(status->old, status->now, &view);

	for (unsigned int nr = 0; nr < rows->len; nr++) {
		const struct top_row *row = &g_array_index(rows, struct top_row, nr);

		if (row->vgpu_id)
			call(to, row);
	}
	g_array_free(rows, TRUE);
}

static void print_json(const struct status *status, const GPtrArray *gpus)
{
	json_t *document = document_of_host("status");
	struct json_lines vgpus = { status_columns, json_array() };

	each_row(status, json_lines_add, &vgpus);
	json_object_set_new(document, "gpus", top_totals_json(gpus));
	json_object_set_new(document, "vgpus", vgpus.lines);
	document_print(document, stdout);
}

static void print_text(const struct status *status, const GPtrArray *gpus)
{
	struct table *table;

	columns_title(status_columns, "gpu", gpus->len > 1 ? "GPU" : NULL);
	table = table_new(status_columns);
	top_totals_print(gpus, stdout);
	putchar('\n');
	each_row(status, table_line, table);
	table_print(table, NULL, stdout);
	top_ill_print(status->now, status->options->host.vgpus, screen_width(stdout), stdout);
	if (!status->sysfs->vgpus->len)
		puts(status->options->host.gpus ? "No VM has a vGPU of that GPU." : "No VM has a vGPU.");
	puts("\nLive: gvt-stat top. Why a VM is slow: sudo gvt-stat record -d 10; gvt-stat why");
}

static void run(const struct status_options *options)
{
	struct status status = { .options = options };
	GPtrArray *gpus;

	look_twice(&status);
	gpus = top_totals(status.sysfs, status.old, status.now, NULL);
	if (options->host.json)
		print_json(&status, gpus);
	else
		print_text(&status, gpus);
	g_ptr_array_free(gpus, TRUE);
	g_ptr_array_free(status.old, TRUE);
	g_ptr_array_free(status.now, TRUE);
	sysfs_free(status.sysfs);
	if (fflush(stdout) || ferror(stdout))
		fatal("cannot write the output: %s", strerror(errno));
}

static int status_main(int argc, char **argv)
{
	static const struct argp_option option_table[] = {
		{ "interval", KEY_INTERVAL, "TIME", 0, "Time between the two looks (500ms)", 0 },
		{ "list", KEY_LIST, NULL, 0, "List the columns, and exit", 1 },
		{ 0 }
	};
	static const struct argp_child children[] = { { &host_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.doc = "Show how much of the GPU each VM uses now, and how long its work waits.",
		.children = children,
	};
	struct status_options options = { .host = { .sysroot = "" }, .seconds = 0.5 };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	run(&options);
	host_options_clear(&options.host);
	return EXIT_SUCCESS;
}

const struct command status_command = {
	.name = "status",
	.main = status_main,
};
