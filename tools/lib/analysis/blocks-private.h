/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads blocks, to find phases of VMs over time.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_BLOCKS_PRIVATE_H
#define GVTTRACE_BLOCKS_PRIVATE_H

#include "blocks.h"

/**
 * blocks_add_line - add an empty line; returns its number
 */
unsigned int blocks_add_line(struct blocks *blocks);

/**
 * blocks_add - add an interval to a line; time before the origin is ignored
 */
void blocks_add(struct blocks *blocks, unsigned int line, int64_t from_ns, int64_t to_ns);

/**
 * blocks_cover - extend the blocks to @until_ns, without adding an interval
 */
void blocks_cover(struct blocks *blocks, int64_t until_ns);

/**
 * blocks_length_ns - current length of each block
 */
int64_t blocks_length_ns(const struct blocks *blocks);

/**
 * blocks_sum_ns - a line's time in block @nr; 0 after the last
 */
int64_t blocks_sum_ns(const struct blocks *blocks, unsigned int line, int64_t nr);

#endif
