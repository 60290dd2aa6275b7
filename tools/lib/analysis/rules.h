/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files with rules share; the table is in rules.c.
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

/* what spoils the trace, or the guests' work, comes before what is slow */
#define IMPACT_TRACE	300
#define IMPACT_FAILURE	200

/**
 * check_add - add what a rule found
 * @finding: copied; texts and remedies belong to the check from now on
 */
void check_add(struct check *check, const struct finding *finding);

/**
 * rules_advise - add what no setting does
 */
void rules_advise(GArray *remedies, enum remedy_id id);

/**
 * rules_propose - add settings of a GPU, as far as they are not in force already
 * @name2: or NULL
 *
 * Returns false if nothing is left to set. A kernel without settings is advised against.
 */
bool rules_propose(const struct check *check, GArray *remedies, enum remedy_id id, int64_t dev,
		   const char *name, const char *value, const char *name2, const char *value2);

/**
 * rules_propose_number - the same for one that is a number, in the unit of its file
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
 * @engine: NULL: on any
 * @class: for this reason; WAIT_CLASSES: for any but its own earlier work
 *
 * NULL: there was none.
 */
const struct blame_row *rules_longest_wait(const struct check *check, const struct vgpu *vgpu,
					   const struct gpu_engine *engine, enum wait_class class);

/* an empty array of struct remedy, for a finding */
GArray *rules_remedies(void);

/* the policy under which nobody is kept waiting while the GPU is idle: by the workloads' lengths */
const char *rules_lending_policy(const struct check *check, int64_t dev);
void rules_propose_lending(const struct check *check, GArray *remedies, int64_t dev);

/* against workloads of a vGPU that run on although it is another one's turn */
void rules_against_long_work(const struct check *check, GArray *remedies,
			     const struct vgpu *culprit, bool hang);

/* the same for the host's own work */
void rules_against_work_before_host(const struct check *check, GArray *remedies,
				    const struct vgpu *culprit, bool hang);

/* of the idle engines */
void find_throttled(struct check *check, const struct rule *rule);
void find_stranded(struct check *check, const struct rule *rule);
void find_switching(struct check *check, const struct rule *rule);
void find_held(struct check *check, const struct rule *rule);
void find_host(struct check *check, const struct rule *rule);

/* of who waits for whom */
void find_capped(struct check *check, const struct rule *rule);
void find_debt(struct check *check, const struct rule *rule);
void find_blocked(struct check *check, const struct rule *rule);
void find_starved(struct check *check, const struct rule *rule);
void find_drain(struct check *check, const struct rule *rule);

/* does the vGPU wait to pay for more than a slice? */
bool is_in_debt(const struct check *check, const struct vgpu *vgpu);

/* What was waited for is one workload, or one stay of the host's, if that takes so much of the wait. */
#define MOST_OF			0.5

/**
 * rules_kept_by_host - what of a vGPU's work waited for the host's for most of a time
 *
 * NULL: nothing did, or the vGPU executed for so long itself. In the turn of one that is kept,
 * with exclusive dispatch, all wait for the host.
 */
const struct blame_row *rules_kept_by_host(const struct check *check, const struct vgpu *vgpu,
					   int64_t from_ns, int64_t length_ns);

/* of the host's own work */
void find_host_work(struct check *check, const struct rule *rule);
void find_host_blocks(struct check *check, const struct rule *rule);
void find_host_waits(struct check *check, const struct rule *rule);

/* of shares */
void find_unfair(struct check *check, const struct rule *rule);
void find_delayed(struct check *check, const struct rule *rule);

/* of guests, and of the trace itself */
void find_preempted(struct check *check, const struct rule *rule);
void find_resets(struct check *check, const struct rule *rule);
void find_failed(struct check *check, const struct rule *rule);
void find_failsafe(struct check *check, const struct rule *rule);
void find_misuse(struct check *check, const struct rule *rule);
void find_lost(struct check *check, const struct rule *rule);
void find_missing(struct check *check, const struct rule *rule);

/* what helps work of the queue that waits too long for this reason */
void rules_against_wait(const struct check *check, GArray *remedies,
			const struct queue_facts *facts, enum wait_class class);

#endif
