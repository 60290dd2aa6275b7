/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replays a recorded trace: the scheduler gets the recorded inputs at the recorded times, and must
 * make the same decisions
 */
#ifndef GVT_SIM_REPLAY_H
#define GVT_SIM_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

/**
 * replay - replay a trace, and print how many decisions match
 * @file: its events, as text
 * @name: of the file
 *
 * Return: true if all decisions match.
 */
bool replay(FILE *file, const char *name);

#endif
