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

#endif
