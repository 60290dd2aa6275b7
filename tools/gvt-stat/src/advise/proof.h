/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves remedies: simulates the trace with the settings of a remedy.
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
 * proof_new - begin to collect the data for simulations from a trace that is about to be read
 *
 * @told: facts about its vGPUs from the user; must outlive the proof
 *
 * proof_free() frees.
 */
struct proof *proof_new(struct follow *follow, const struct whatif *told);
void proof_free(struct proof *proof);

/**
 * proof_can - is gvt-sim available?
 */
bool proof_can(const struct proof *proof);

/**
 * proof_settle - try the remedies of all findings, and keep those that help
 * @check: of the same trace, with all rules applied; proof_settle() changes the remedies
 *
 * Keeps a remedy that is a setting if its simulation improves the figure of the finding's headline
 * in every case and, for idle engines, harms no vGPU. Otherwise replaces the remedy by the policy
 * and dispatch mode that improve the figure most.
 */
void proof_settle(struct proof *proof, struct check *check);

/**
 * proof_tried - the result of the finding's trials, in words; NULL: no remedy is a setting
 */
const char *proof_tried(const struct proof *proof, const struct finding *finding);

/**
 * proof_print - print the effect of a remedy on the streams of a finding
 * @proof: of a trace that was read, with its model finished
 *
 * Prints nothing for a remedy that is not a setting. Simulates equal settings only once.
 */
void proof_print(struct proof *proof, const struct finding *finding, const struct remedy *remedy,
		 FILE *out);

/**
 * proof_json - proof_print() for programs: the lines of simulate, and the doubts
 *
 * Returns a new reference; JSON null for a remedy that is not a setting.
 */
json_t *proof_json(struct proof *proof, const struct finding *finding, const struct remedy *remedy);

#endif
