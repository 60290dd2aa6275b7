/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares the recorded decisions with those of the replay */
#ifndef GVT_SIM_DECISIONS_H
#define GVT_SIM_DECISIONS_H

#include "line.h"

/**
 * decisions_recorded - add a decision of the trace
 */
void decisions_recorded(const struct line *line);

/**
 * decisions_made - add a decision of the replay
 */
void decisions_made(const struct line *line);

/**
 * decisions_step - an input is about to be replayed
 *
 * Decisions made before the next call follow this input in the trace, unless the trace ends.
 */
void decisions_step(void);

/**
 * decisions_end - the replay stops here
 *
 * Drops unmatched decisions that the other side may lack because the trace was cut off here.
 */
void decisions_end(void);

/**
 * decisions_print - print how many decisions match
 * @name: of the trace
 *
 * Decisions match in order, if their event and all recorded fields are equal.
 *
 * Return: true if all decisions match, and the replay made no others.
 */
bool decisions_print(const char *name);

#endif
