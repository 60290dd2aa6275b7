/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weighted max-min fair shares of a resource
 * (D. Bertsekas and R. Gallager, Data Networks, 2nd ed. 1992, section 6.5.2). No claim
 * gets more than it wants, and the rest is shared among the others by weight:
 * the level rises until all is distributed, as water fills vessels of unlike depth.
 */
#ifndef GVTTRACE_WATERFILL_H
#define GVTTRACE_WATERFILL_H

#include <stdbool.h>
#include <stdint.h>

/* one claim: its demand and its due share */
struct claim {
	double want;			/* >= 0, in any unit; may be INFINITY */
	double weight;			/* > 0 */
	double due;			/* filled: min(want, level * weight) */
	bool satisfied;			/* filled: @due equals @want */
};

/**
 * waterfill - distribute @total
 * @claims: @n of them; their order stays
 * @total: >= 0, in the unit of the claims
 *
 * Returns the level, the due share per weight of unsatisfied claims; INFINITY if all
 * claims are satisfied.
 */
double waterfill(struct claim *claims, unsigned int n, double total);

/**
 * waterfill_weight - the weight of a vGPU's claim
 * @weight: of its type; or UNKNOWN
 * @nice: each step up divides the weight by 1.25; UNKNOWN: 0
 *
 * Returns NAN if the weight is unknown.
 */
double waterfill_weight(int64_t weight, int64_t nice);

#endif
