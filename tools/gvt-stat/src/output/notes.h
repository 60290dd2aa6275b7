/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text before and after the tables of every command: the trace, its missing events and its lost
 * events.
 */
#ifndef GVT_STAT_NOTES_H
#define GVT_STAT_NOTES_H

#include <stdio.h>

#include "follow/follow.h"

/**
 * notes_head - print the trace, the observed window and the settings of the scheduler
 * @follow: run to its end
 */
void notes_head(const struct follow *follow, FILE *out);

/**
 * notes_tail - print missing events and the values that are unknown without them, lost events, and
 * oddities
 */
void notes_tail(const struct follow *follow, FILE *out);

/**
 * notes_warn - print contradictions to stderr, for forms that have no place for them
 */
void notes_warn(const struct follow *follow);

#endif
