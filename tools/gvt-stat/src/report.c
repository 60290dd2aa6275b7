// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "command.h"
#include "report-build.h"

static void print_report(const struct report_source *source)
{
	static const struct forms forms = { report_lines, report_json, report_tables };
	const struct follow *follow = source->follow;
	struct report report = {
		.follow = follow,
		.gpus = report_build_gpus(source),
		.vgpus = report_build_vgpus(source),
	};

	options_print(follow->options, &forms, &report);
	g_ptr_array_free(report.vgpus, TRUE);
	g_ptr_array_free(report.gpus, TRUE);
}

static void add_analysis(struct follow *follow, struct analysis analysis)
{
	follow_add(follow, &analysis);
}

static void finish(struct follow *follow, const struct report_source *source)
{
	metrics_trace_end(source->metrics, follow->window);
	model_finish(follow->model);
	metrics_finish(source->metrics);
	slices_finish(source->slices, follow->window);
	options_check_known(follow->options, follow->model);
}

static int run(const struct options *options)
{
	struct report_source source;
	struct follow follow;

	follow_open(&follow, options);
	source = (struct report_source) {
		.follow = &follow,
		.metrics = metrics_new(follow.model, follow.window, follow.trace->start_ns),
		.slices = slices_new(follow.window),
		.memory = memory_new(),
	};
	add_analysis(&follow, slices_analysis(source.slices));
	add_analysis(&follow, memory_analysis(source.memory));
	follow_run(&follow);
	finish(&follow, &source);
	print_report(&source);
	memory_free(source.memory);
	slices_free(source.slices);
	metrics_free(source.metrics);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

static const struct column *const tables[] = {
	report_scope_columns, report_vgpu_columns, report_gpu_columns, report_engine_columns, NULL
};

const struct command report_command = {
	.name = "report",
	.help = "metrics per vGPU and engine",
	.doc = "Report utilisation, queue length, wait, latency, slices and memory per vGPU and engine.",
	.quantities = QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) |
		      QUANTITY_BIT(QUANTITY_ARRIVALS) | QUANTITY_BIT(QUANTITY_COMPLETIONS) |
		      QUANTITY_BIT(QUANTITY_CANCELLED) | QUANTITY_BIT(QUANTITY_SLICES) |
		      QUANTITY_BIT(QUANTITY_SPLIT) | QUANTITY_BIT(QUANTITY_VGPUS) | QUANTITY_BIT(QUANTITY_SETTINGS) |
		      QUANTITY_BIT(QUANTITY_SPT) | QUANTITY_BIT(QUANTITY_GEM),
	.columns = tables,
	.run = run,
};
