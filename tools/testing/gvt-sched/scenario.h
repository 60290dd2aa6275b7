/* SPDX-License-Identifier: GPL-2.0-only */
/* Mixes as scenarios of the rig */

#ifndef GVT_SCHED_SCENARIO_H
#define GVT_SCHED_SCENARIO_H

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/**
 * scenario_plain - replace what a scenario of the rig does not have
 * @c: the client
 *
 * Lengths, pauses and periods that vary are replaced by their means, workloads of another context by
 * the mean of both, pauses within bursts by 40 us and their depth by 1, and weights by nice values of about the
 * same effect.
 */
void scenario_plain(struct sched_sim_client *c);

/**
 * scenario_write - write a mix as a scenario of the rig
 * @path: the file
 * @clients: the mix, after scenario_plain()
 * @n: number of clients
 * @seconds: length of the window
 *
 * Exits with a message if the file cannot be written.
 */
void scenario_write(const char *path, const struct sched_sim_client *clients, u32 n, u64 seconds);

#endif
