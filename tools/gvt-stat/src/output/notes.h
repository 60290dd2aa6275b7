/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people are told before and after the tables of every command: which
 * trace it is, what is missing in it and what was lost.
 */
#ifndef GVT_STAT_NOTES_H
#define GVT_STAT_NOTES_H

#include <stdio.h>

#include "follow/follow.h"

/**
 * notes_head - trace, window observed, and settings of the scheduler
 * @follow: run to its end
 */
void notes_head(const struct follow *follow, FILE *out);

/**
 * notes_tail - missing events with what is unknown for want of them, lost
 * events, and what is odd
 */
void notes_tail(const struct follow *follow, FILE *out);

/**
 * notes_warn - tell contradictions on stderr, for output that has no place for them
 */
void notes_warn(const struct follow *follow);

#endif
