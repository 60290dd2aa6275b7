/* SPDX-License-Identifier: GPL-2.0-only */
/* Fluid weighted sharing: each client's share of an ideal engine, divisible at will */

#ifndef GVT_SCHED_FLUID_H
#define GVT_SCHED_FLUID_H

#include "../../../drivers/gpu/drm/i915/gvt/tests/sched_sim.h"

/* struct fluid_result - a client's results in the measured time */
struct fluid_result {
	double share;
	double mean_ms;
};

/**
 * fluid_run - share an engine by generalized processor sharing
 * @clients: the clients
 * @n: number of clients, at most %SCHED_TEST_VGPUS
 * @costs_ns: time for submission and switch, which each workload takes besides its execution
 * @warm_up_ns: time before the measurement
 * @ns: the measured time
 * @seed: seed of the random numbers
 * @r: the results of each client, without @costs_ns, which are charged to the client
 *
 * A client with work is served at the rate of its share over those of all clients with work, or
 * at its cap if lower, which leaves more to the others (Parekh and Gallager, "A Generalized
 * Processor Sharing Approach to Flow Control", 1993). The model is independent of the scheduler.
 */
void fluid_run(const struct sched_sim_client *clients, u32 n, double costs_ns, double warm_up_ns,
	       double ns, u64 seed, struct fluid_result *r);

#endif
