/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How few hosts could do at best, by what no placement gets around: memory, fences and ids of vGPUs, and the
 * time of engines. It knows nothing of schedulers and predictions, so it judges the search.
 *
 * For each resource alone this is one-dimensional bin packing. The bound is L2 of S. Martello and P. Toth, Lower
 * bounds and reduction procedures for the bin packing problem, Discrete Applied Mathematics 28, 1990, equation (6),
 * with hosts of different sizes, the largest first; and that a host with room r has at most floor(r / a) items of size
 * a or more.
 */
#ifndef GVT_STAT_BOUND_H
#define GVT_STAT_BOUND_H

#include "search.h"

struct bound {
	unsigned int hosts;		/* at least; may be more than there are */
	unsigned int by;		/* what decides: enum place_resource, or RESOURCES + an engine's number */
};

/**
 * bound_hosts - a lower bound on the hosts that VMs need
 * @host_of: by VM: without those whose host is PLACE_NOWHERE; NULL: of all VMs
 *
 * Hosts with fixed VMs count as used. What fits on no host counts as if it filled one.
 */
struct bound bound_hosts(const struct place_problem *problem, const unsigned int *host_of);

#endif
