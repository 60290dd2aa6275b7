/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files with rules; the table is in rules.c.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_RULES_H
#define GVTTRACE_RULES_H

#include <inttypes.h>

#include "check.h"
#include "facts.h"
#include "health.h"
#include "remedy-private.h"

#define MS(ns)		((double)(ns) / NSEC_PER_MSEC)

/* defects of the trace, and failed work, come before slowness */
#define IMPACT_TRACE	300
#define IMPACT_FAILURE	200

/**
 * check_add - add a finding
 * @finding: copied; the check takes ownership of its strings and remedies
 */
void check_add(struct check *check, const struct finding *finding);

/**
 * rules_advise - add a remedy that is no setting
 */
void rules_advise(GArray *remedies, enum remedy_id id);

/**
 * rules_propose - add settings of a GPU, without those already in force
 * @name2: or NULL
 *
 * Returns false if no setting is left. If the kernel has no settings, advises another kernel.
 */
bool rules_propose(const struct check *check, GArray *remedies, enum remedy_id id, int64_t dev,
		   const char *name, const char *value, const char *name2, const char *value2);

/**
 * rules_propose_number - the same for one numeric setting, in the unit of its file
 */
bool rules_propose_number(const struct check *check, GArray *remedies, enum remedy_id id,
			  int64_t dev, const char *name, int64_t value);

/**
 * rules_propose_vgpu - add a setting of a vGPU
 */
void rules_propose_vgpu(GArray *remedies, enum remedy_id id, const struct vgpu *vgpu,
			const char *name, int64_t value);

/**
 * rules_longest_wait - the row with the longest wait of a vGPU's work
 * @engine: NULL: any
 * @class: the reason; WAIT_CLASSES: any but waits in its own turn
 *
 * NULL: none.
 */
const struct blame_row *rules_longest_wait(const struct check *check, const struct vgpu *vgpu,
					   const struct gpu_engine *engine, enum wait_class class);

/* an empty array of struct remedy, for a finding */
GArray *rules_remedies(void);

/* the policy that never makes work wait for an idle GPU: chosen by the workloads' lengths */
const char *rules_lending_policy(const struct check *check, int64_t dev);
void rules_propose_lending(const struct check *check, GArray *remedies, int64_t dev);

/* remedies for workloads that run on in another vGPU's turn */
void rules_against_long_work(const struct check *check, GArray *remedies,
			     const struct vgpu *culprit, bool hang);

/* remedies for workloads that make the host's own work wait */
void rules_against_work_before_host(const struct check *check, GArray *remedies,
				    const struct vgpu *culprit, bool hang);

/* rules on idle engines */
void find_throttled(struct check *check, const struct rule *rule);
void find_stranded(struct check *check, const struct rule *rule);
void find_switching(struct check *check, const struct rule *rule);
void find_held(struct check *check, const struct rule *rule);
void find_host(struct check *check, const struct rule *rule);

/* rules on waits */
void find_capped(struct check *check, const struct rule *rule);
void find_debt(struct check *check, const struct rule *rule);
void find_blocked(struct check *check, const struct rule *rule);
void find_starved(struct check *check, const struct rule *rule);
void find_drain(struct check *check, const struct rule *rule);

/* does the vGPU wait because of a debt of more than one slice? */
bool is_in_debt(const struct check *check, const struct vgpu *vgpu);

/* If one execution takes this part of a wait, the wait was for that one. */
#define MOST_OF			0.5

/**
 * rules_kept_by_host - the queue of the vGPU whose work waited for the host for most of a time
 * @host_ns: for how long
 *
 * NULL: none, or the vGPU itself ran for so long. With exclusive dispatch, all vGPUs wait for
 * the host in the turn of a vGPU that does.
 */
const struct vgpu_engine *rules_kept_by_host(const struct check *check, const struct vgpu *vgpu,
					     int64_t from_ns, int64_t length_ns, int64_t *host_ns);

/* rules on the host's own work */
void find_host_work(struct check *check, const struct rule *rule);
void find_host_blocks(struct check *check, const struct rule *rule);
void find_host_waits(struct check *check, const struct rule *rule);
void find_host_delayed(struct check *check, const struct rule *rule);

/* a longer wait of the host is a finding of its own */
#define HOST_WAITS_MS		20

/* rules on shares */
void find_unfair(struct check *check, const struct rule *rule);
void find_delayed(struct check *check, const struct rule *rule);

/* rules on guests, and on the trace itself */
void find_preempted(struct check *check, const struct rule *rule);
void find_resets(struct check *check, const struct rule *rule);
void find_failed(struct check *check, const struct rule *rule);
void find_failsafe(struct check *check, const struct rule *rule);
void find_misuse(struct check *check, const struct rule *rule);
void find_lost(struct check *check, const struct rule *rule);
void find_missing(struct check *check, const struct rule *rule);

/* remedies for a queue whose work waits too long for this reason */
void rules_against_wait(const struct check *check, GArray *remedies,
			const struct queue_facts *facts, enum wait_class class);

#endif
