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

struct proof;

/**
 * proof_new - begin to look at what is needed, of a trace that is about to be read
 *
 * proof_free() frees.
 */
struct proof *proof_new(struct follow *follow);
void proof_free(struct proof *proof);

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
