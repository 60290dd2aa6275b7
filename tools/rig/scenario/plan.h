/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scenario as lines that a shell script reads word by word. */
#ifndef RIG_SCENARIO_PLAN_H
#define RIG_SCENARIO_PLAN_H

#include <stdio.h>

#include "scenario.h"

/**
 * plan_print - print a scenario for "while read -r word rest" loops
 *
 * All defaults are filled in, times are in ns and sizes in MB; README.md in
 * this directory lists the lines.
 */
void plan_print(const struct scenario *s, FILE *out);

#endif
