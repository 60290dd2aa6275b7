/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recorded trace again: the scheduler is told what it was told then, at the same times, and
 * has to decide as it did
 */
#ifndef GVT_SIM_REPLAY_H
#define GVT_SIM_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

/**
 * replay - replay a trace, print how many decisions were the same
 * @file: its events, as text
 * @name: of the file
 *
 * Return: whether all were.
 */
bool replay(FILE *file, const char *name);

#endif
