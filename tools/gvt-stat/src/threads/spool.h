/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that may be too many for memory: then they are in a temporary file.
 */
#ifndef GVT_STAT_SPOOL_H
#define GVT_STAT_SPOOL_H

#include <stddef.h>
#include <stdint.h>

struct spool;

/**
 * spool_new - none yet; spool_free() frees, and removes the file
 * @size: of a record
 */
struct spool *spool_new(size_t size);
void spool_free(struct spool *spool);

/**
 * spool_add - add a record, which is copied; ends the program if there is no room for it
 */
void spool_add(struct spool *spool, const void *record);

/**
 * spool_count - how many there are
 */
uint64_t spool_count(const struct spool *spool);

/**
 * spool_each - call @each for all records, in their order
 */
void spool_each(struct spool *spool, void (*each)(void *ctx, const void *record), void *ctx);

#endif
