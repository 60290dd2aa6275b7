/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small changes to a scenario, to measure the effect of insignificant differences. */
#ifndef RIG_PERTURB_H
#define RIG_PERTURB_H

#include <stdint.h>

#include "scenario.h"

/* The largest delay of a stream's start. */
#define PERTURB_START_NS 50000000ull

/**
 * perturb - delay the streams of a scenario, each by a random time below
 * PERTURB_START_NS, and change their seeds
 * @number: determines the changes; 0 for none
 */
void perturb(struct scenario *s, uint64_t number);

#endif
