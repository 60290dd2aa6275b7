/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who measures queues: see depth.h.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DEPTH_PRIVATE_H
#define GVTTRACE_DEPTH_PRIVATE_H

#include "depth.h"

/**
 * depth_change - the queue grew or shrank by @delta at @ts_ns
 * @window: the window of interest; changes must come in order of time
 */
void depth_change(struct depth *depth, const struct window *window, int64_t ts_ns, int delta);

/**
 * depth_initial - one that was in the queue at the start was discovered
 */
void depth_initial(struct depth *depth);

/**
 * depth_forget - one of those that were in it for @ns in the window did not wait
 *
 * The maximum is that of what seemed to wait.
 */
void depth_forget(struct depth *depth, int64_t ns);

/**
 * depth_finish - the window is over: fix mean and maximum
 */
void depth_finish(struct depth *depth, const struct window *window);

/**
 * depth_mean - mean length of the queue in a window; NAN if that is empty
 */
double depth_mean(const struct depth *depth, const struct window *window);

#endif
