// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/blocks.h"
#include "trace/util.h"
#include "drawing.h"

static void follow_vcpus(struct drawing *drawing)
{
	struct follow *follow = &drawing->follow;

	if (!follow->trace->described[EVENT_KVM_ENTRY])
		return;
	drawing->vcpus = vcpus_new(follow);
	vcpus_follow(drawing->vcpus, follow, drawing->blocks);
}

void drawing_open(struct drawing *drawing, const struct options *options,
		  const struct lanes_ops *ops, void *ctx)
{
	struct follow *follow = &drawing->follow;

	*drawing = (struct drawing) { .selection = options->selection };
	drawing->selection.beside |= QUANTITY_BIT(QUANTITY_GUEST) |
				     QUANTITY_BIT(QUANTITY_RUNNABLE) |
				     QUANTITY_BIT(QUANTITY_WAKERS);
	follow_open(follow, &drawing->selection);
	drawing->blocks = blocks_new(follow->window.from_ns, 2);
	follow_vcpus(drawing);
	drawing->slices = slices_new(follow->window);
	drawing->lanes = lanes_new(follow, drawing->slices, drawing->vcpus, ops, ctx);
	slices_follow(drawing->slices, follow);
}

void drawing_run(struct drawing *drawing)
{
	struct follow *follow = &drawing->follow;

	follow_run(follow);
	model_finish(follow->model);
	slices_finish(drawing->slices, follow->window);
	if (drawing->vcpus)
		vcpus_finish(drawing->vcpus, follow->window);
	lanes_finish(drawing->lanes);
	selection_check_known(follow->selection, follow->model);
}

void drawing_close(struct drawing *drawing)
{
	lanes_free(drawing->lanes);
	slices_free(drawing->slices);
	if (drawing->vcpus)
		vcpus_free(drawing->vcpus);
	blocks_free(drawing->blocks);
	follow_close(&drawing->follow);
}

char *drawing_owner(const struct gpu *gpu, const struct vgpu *vgpu)
{
	if (!vgpu)
		return g_strdup_printf("GPU %" PRId64, gpu->dev);
	return vgpu->dev ? g_strdup_printf("%s of GPU %" PRId64, vgpu->label, vgpu->dev) :
			   g_strdup(vgpu->label);
}
