/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Feeds a trace to lanes.h: shared by all export formats that need only the lanes.
 */
#ifndef GVT_STAT_DRAWING_H
#define GVT_STAT_DRAWING_H

#include "cmd/options.h"
#include "lanes/lanes.h"

/* an open trace, with the analyses that lanes are made from */
struct drawing {
	struct selection selection;
	struct follow follow;
	struct blocks *blocks;
	struct vcpus *vcpus;		/* NULL: the trace has no vCPU events */
	struct slices *slices;
	struct lanes *lanes;
};

/**
 * drawing_open - open the selected trace
 * @ops: called back with @ctx; must outlive the drawing
 *
 * Reads events of threads, too, if there are any. Ends the program with a message on any error. The
 * caller may add analyses to @drawing->follow.
 */
void drawing_open(struct drawing *drawing, const struct options *options,
		  const struct lanes_ops *ops, void *ctx);

/**
 * drawing_run - read the trace to its end, and report intervals that last until then
 */
void drawing_run(struct drawing *drawing);

/**
 * drawing_close - free the resources of drawing_open()
 */
void drawing_close(struct drawing *drawing);

/**
 * drawing_owner - "GPU 0", or "vGPU 1 (name of its VM)", with its GPU except for the first one
 * @gpu: ignored if there is a @vgpu
 * @vgpu: or NULL
 *
 * Omits the first GPU, as few hosts have several; ids of vGPUs are per GPU. The caller frees.
 */
char *drawing_owner(const struct gpu *gpu, const struct vgpu *vgpu);

#endif
