/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well VMs of a fleet do beside each other, by prediction from their profiles; each set is
 * predicted once.
 */
#ifndef GVT_STAT_SUITABILITY_H
#define GVT_STAT_SUITABILITY_H

#include "predict/profile-file.h"
#include "predict/qos.h"
#include "fleet.h"

/* VMs with the same profile, type and quality of service */
struct vm_kind {
	struct profile *profile;
	const struct fleet_type *type;
	struct qos qos;
	double demand;			/* of an engine's time when it is alone, of all engines */
};

/* how a VM does in a set */
struct verdict {
	unsigned int kind;
	struct qos_answer answer;	/* of the engine that is nearest to its limit */
	double strain;			/* of that: 1 is the limit; INFINITY: it is not known */
};

/* what is asked for */
struct suitability_options {
	const char *profiles;		/* directory */
	const char *qos;		/* of VMs without one of their own; NULL: none */
	unsigned int phases;
};

struct suitability;

/**
 * suitability_new - read the profiles of a fleet's VMs
 * @simulator: path of gvt-sim
 *
 * All arguments have to live as long. What is wrong ends the program. suitability_free() frees.
 */
struct suitability *suitability_new(const struct fleet *fleet,
				    const struct suitability_options *options,
				    const char *simulator);
void suitability_free(struct suitability *suitability);

/**
 * suitability_kinds - struct vm_kind
 */
const GPtrArray *suitability_kinds(const struct suitability *suitability);

/**
 * suitability_kind_of - the kind of a VM or flavor, by its number in fleet_vm_at()
 */
unsigned int suitability_kind_of(const struct suitability *suitability, unsigned int vm);

/**
 * suitability_problem - what is to be searched, without @tries
 *
 * It lives as long as this. Behind its VMs are the flavors.
 */
struct place_problem suitability_problem(struct suitability *suitability);

/**
 * suitability_verdicts - how each of VMs does that share a host
 * @class: of the host in the problem
 *
 * Returns @count of struct verdict by rising kind, which live as long as this.
 */
const struct verdict *suitability_verdicts(struct suitability *suitability, unsigned int class,
					   const unsigned int *vms, unsigned int count);

#endif
