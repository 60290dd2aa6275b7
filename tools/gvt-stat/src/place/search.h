/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places VMs on hosts: places as much of the demand as possible within all limits, then uses as few
 * hosts as possible.
 */
#ifndef GVT_STAT_SEARCH_PLACES_H
#define GVT_STAT_SEARCH_PLACES_H

#include <stdbool.h>

#include <glib.h>

/* no host */
#define PLACE_NOWHERE	G_MAXUINT

/* resources of a GPU that vGPUs occupy */
enum place_resource {
	RESOURCE_LOW_MB,		/* of the aperture */
	RESOURCE_HIGH_MB,		/* mapped by the GTT beyond the aperture */
	RESOURCE_FENCES,
	RESOURCE_VGPUS,
	RESOURCES,
};

struct place_vm {
	unsigned int kind;		/* VMs of a kind are interchangeable; below nr_vms */
	double demand;			/* for the GPU, not negative */
	unsigned int needs[RESOURCES];
	unsigned int fixed;		/* host that it must stay on; or PLACE_NOWHERE */
};

struct place_host {
	unsigned int class;		/* hosts of a class give the same VMs equal performance */
	unsigned int has[RESOURCES];
};

/**
 * place_strain_fn - strain of the VM nearest to its limit
 * @class: of the host
 * @vms: numbers of the VMs on the host
 *
 * Returns 0 without degradation, 1 for a VM exactly at its limit, more beyond it. Called once per
 * class and set of kinds.
 */
typedef double (*place_strain_fn)(void *ctx, unsigned int class, const unsigned int *vms,
				  unsigned int count);

struct place_problem {
	const struct place_vm *vms;
	unsigned int nr_vms;
	const struct place_host *hosts;
	unsigned int nr_hosts;
	place_strain_fn strain;
	void *ctx;
	unsigned int tries;		/* maximum number of calls of @strain for improvements */
	unsigned int enough;		/* ends when all VMs are placed on so many hosts */
	/*
	 * for bound.h, for each VM @nr_engines: the part of an engine's time that it takes at least
	 * as long as it is within its limit
	 */
	const double *shares;
	unsigned int nr_engines;
};

struct placement {
	unsigned int *host_of;		/* for each VM: its host, or PLACE_NOWHERE */
	double demand;			/* of all VMs with a host */
	unsigned int placed;
	unsigned int hosts_used;
	unsigned int tried;		/* number of calls of @strain */
	bool cut_short;			/* limits stopped the search; more tries might improve it */
};

struct places;

/**
 * places_new - begin with a problem, which must outlive the result
 *
 * places_free() frees.
 */
struct places *places_new(const struct place_problem *problem);
void places_free(struct places *places);

/**
 * places_search - search for the best placement
 *
 * Host by host, the largest first, each with VMs that use up all that it has; and, unless that is good
 * enough, first-fit decreasing by demand. After each of them repeated improvement: a VM without a
 * host replaces another that moves elsewhere, that trades places with a third one, or that has less
 * demand and loses its place; then hosts are emptied. As long as a VM has no place, repeats first-fit
 * in other orders, preferring VMs that found no place. Fixed VMs stay on their host, even beyond a limit.
 *
 * The caller frees @host_of with g_free().
 */
struct placement places_search(struct places *places);

/**
 * places_strain - strain of a set of VMs on a host, cached
 *
 * 0 for no VMs.
 */
double places_strain(struct places *places, unsigned int host, const unsigned int *vms,
		     unsigned int count);

/**
 * places_lack - a resource of which the VMs need more than the host has; RESOURCES: none
 */
enum place_resource places_lack(const struct places *places, unsigned int host,
				const unsigned int *vms, unsigned int count);

#endif
