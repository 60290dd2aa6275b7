/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Utilization over time: for each of several lines, the sum of intervals in each
 * block of time. Blocks are one second long; in a long trace they repeatedly
 * double in length, so that memory stays bounded.
 */
#ifndef GVTTRACE_BLOCKS_H
#define GVTTRACE_BLOCKS_H

#include <stdint.h>

struct blocks;

/**
 * blocks_new, blocks_free - begin without lines
 * @origin_ns: start of the first block
 * @max: maximum number of blocks, even; if more are needed, all double in length
 */
struct blocks *blocks_new(int64_t origin_ns, unsigned int max);
void blocks_free(struct blocks *blocks);

#endif
