/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many runs of gvt-stat in one process, on a copy each, which is ten times as fast as a
 * process each. What they leave behind ends with the process.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdint.h>

#include "commands.h"
#include "damage.h"

/* what a batch found; @seed, where it ended, is not done if that is a doubt */
struct batch {
	uint64_t seed;
	uint64_t verdicts[VERDICTS];
	uint64_t peak_kib;
	uint64_t slowest_ns;		/* of the CPU */
	uint64_t slowest_seed;
};

/**
 * batch_new - what batches write into, which is shared with their processes
 */
struct batch *batch_new(void);

/**
 * batch_run - try copies from @batch->seed on, to the end of its block or @end
 * @originals: of which the copies are, one after the other
 * @directory: for the copies
 * @prepare: called in the process before the first
 *
 * Return: true if all were tried. Else something is wrong with the one of @batch->seed, or
 * the process has become too large: it is to be tried in a process of its own.
 */
bool batch_run(struct batch *batch, uint64_t end, const struct original *originals,
	       int nr_originals, const char *directory, void (*prepare)(void));

/**
 * batch_write - write a copy to a file; ends the program on errors
 */
void batch_write(const GString *copy, const char *path);

#endif
