/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which VM on which host: as much of the demand as possible is placed, with nobody beyond a
 * limit, and then on as few hosts as possible.
 */
#ifndef GVT_STAT_SEARCH_PLACES_H
#define GVT_STAT_SEARCH_PLACES_H

#include <stdbool.h>

#include <glib.h>

/* no host */
#define PLACE_NOWHERE	G_MAXUINT

/* what vGPUs take away from a GPU */
enum place_resource {
	RESOURCE_LOW_MB,		/* of the aperture */
	RESOURCE_HIGH_MB,		/* of what the GTT maps behind it */
	RESOURCE_FENCES,
	RESOURCE_VGPUS,
	RESOURCES,
};

struct place_vm {
	unsigned int kind;		/* VMs of a kind can take each other's place; below nr_vms */
	double demand;			/* what it wants of a GPU, from 0 on */
	unsigned int needs[RESOURCES];
	unsigned int fixed;		/* the host that it is on and stays on; or PLACE_NOWHERE */
};

struct place_host {
	unsigned int class;		/* on hosts of a class the same VMs do equally well */
	unsigned int has[RESOURCES];
};

/**
 * place_strain_fn - how near to its limit the VM is that is nearest
 * @class: of the host
 * @vms: numbers of VMs that share it
 *
 * Returns 0 for no degradation at all, 1 for a VM that is just at its limit; above 1 it is
 * beyond it. It is asked once for VMs of the same kinds.
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
	unsigned int tries;		/* calls of @strain after which nothing more is improved */
};

struct placement {
	unsigned int *host_of;		/* each VM: its host, or PLACE_NOWHERE */
	double demand;			/* of those with a host */
	unsigned int placed;
	unsigned int hosts_used;
	unsigned int tried;		/* calls of @strain */
	bool cut_short;			/* more tries might have improved it */
};

struct places;

/**
 * places_new - begin with a problem, which has to live as long
 *
 * places_free() frees.
 */
struct places *places_new(const struct place_problem *problem);
void places_free(struct places *places);

/**
 * places_search - look for the best placement
 *
 * First-fit in the order of decreasing demand, then improved while that is possible: a VM
 * without a host is put where another makes way by moving elsewhere, by changing places with a
 * third, or by giving up its place to more demand; and hosts are emptied. All of that again in
 * other orders, those first that had found no place. What is fixed is where it is, even beyond a limit.
 *
 * The caller frees @host_of with g_free().
 */
struct placement places_search(struct places *places);

/**
 * places_strain - that of VMs on a host, as it was asked before if it was
 *
 * 0 for no VMs.
 */
double places_strain(struct places *places, unsigned int host, const unsigned int *vms,
		     unsigned int count);

/**
 * places_lack - which resource VMs have too little of on a host; RESOURCES: none
 */
enum place_resource places_lack(const struct places *places, unsigned int host,
				const unsigned int *vms, unsigned int count);

#endif
