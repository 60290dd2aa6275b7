/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A placement of VMs on hosts with its reasons: the performance of each VM beside the others on its
 * host, or why no host can take a VM.
 */
#ifndef GVT_STAT_PLAN_H
#define GVT_STAT_PLAN_H

#include "bound.h"
#include "suitability.h"

struct plan {
	const struct fleet *fleet;
	struct suitability *suitability;
	struct place_problem problem;
	struct places *places;
	struct placement placement;
	struct bound needed;		/* hosts for all VMs */
	struct bound bound;		/* for those that have one; at most placement.hosts_used */
	GArray **crowds;		/* for each host: unsigned int, numbers of its VMs */
};

/* can a host take one more VM of a kind? */
struct plan_room {
	enum place_resource lack;	/* missing resource; RESOURCES: none */
	const struct verdict *worst;	/* of the VM then nearest to its limit; or NULL */
	bool possible;
};

/**
 * plan_init - search for a placement
 * @tries: see struct place_problem
 *
 * All other arguments must outlive the plan. plan_clear() frees.
 */
void plan_init(struct plan *plan, const struct fleet *fleet, struct suitability *suitability,
	       unsigned int tries);
void plan_clear(struct plan *plan);

/**
 * plan_verdict - the verdict on a VM that has a host
 */
const struct verdict *plan_verdict(const struct plan *plan, unsigned int vm);

/**
 * plan_worst - the verdict on the VM of a host that is nearest to its limit; NULL: no VMs
 */
const struct verdict *plan_worst(const struct plan *plan, unsigned int host);

/**
 * plan_lack - the resource that the fixed VMs of a host exceed; RESOURCES: none
 */
enum place_resource plan_lack(const struct plan *plan, unsigned int host);

/**
 * plan_room - can a host take @vm in addition to its VMs?
 * @vm: number as in fleet_vm_at()
 */
struct plan_room plan_room(const struct plan *plan, unsigned int host, unsigned int vm);

/**
 * plan_more - number of further vGPUs of a type for which a host has memory, fences and ids
 */
unsigned int plan_more(const struct plan *plan, unsigned int host, const struct fleet_type *type);

/**
 * plan_is_met - does each VM have a host and stay within its limit?
 */
bool plan_is_met(const struct plan *plan);

/**
 * plan_reason - the reason for a VM's place, or for having none, as a sentence; the caller frees
 */
char *plan_reason(const struct plan *plan, unsigned int vm);

/**
 * plan_room_reason - why a host can take one more VM of this kind, or not; the caller frees
 */
char *plan_room_reason(const struct plan *plan, const struct plan_room *room);

#endif
