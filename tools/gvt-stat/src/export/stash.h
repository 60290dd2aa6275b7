/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many streams of bytes that may be too many for memory: of full blocks of all of them the first
 * ones are in memory, the others in one temporary file.
 */
#ifndef GVT_STAT_STASH_H
#define GVT_STAT_STASH_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

struct stash;

/* its members are for this file and stash.c */
struct stream {
	struct stash *stash;
	GArray *blocks;			/* off_t: where in the stash those are that are full */
	uint8_t *last;			/* the block that is not */
	size_t len, room;		/* of it */
};

/* so many bytes of a stream come together, but for its last block */
#define STREAM_BLOCK	1024

/* so many bytes of blocks are in memory */
#define STASH_MEMORY	(8 << 20)

/**
 * stash_new - without streams; stash_free() frees, and removes the file if there is one
 */
struct stash *stash_new(void);
void stash_free(struct stash *stash);

/**
 * stash_size - how many bytes of all streams are in it, but for the last block of each
 */
uint64_t stash_size(const struct stash *stash);

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
 * stream_room - where @size bytes may be written; NULL: use stream_add() this time
 * stream_wrote - they have been, up to @end
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
 * stream_size - how many bytes there are
 */
uint64_t stream_size(const struct stream *stream);

/**
 * stream_block - get block @nr, from byte @nr * STREAM_BLOCK on
 * @room: STREAM_BLOCK bytes, for a block that is not in memory
 * @data: where it is, until the stream or @room changes
 *
 * Returns how many bytes it has: 0 behind the last one.
 */
size_t stream_block(const struct stream *stream, uint64_t nr, uint8_t *room, const uint8_t **data);

#endif
