/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace on its way to lanes.h: what every form of export does that needs the lanes and
 * nothing else.
 */
#ifndef GVT_STAT_DRAWING_H
#define GVT_STAT_DRAWING_H

#include "cmd/options.h"
#include "lanes/lanes.h"

/* a trace that is open, with what its lanes are made from */
struct drawing {
	struct selection selection;
	struct follow follow;
	struct blocks *blocks;
	struct vcpus *vcpus;		/* NULL: the trace cannot have events of any */
	struct slices *slices;
	struct lanes *lanes;
};

/**
 * drawing_open - open the trace that is asked for
 * @ops: what to tell, with @ctx; must outlive the drawing
 *
 * Events of threads are read as well, if there are any. Ends the program with a message on any
 * error. The caller may add its own analyses to @drawing->follow.
 */
void drawing_open(struct drawing *drawing, const struct options *options,
		  const struct lanes_ops *ops, void *ctx);

/**
 * drawing_run - read the trace to its end, and tell what lasts until then
 */
void drawing_run(struct drawing *drawing);

/**
 * drawing_close - free what drawing_open() made
 */
void drawing_close(struct drawing *drawing);

/**
 * drawing_owner - "GPU 0", or "vGPU 1 (name of its VM)", with its GPU if that is not the first
 * @gpu: not looked at if there is a @vgpu
 * @vgpu: or NULL
 *
 * Hosts with several GPUs are rare, and ids of vGPUs are of one. The caller frees.
 */
char *drawing_owner(const struct gpu *gpu, const struct vgpu *vgpu);

#endif
