/* SPDX-License-Identifier: GPL-2.0-only */
/* Decisions: those that were recorded, those that were made again, and how they compare */
#ifndef GVT_SIM_DECISIONS_H
#define GVT_SIM_DECISIONS_H

#include "line.h"

/**
 * decisions_recorded - remember a decision of the trace
 */
void decisions_recorded(const struct line *line);

/**
 * decisions_made - remember one of the replay
 */
void decisions_made(const struct line *line);

/**
 * decisions_compare - print how many are the same
 * @name: of the trace
 * @zero_ns: the replay's time that is 0 in the trace
 *
 * The same are those of the same kind about the same vGPUs, engine and reason, less than 20 us
 * apart.
 *
 * Return: whether all are, and none was made that was not recorded.
 */
bool decisions_compare(const char *name, u64 zero_ns);

#endif
