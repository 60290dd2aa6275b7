/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small changes to a scenario that should not matter, to see how much they do. */
#ifndef RIG_PERTURB_H
#define RIG_PERTURB_H

#include <stdint.h>

#include "scenario.h"

/* Streams start that much later at most. */
#define PERTURB_START_NS 50000000ull

/**
 * perturb - let the streams of a scenario start later, each by a random time below
 * PERTURB_START_NS, and give them other seeds
 * @number: the same makes the same changes; 0 makes none
 */
void perturb(struct scenario *s, uint64_t number);

#endif
