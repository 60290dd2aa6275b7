/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The critical path of one workload, for other commands.
 */
#ifndef GVT_STAT_PATH_H
#define GVT_STAT_PATH_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "follow/follow.h"

/**
 * path_print - print a table of the waits of a workload, or the reason why they are unknown
 * path_json - the same as JSON: "summary" of 'why path --json', or null
 * @selection: its trace is read again
 * @workload: id of a workload, unique on the selected GPUs
 */
void path_print(const struct selection *selection, int64_t workload, FILE *out);
json_t *path_json(const struct selection *selection, int64_t workload);

#endif
