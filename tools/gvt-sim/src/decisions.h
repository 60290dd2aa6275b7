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
 * decisions_step - something is about to be replayed
 *
 * What is made before the next call is traced after this one, but for what a trace ends in.
 */
void decisions_step(void);

/**
 * decisions_end - the replay does not go on from here
 *
 * What is left is forgotten if a trace that was cut off here can have it.
 */
void decisions_end(void);

/**
 * decisions_print - print how many were the same
 * @name: of the trace
 *
 * The same are those of one kind, one after the other, all of whose fields are the same.
 *
 * Return: whether all are, and none was made that was not recorded.
 */
bool decisions_print(const char *name);

#endif
