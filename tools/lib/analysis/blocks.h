/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How busy things were over time: for each of several lines, the sum of
 * intervals in each block of time. Blocks are one second long; in a long trace
 * they double in length again and again, so that memory stays bounded.
 */
#ifndef GVTTRACE_BLOCKS_H
#define GVTTRACE_BLOCKS_H

#include <stdint.h>

struct blocks;

/**
 * blocks_new, blocks_free - no line yet
 * @origin_ns: where the first block begins
 * @max: number of blocks, even; one more doubles their length
 */
struct blocks *blocks_new(int64_t origin_ns, unsigned int max);
void blocks_free(struct blocks *blocks);

#endif
