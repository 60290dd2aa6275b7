/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storage for records that may exceed memory and then go to a temporary file.
 */
#ifndef GVT_STAT_SPOOL_H
#define GVT_STAT_SPOOL_H

#include <stddef.h>
#include <stdint.h>

struct spool;

/**
 * spool_new - create an empty spool; spool_free() frees, and removes the file
 * @size: of a record
 */
struct spool *spool_new(size_t size);
void spool_free(struct spool *spool);

/**
 * spool_add - add a copy of a record; ends the program if the disk is full
 */
void spool_add(struct spool *spool, const void *record);

/**
 * spool_count - number of records
 */
uint64_t spool_count(const struct spool *spool);

/**
 * spool_each - call @each for all records, in their order
 */
void spool_each(struct spool *spool, void (*each)(void *ctx, const void *record), void *ctx);

#endif
