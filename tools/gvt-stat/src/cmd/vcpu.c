// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "analysis/blocks.h"
#include "analysis/vcpus.h"
#include "analysis/vms.h"
#include "follow/follow.h"
#include "trace/util.h"
#include "command.h"
#include "vcpu-show.h"

/* enough for an hour by the second */
#define MAX_BLOCKS	4096

/* the GPU time of vGPUs: execution on all their engines */
struct gpu_time {
	struct follow *follow;
	struct blocks *blocks;
	GHashTable *lines;		/* struct vgpu -> line number + 1 */
};

static unsigned int line_of(struct gpu_time *time, struct vgpu *vgpu)
{
	unsigned int line = GPOINTER_TO_UINT(g_hash_table_lookup(time->lines, vgpu));

	if (!line) {
		line = blocks_add_line(time->blocks) + 1;
		g_hash_table_insert(time->lines, vgpu, GUINT_TO_POINTER(line));
	}
	return line - 1;
}

static void on_ran(void *ctx, const struct workload *w, int64_t from_ns, int64_t to_ns)
{
	struct gpu_time *time = ctx;
	const struct window *window = &time->follow->window;

	to_ns = known(to_ns) ? MIN(to_ns, window->to_ns) : window->to_ns;
	blocks_add(time->blocks, line_of(time, w->queue->vgpu), MAX(from_ns, window->from_ns),
		   to_ns);
}

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
	struct gpu_time time = { .lines = g_hash_table_new(NULL, NULL) };
	const struct model_listener listener = { .ran = on_ran, .ctx = &time };
	struct follow follow;
	struct analysis analysis;
	struct vcpus *vcpus;
	GPtrArray *vms;

	follow_open(&follow, &options->selection);
	vcpus = vcpus_new(&follow);
	time.follow = &follow;
	time.blocks = blocks_new(follow.window.from_ns, MAX_BLOCKS);
	model_listen(follow.model, &listener);
	analysis = vcpus_analysis(vcpus, &follow, time.blocks);
	follow_add(&follow, &analysis);
	follow_run(&follow);
	model_finish(follow.model);
	vcpus_finish(vcpus, follow.window);
	selection_check_known(&options->selection, follow.model);
	vms = vms_build(&(struct vm_source) {
		.vcpus = vcpus, .model = follow.model, .blocks = time.blocks,
		.recorded = follow.recorded,
		.vgpu_lines = time.lines, .window = follow.window,
	});
	show(&options->form, &follow, vcpus, vms);
	g_ptr_array_free(vms, TRUE);
	g_hash_table_destroy(time.lines);
	blocks_free(time.blocks);
	vcpus_free(vcpus);
	follow_close(&follow);
	return EXIT_SUCCESS;
}

static const struct column *const tables[] = { vcpu_columns, NULL };

const struct command vcpu_command = {
	.name = "vcpu",
	.help = "show where vCPUs spend their time, and who preempts whom",
	.doc = "Show the states of vCPU threads, who preempted them, and what each VM is busy with.",
	.quantities = QUANTITY_BIT(QUANTITY_GUEST) | QUANTITY_BIT(QUANTITY_PREEMPTION) |
		      QUANTITY_BIT(QUANTITY_RUNNABLE) | QUANTITY_BIT(QUANTITY_VMS) |
		      QUANTITY_BIT(QUANTITY_EXECUTION),
	.columns = tables,
	.run = run,
};
