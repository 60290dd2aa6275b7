/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recorded trace again: the scheduler is told when workloads came, were submitted, executed
 * and completed, and has to decide as it did then
 */
#ifndef GVT_SIM_REPLAY_H
#define GVT_SIM_REPLAY_H

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
