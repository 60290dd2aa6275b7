/* SPDX-License-Identifier: GPL-2.0-only */
/* Random clients of all kinds, drawn without regard to what the scheduler is good at */

#ifndef GVT_SCHED_KINDS_H
#define GVT_SCHED_KINDS_H

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/**
 * kinds_mix - draw a mix
 * @seed: the same makes the same
 * @clients: filled in, %SCHED_TEST_VGPUS of them
 * @names: of their kinds; static strings
 *
 * Return: how many clients there are, 2 at least.
 */
u32 kinds_mix(u64 seed, struct sched_sim_client *clients, const char **names);

/**
 * kinds_beside - draw what half of them do on another engine, at least one does
 * @clients: the mix that was drawn last
 * @n: how many there are
 * @beside: filled in, @n of them; @depth is 0 for those that do nothing there
 * @names: of their kinds; static strings
 *
 * Weights, nice values and caps are the vGPUs', on each engine.
 */
void kinds_beside(const struct sched_sim_client *clients, u32 n, struct sched_sim_client *beside,
		  const char **names);

/**
 * kinds_boot - let about half of them begin with short workloads, and the others later
 * @clients: the mix that was drawn last
 * @n: how many there are
 */
void kinds_boot(struct sched_sim_client *clients, u32 n);

#endif
