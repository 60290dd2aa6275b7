/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Updates of struct depth: see depth.h.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DEPTH_PRIVATE_H
#define GVTTRACE_DEPTH_PRIVATE_H

#include "depth.h"

/**
 * depth_change - the queue grew or shrank by @delta at @ts_ns
 * @window: the window of interest; changes must come in chronological order
 */
void depth_change(struct depth *depth, const struct window *window, int64_t ts_ns, int delta);

/**
 * depth_initial - another workload turned out to have been in the queue at the start
 */
void depth_initial(struct depth *depth);

/**
 * depth_forget - a workload counted for @ns in the window did not wait after all
 *
 * The maximum still includes it.
 */
void depth_forget(struct depth *depth, int64_t ns);

/**
 * depth_finish - the window ended: complete mean and maximum
 */
void depth_finish(struct depth *depth, const struct window *window);

/**
 * depth_mean - mean length of the queue in a window; NAN if the window is empty
 */
double depth_mean(const struct depth *depth, const struct window *window);

#endif
