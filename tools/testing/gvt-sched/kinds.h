/* SPDX-License-Identifier: GPL-2.0-only */
/* Random clients of all kinds, drawn independently of the strengths of the scheduler */

#ifndef GVT_SCHED_KINDS_H
#define GVT_SCHED_KINDS_H

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/**
 * kinds_mix - draw a mix
 * @seed: the seed, which determines the mix
 * @clients: receives up to %SCHED_TEST_VGPUS clients
 * @names: receives the names of their kinds; static strings
 *
 * Return: the number of clients, at least 2.
 */
u32 kinds_mix(u64 seed, struct sched_sim_client *clients, const char **names);

/**
 * kinds_beside - draw the clients of half of the vGPUs, but at least one, on a second engine
 * @clients: the mix that was drawn last
 * @n: number of clients
 * @beside: receives @n clients; @depth is 0 for idle ones
 * @names: receives the names of their kinds; static strings
 *
 * A vGPU has the same weight, nice value and cap on each engine.
 */
void kinds_beside(const struct sched_sim_client *clients, u32 n, struct sched_sim_client *beside,
		  const char **names);

/**
 * kinds_boot - make half of the clients begin with short workloads, and the others begin later
 * @clients: the mix that was drawn last
 * @n: number of clients
 */
void kinds_boot(struct sched_sim_client *clients, u32 n);

#endif
