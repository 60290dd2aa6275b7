/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is put into blocks and read of them, to tell what VMs do over time.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_BLOCKS_PRIVATE_H
#define GVTTRACE_BLOCKS_PRIVATE_H

#include "blocks.h"

/**
 * blocks_add_line - returns the number of a new, empty line
 */
unsigned int blocks_add_line(struct blocks *blocks);

/**
 * blocks_add - add an interval to a line; what is before the origin is left out
 */
void blocks_add(struct blocks *blocks, unsigned int line, int64_t from_ns, int64_t to_ns);

/**
 * blocks_cover - let the blocks reach up to @until_ns, though nothing is added there
 */
void blocks_cover(struct blocks *blocks, int64_t until_ns);

/**
 * blocks_length_ns - of each block, as it is now
 */
int64_t blocks_length_ns(const struct blocks *blocks);

/**
 * blocks_sum_ns - the time that was added to a line in block @nr; 0 behind the last
 */
int64_t blocks_sum_ns(const struct blocks *blocks, unsigned int line, int64_t nr);

#endif
