// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/intervals.h"
#include "cmd/command.h"
#include "trace/util.h"
#include "contents.h"
#include "report-build.h"

/* alternatives to the whole report */
static struct {
	bool histogram;
	enum report_time time;		/* of the histogram */
	int64_t interval_ns;		/* 0: none */
	bool verbose;
} wanted;

static void print_report(const struct form *form, const struct report_source *source,
			 const struct check *check)
{
	static const struct printers whole = { report_lines, report_json, report_tables };
	static const struct printers histogram = {
		report_histogram_lines, report_histogram_json, report_histogram_tables,
	};
	const struct follow *follow = source->follow;
	struct report report = {
		.form = form,
		.follow = follow,
		.gpus = report_build_gpus(source),
		.vgpus = report_build_vgpus(source),
		.check = check,
		.time = wanted.time,
		.brief = !wanted.verbose,
	};

	form_print(form, wanted.histogram ? &histogram : &whole, &report);
	g_ptr_array_free(report.vgpus, TRUE);
	g_ptr_array_free(report.gpus, TRUE);
}

static void finish(struct follow *follow, const struct report_source *source)
{
	model_finish(follow->model);
	metrics_finish(source->metrics);
	slices_finish(source->slices, follow->window);
	selection_check_known(follow->selection, follow->model);
}

/* Events of quantities that are not shown do not count as missing. */
static struct selection without_memory(const struct options *options)
{
	struct selection selection = options->selection;

	selection.quantities &= ~(QUANTITY_BIT(QUANTITY_SPT) | QUANTITY_BIT(QUANTITY_GEM));
	return selection;
}

static int run_alone(const struct options *options)
{
	struct report_source source;
	struct follow follow;

	follow_open(&follow, &options->selection);
	source = (struct report_source) {
		.follow = &follow,
		.metrics = metrics_new(follow.model, follow.window, follow.trace->start_ns),
		.slices = slices_new(follow.window),
		.memory = memory_new(&follow),
	};
	slices_follow(source.slices, &follow);
	follow_run(&follow);
	finish(&follow, &source);
	print_report(&options->form, &source, NULL);
	memory_free(source.memory);
	slices_free(source.slices);
	metrics_free(source.metrics);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

/* Shares the analyses of the rules, which cover most of the report. */
static int run_with_check(const struct options *options)
{
	struct selection selection = wanted.verbose ? options->selection : without_memory(options);
	struct report_source source;
	struct follow follow;
	struct check check;

	selection.beside = CHECK_QUANTITIES;
	follow_open(&follow, &selection);
	check_begin(&check, &follow, CHECK_QUANTITIES);
	source = (struct report_source) {
		.follow = &follow,
		.metrics = check.metrics,
		.slices = check.slices,
		.memory = memory_new(&follow),
	};
	follow_run(&follow);
	check_end(&check);
	print_report(&options->form, &source, &check);
	memory_free(source.memory);
	check_clear(&check);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

/* Only the tables for people have the first finding. */
static int run_whole(const struct options *options)
{
	bool checks = form_is_tables(&options->form) && !wanted.histogram;

	return checks ? run_with_check(options) : run_alone(options);
}

static void warn_of_long_interval(struct window window)
{
	if (wanted.interval_ns > window.to_ns - window.from_ns)
		warn("--interval of %.4g s in a window of %.4g s",
		     wanted.interval_ns / (double)NSEC_PER_SEC,
		     ((double)window.to_ns - window.from_ns) / NSEC_PER_SEC);
}

static int run_over_time(const struct options *options)
{
	static const struct printers printers = {
		report_time_lines, report_time_json, report_time_tables,
	};
	struct report_over_time result = {
		.form = &options->form, .length_ns = wanted.interval_ns, .brief = !wanted.verbose,
	};
	const struct selection selection = without_memory(options);
	struct intervals *intervals;
	struct follow follow;

	follow_open(&follow, &selection);
	intervals = intervals_new(follow.model, follow.window, follow.trace->start_ns,
				  wanted.interval_ns);
	follow_run(&follow);
	model_finish(follow.model);
	selection_check_known(follow.selection, follow.model);
	if (intervals_count(intervals) > INTERVALS_MAX)
		usage_error("--interval: %" PRId64 " intervals in %.6f s are too many, %d can be",
			    intervals_count(intervals),
			    (double)(follow.window.to_ns - follow.window.from_ns) / NSEC_PER_SEC,
			    INTERVALS_MAX);
	warn_of_long_interval(follow.window);
	result.follow = &follow;
	result.intervals = intervals;
	result.several_gpus = report_several_gpus(follow.model);
	form_print(&options->form, &printers, &result);
	intervals_free(intervals);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

static int run(const struct options *options)
{
	if (wanted.verbose && !form_is_tables(&options->form))
		usage_error("report: --verbose is for tables; --csv and --json have everything");
	return wanted.interval_ns ? run_over_time(options) : run_whole(options);
}

#define KEY_INTERVAL	0x200
#define LEAST_INTERVAL_NS	1000
#define MOST_INTERVAL_NS	(100000000 * NSEC_PER_SEC)
#define KEY_HISTOGRAM	0x201

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_INTERVAL:
		wanted.interval_ns = options_length(arg, "--interval", LEAST_INTERVAL_NS, MOST_INTERVAL_NS,
						    state);
		break;
	case KEY_HISTOGRAM:
		wanted.histogram = true;
		if (arg && !report_time_parse(arg, &wanted.time))
			argp_error(state, "--histogram=%s: give latency, wait, exec or turnaround",
				   arg);
		break;
	case 'v':
		wanted.verbose = true;
		break;
	case ARGP_KEY_END:
		if (wanted.verbose && wanted.histogram)
			argp_error(state, "--verbose and --histogram: give one of them");
		if (wanted.histogram && wanted.interval_ns)
			argp_error(state, "--histogram and --interval: give one of them");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option option_table[] = {
	{ "interval", KEY_INTERVAL, "TIME", 0, "Print development over time, in intervals of 1s, 100ms, ...", 0 },
	{ "histogram", KEY_HISTOGRAM, "WHICH", OPTION_ARG_OPTIONAL,
	  "Print the distribution of the latency, or of wait, exec or turnaround", 0 },
	{ "verbose", 'v', NULL, 0, "Also print the details of each vGPU and engine, or each interval", 0 },
	{ 0 }
};

const struct command report_command = {
	.name = "report",
	.doc = "Report utilisation, queue length, wait, latency, slices and memory per vGPU and engine.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_HOST) |
		      QUANTITY_BIT(QUANTITY_ARRIVALS) | QUANTITY_BIT(QUANTITY_COMPLETIONS) |
		      QUANTITY_BIT(QUANTITY_CANCELLED) | QUANTITY_BIT(QUANTITY_SLICES) |
		      QUANTITY_BIT(QUANTITY_SPLIT) | QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS) |
		      QUANTITY_BIT(QUANTITY_SPT) | QUANTITY_BIT(QUANTITY_GEM),
	.columns = TABLES(report_scope_columns, report_vgpu_columns, report_gpu_columns,
			  report_engine_columns, report_time_columns, report_histogram_columns),
	.argp = &(const struct argp) { option_table, parse },
	.run = run,
};
