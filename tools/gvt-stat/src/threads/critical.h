/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The critical path of one workload, for other commands.
 */
#ifndef GVT_STAT_CRITICAL_H
#define GVT_STAT_CRITICAL_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "follow/follow.h"

/**
 * critical_print - a table of what a workload waited for, or why that is not known
 * critical_json - the same: "summary" of 'critical --json', or null
 * @selection: whose trace is read once more
 * @workload: a number that one workload of the selected GPUs has
 */
void critical_print(const struct selection *selection, int64_t workload, FILE *out);
json_t *critical_json(const struct selection *selection, int64_t workload);

#endif
