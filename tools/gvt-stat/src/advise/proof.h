/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a remedy would bring, by a simulation of the trace with its settings.
 */
#ifndef GVT_STAT_PROOF_H
#define GVT_STAT_PROOF_H

#include <stdio.h>

#include <jansson.h>

#include "analysis/check.h"
#include "analysis/remedy.h"
#include "whatif/whatif.h"

struct proof;

/**
 * proof_new - begin to look at what is needed, of a trace that is about to be read
 *
 * @told: what is said of its vGPUs; must outlive it
 *
 * proof_free() frees.
 */
struct proof *proof_new(struct follow *follow, const struct whatif *told);
void proof_free(struct proof *proof);

/**
 * proof_can - is there a simulator?
 */
bool proof_can(const struct proof *proof);

/**
 * proof_settle - try the remedies of all findings, and leave those that help
 * @check: of the same trace, with all rules applied; of its findings, remedies are changed
 *
 * A remedy that is a setting stays if its simulation improves the figure of the finding's headline, in every
 * case, and for idle engines without harm to anyone. Otherwise the policy and the dispatch mode
 * that improve it most take its place.
 */
void proof_settle(struct proof *proof, struct check *check);

/**
 * proof_tried - what trying the remedies of a finding showed, in words; NULL: none is a setting
 */
const char *proof_tried(const struct proof *proof, const struct finding *finding);

/**
 * proof_print - print what a remedy would bring to those whom a finding is about
 * @proof: of a trace that was read, with its model finished
 *
 * Prints nothing of a remedy that is no setting. The same settings are simulated once.
 */
void proof_print(struct proof *proof, const struct finding *finding, const struct remedy *remedy,
		 FILE *out);

/**
 * proof_json - the same for programs: lines as of simulate, and what is doubtful
 *
 * Returns a new reference; null of a remedy that is no setting.
 */
json_t *proof_json(struct proof *proof, const struct finding *finding, const struct remedy *remedy);

#endif
