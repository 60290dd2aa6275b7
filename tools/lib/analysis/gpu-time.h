/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execution time of vGPUs in each block of time, with upper bounds where events were
 * lost.
 */
#ifndef GVTTRACE_GPU_TIME_H
#define GVTTRACE_GPU_TIME_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "blocks.h"
#include "metrics.h"

struct gpu_time;

/**
 * gpu_time_new, gpu_time_free - begin to listen to the model
 * @follow: not run yet
 * @blocks: gets the lines that are needed
 */
struct gpu_time *gpu_time_new(const struct follow *follow, struct blocks *blocks);
void gpu_time_free(struct gpu_time *time);

/**
 * gpu_time_bounds - execution in a block in ns, summed over engines, after model_finish()
 * @vgpus: of struct vgpu
 * @length_ns: of the part of the block inside the window
 *
 * The bounds of each engine are those of metrics_exec().
 */
struct bounds gpu_time_bounds(const struct gpu_time *time, const GPtrArray *vgpus, int64_t block,
			      int64_t length_ns);

#endif
