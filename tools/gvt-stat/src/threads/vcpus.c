// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "analysis/blocks.h"
#include "analysis/gpu-time.h"
#include "analysis/vcpus.h"
#include "analysis/vms.h"
#include "cmd/command.h"
#include "follow/follow.h"
#include "vcpus-show.h"

/* enough for one block per second for an hour */
#define MAX_BLOCKS	4096

static void show(const struct form *form, const struct follow *follow,
		 const struct vcpus *vcpus, const GPtrArray *vms)
{
	static const struct printers printers = { vcpu_show_lines, vcpu_show_json, vcpu_show_tables };
	const struct vcpu_report report = {
		.form = form, .follow = follow, .vcpus = vcpus, .vms = vms,
	};

	form_print(form, &printers, &report);
}

static int run(const struct options *options)
{
	struct follow follow;
	struct analysis analysis;
	struct gpu_time *gpu_time;
	struct blocks *blocks;
	struct vcpus *vcpus;
	GPtrArray *vms;

	follow_open(&follow, &options->selection);
	vcpus = vcpus_new(&follow);
	blocks = blocks_new(follow.window.from_ns, MAX_BLOCKS);
	gpu_time = gpu_time_new(&follow, blocks);
	analysis = vcpus_analysis(vcpus, &follow, blocks);
	follow_add(&follow, &analysis);
	follow_run(&follow);
	model_finish(follow.model);
	vcpus_finish(vcpus, follow.window);
	selection_check_known(&options->selection, follow.model);
	vms = vms_build(&(struct vm_source) {
		.vcpus = vcpus, .model = follow.model, .blocks = blocks,
		.recorded = follow.recorded,
		.gpu_time = gpu_time, .window = follow.window,
	});
	show(&options->form, &follow, vcpus, vms);
	g_ptr_array_free(vms, TRUE);
	gpu_time_free(gpu_time);
	blocks_free(blocks);
	vcpus_free(vcpus);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

const struct command vcpus_command = {
	.name = "why vcpus",
	.doc = "Show the states of vCPU threads, who preempted them, and what each VM is busy with.",
	.quantities = QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_PREEMPTION) |
		      QUANTITY_BIT(QUANTITY_RUNNABLE) | QUANTITY_BIT(QUANTITY_VMS) |
		      QUANTITY_BIT(QUANTITY_EXECUTION),
	.columns = TABLES(vcpu_columns),
	.run = run,
};
