/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predicts from profiles how VMs of a fleet perform beside each other; each set is predicted once.
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
	double demand;			/* share of engine time when alone, summed over engines */
	double stretched_ns;		/* time for what the profile recorded, if just within the limit */
};

/* the performance of a VM in a set */
struct verdict {
	unsigned int kind;
	struct qos_answer answer;	/* of the engine nearest to its limit */
	double strain;			/* of this engine: 1 is the limit; INFINITY: unknown */
	bool at_least;			/* this bad or worse: the first phases were enough to see it */
};

/* options from the user */
struct suitability_options {
	const char *profiles;		/* directory */
	const char *qos;		/* of VMs without their own; NULL: none */
	unsigned int phases;
};

struct suitability;

/**
 * suitability_new - read the profiles of a fleet's VMs
 * @simulator: path of gvt-sim
 *
 * All arguments must outlive the result. Errors end the program. suitability_free() frees.
 */
struct suitability *suitability_new(const struct fleet *fleet,
				    const struct suitability_options *options,
				    const char *simulator);
void suitability_free(struct suitability *suitability);

/**
 * suitability_kinds - all kinds of VMs, struct vm_kind
 */
const GPtrArray *suitability_kinds(const struct suitability *suitability);

/**
 * suitability_kind_of - the kind of a VM or flavor, by its number as in fleet_vm_at()
 */
unsigned int suitability_kind_of(const struct suitability *suitability, unsigned int vm);

/**
 * suitability_problem - the problem for places_new(), without @tries
 *
 * Valid as long as @suitability. The flavors follow the VMs.
 */
struct place_problem suitability_problem(struct suitability *suitability);

/**
 * suitability_verdicts - the verdict on each VM of a set on one host
 * @class: of the host in the problem
 * @whole: simulate all phases even if the first ones are beyond a limit
 *
 * Returns @count of struct verdict by rising kind, valid until the same set is asked for again with @whole.
 */
const struct verdict *suitability_verdicts(struct suitability *suitability, unsigned int class,
					   const unsigned int *vms, unsigned int count, bool whole);

#endif
