/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is due to each of those who share something: weighted max-min fairness
 * (D. Bertsekas and R. Gallager, Data Networks, 2nd ed. 1992, section 6.5.2). Nobody
 * gets more than he wants, and what he leaves is shared out to the others by weight:
 * the level rises until all is given away, as water fills vessels of unlike depth.
 */
#ifndef GVTTRACE_WATERFILL_H
#define GVTTRACE_WATERFILL_H

#include <stdbool.h>
#include <stdint.h>

/* what one of them wants, and is due to it */
struct claim {
	double want;			/* >= 0, in any unit; may be INFINITY */
	double weight;			/* > 0 */
	double due;			/* filled: min(want, level * weight) */
	bool satisfied;			/* filled: it gets all that it wants */
};

/**
 * waterfill - share out @total
 * @claims: @n of them; their order stays
 * @total: >= 0, in the unit of the claims
 *
 * Returns the level, what is due per weight to all who are not satisfied; INFINITY if
 * all are.
 */
double waterfill(struct claim *claims, unsigned int n, double total);

/**
 * waterfill_weight - of a vGPU, for its claim
 * @weight: of its type; UNKNOWN
 * @nice: each step up divides the weight by 1.25; UNKNOWN: 0
 *
 * Returns NAN if it is not known.
 */
double waterfill_weight(int64_t weight, int64_t nice);

#endif
