/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many streams of bytes that may be too many for memory: full blocks of all of them are in one
 * temporary file.
 */
#ifndef GVT_STAT_STASH_H
#define GVT_STAT_STASH_H

#include <stddef.h>
#include <stdint.h>

struct stash;
struct stream;

/* so many bytes of a stream come together, but for its last block */
#define STREAM_BLOCK	1024

/**
 * stash_new - without streams; stash_free() frees, and removes the file
 */
struct stash *stash_new(void);
void stash_free(struct stash *stash);

/**
 * stream_new - begin a stream; stream_free() frees it, before its stash
 *
 * The room of one that was freed is not used again.
 */
struct stream *stream_new(struct stash *stash);
void stream_free(struct stream *stream);

/**
 * stream_add - append bytes, which are copied; ends the program if there is no room for them
 */
void stream_add(struct stream *stream, const void *data, size_t size);

/**
 * stream_size - how many bytes there are
 */
uint64_t stream_size(const struct stream *stream);

/**
 * stream_block - copy block @nr, from byte @nr * STREAM_BLOCK on
 * @data: room for STREAM_BLOCK
 *
 * Returns how many bytes it has: 0 behind the last one.
 */
size_t stream_block(const struct stream *stream, uint64_t nr, uint8_t *data);

#endif
