/* SPDX-License-Identifier: GPL-2.0-only */
/* Fluid weighted sharing: what clients would get of an engine that can be divided at will */

#ifndef GVT_SCHED_FLUID_H
#define GVT_SCHED_FLUID_H

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/* struct fluid_result - what one client got, of the time that is looked at */
struct fluid_result {
	double share;
	double mean_ms;
};

/**
 * fluid_run - share an engine by generalized processor sharing
 * @clients: who wants it
 * @n: how many, at most %SCHED_TEST_VGPUS
 * @costs_ns: what each workload takes beside its execution: submission and the change
 * @warm_up_ns: time that is not looked at
 * @ns: time after that
 * @seed: of the random numbers
 * @r: what each client got; without @costs_ns, which count as the client's own
 *
 * Whoever has work is served at the rate of its share over those of all that have work, or at
 * its cap if that is less, which leaves more to the others (Parekh and Gallager, "A Generalized
 * Processor Sharing Approach to Flow Control", 1993). It knows nothing of the scheduler.
 */
void fluid_run(const struct sched_sim_client *clients, u32 n, double costs_ns, double warm_up_ns,
	       double ns, u64 seed, struct fluid_result *r);

#endif
