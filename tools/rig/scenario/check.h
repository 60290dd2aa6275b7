/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constraints between the words of a scenario. */
#ifndef RIG_SCENARIO_CHECK_H
#define RIG_SCENARIO_CHECK_H

#include <stdio.h>

#include "scenario.h"

/**
 * scenario_check - find contradictions between the words of a scenario
 * @s: a scenario whose single values are valid
 * @errors: receives one line if there is a contradiction
 *
 * Returns: 0, or -EINVAL after the first contradiction.
 */
int scenario_check(const struct scenario *s, FILE *errors);

#endif
