/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A placement of VMs on hosts, and why it is so: how each VM does beside the others of its host,
 * or why no host can have it.
 */
#ifndef GVT_STAT_PLAN_H
#define GVT_STAT_PLAN_H

#include "suitability.h"

struct plan {
	const struct fleet *fleet;
	struct suitability *suitability;
	struct place_problem problem;
	struct places *places;
	struct placement placement;
	GArray **crowds;		/* of each host: unsigned int, numbers of VMs */
};

/* could a host have one more VM of a kind? */
struct plan_room {
	enum place_resource lack;	/* of which it has too little; RESOURCES: none */
	const struct verdict *worst;	/* of the VM that is nearest to its limit then; or NULL */
	bool possible;
};

/**
 * plan_init - search
 * @tries: see struct place_problem
 *
 * All other arguments have to live as long. plan_clear() frees.
 */
void plan_init(struct plan *plan, const struct fleet *fleet, struct suitability *suitability,
	       unsigned int tries);
void plan_clear(struct plan *plan);

/**
 * plan_verdict - how a VM does that has a host
 */
const struct verdict *plan_verdict(const struct plan *plan, unsigned int vm);

/**
 * plan_worst - of the VM of a host that is nearest to its limit; NULL: it has none
 */
const struct verdict *plan_worst(const struct plan *plan, unsigned int host);

/**
 * plan_lack - what VMs that are fixed have too little of on a host; RESOURCES: nothing
 */
enum place_resource plan_lack(const struct plan *plan, unsigned int host);

/**
 * plan_room - beside the VMs that a host has, could it have @vm, too?
 * @vm: number in fleet_vm_at()
 */
struct plan_room plan_room(const struct plan *plan, unsigned int host, unsigned int vm);

/**
 * plan_more - how many more vGPUs of a type a host has memory, fences and ids for
 */
unsigned int plan_more(const struct plan *plan, unsigned int host, const struct fleet_type *type);

/**
 * plan_is_met - has each VM a host, and is nobody beyond a limit?
 */
bool plan_is_met(const struct plan *plan);

/**
 * plan_reason - a sentence on why a VM is where it is, or nowhere; the caller frees
 */
char *plan_reason(const struct plan *plan, unsigned int vm);

/**
 * plan_room_reason - why a host can have one more VM of this kind, or not; the caller frees
 */
char *plan_room_reason(const struct plan *plan, const struct plan_room *room);

#endif
