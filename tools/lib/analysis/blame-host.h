/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long work of vGPUs waited for the host's own work, in any part of the time.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_BLAME_HOST_H
#define GVTTRACE_BLAME_HOST_H

#include "blame.h"

/**
 * blame_host_ns - how long the work of @queue waited for the host's own work in a time
 *
 * Excludes waits in the turn of another vGPU. Of more than 65,536 waits the short ones are left out.
 */
int64_t blame_host_ns(const struct blame *blame, const struct vgpu_engine *queue, int64_t from_ns,
		      int64_t to_ns);

/**
 * blame_aside_ns - how long the host's own work ran on the engine of @queue while its work waited
 * for the turn of a vGPU that did not itself wait for the host on any engine
 *
 * Without the host, work would have waited then as well. A part of the row WAIT_HOST; the same limit.
 */
int64_t blame_aside_ns(const struct blame *blame, const struct vgpu_engine *queue);

#endif
