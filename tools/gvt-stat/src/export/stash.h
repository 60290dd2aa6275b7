/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storage for many byte streams that may exceed memory: the first full blocks stay in memory,
 * further ones go to one temporary file.
 */
#ifndef GVT_STAT_STASH_H
#define GVT_STAT_STASH_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

struct stash;

/* private to this file and stash.c */
struct stream {
	struct stash *stash;
	GArray *blocks;			/* off_t: positions of the full blocks in the stash */
	uint8_t *last;			/* the incomplete block */
	size_t len, room;		/* of @last */
};

/* block size; only the last block of a stream may be shorter */
#define STREAM_BLOCK	1024

/* total bytes of blocks in memory */
#define STASH_MEMORY	(8 << 20)

/**
 * stash_new - create an empty stash; stash_free() frees, and removes the temporary file
 */
struct stash *stash_new(void);
void stash_free(struct stash *stash);

/**
 * stash_size - total size of all full blocks
 */
uint64_t stash_size(const struct stash *stash);

/**
 * stream_new - begin a stream; call stream_free() before freeing its stash
 *
 * The space of a freed stream is not reused.
 */
struct stream *stream_new(struct stash *stash);
void stream_free(struct stream *stream);

/**
 * stream_add - append a copy of @data; ends the program if the disk is full
 */
void stream_add(struct stream *stream, const void *data, size_t size);

/**
 * stream_room - a pointer to write @size bytes to; NULL: use stream_add() this time
 * stream_wrote - finish that write, which ended at @end
 */
static inline uint8_t *stream_room(const struct stream *stream, size_t size)
{
	return stream->room - stream->len >= size ? stream->last + stream->len : NULL;
}

static inline void stream_wrote(struct stream *stream, const uint8_t *end)
{
	stream->len = end - stream->last;
}

/**
 * stream_size - number of bytes
 */
uint64_t stream_size(const struct stream *stream);

/**
 * stream_block - get block @nr, from byte @nr * STREAM_BLOCK on
 * @room: STREAM_BLOCK bytes, used if the block is not in memory
 * @data: the content, valid until the stream or @room changes
 *
 * Returns the size of the block: 0 after the last one.
 */
size_t stream_block(const struct stream *stream, uint64_t nr, uint8_t *room, const uint8_t **data);

#endif
