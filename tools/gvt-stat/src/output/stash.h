/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storage for many byte streams that may exceed memory: the first full blocks stay in memory,
 * further ones go to one temporary file.
 */
#ifndef GVT_STAT_STASH_H
#define GVT_STAT_STASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

struct stash;

/* private to this file and stash.c */
struct byte_stream {
	struct stash *stash;
	GArray *blocks;			/* off_t: positions of the full blocks in the stash */
	uint8_t *last;			/* the incomplete block */
	size_t len, room;		/* of @last */
};

/* block size; only the last block of a stream may be shorter */
#define BYTES_BLOCK	1024

/**
 * stash_new - create an empty stash; stash_free() frees, and removes the temporary file
 * @memory: so many bytes of full blocks stay in memory; a multiple of BYTES_BLOCK
 * @failure: printf() format of the message if the file cannot be written; %s is the reason
 */
struct stash *stash_new(size_t memory, const char *failure);
void stash_free(struct stash *stash);

/**
 * stash_size - total size of all full blocks
 */
uint64_t stash_size(const struct stash *stash);

/**
 * bytes_new - begin a stream; call bytes_free() before freeing its stash
 *
 * The space of a freed stream is not reused.
 */
struct byte_stream *bytes_new(struct stash *stash);
void bytes_free(struct byte_stream *stream);

/**
 * bytes_add - append a copy of @data; ends the program if the disk is full
 */
void bytes_add(struct byte_stream *stream, const void *data, size_t size);

/**
 * bytes_room - a pointer to write @size bytes to; NULL: use bytes_add() this time
 * bytes_wrote - finish that write, which ended at @end
 */
static inline uint8_t *bytes_room(const struct byte_stream *stream, size_t size)
{
	return stream->room - stream->len >= size ? stream->last + stream->len : NULL;
}

static inline void bytes_wrote(struct byte_stream *stream, const uint8_t *end)
{
	stream->len = end - stream->last;
}

/**
 * bytes_size - number of bytes
 */
uint64_t bytes_size(const struct byte_stream *stream);

/**
 * bytes_block - get block @nr, from byte @nr * BYTES_BLOCK on
 * @room: BYTES_BLOCK bytes, used if the block is not in memory
 * @data: the content, valid until the stream or @room changes
 *
 * Returns the size of the block: 0 after the last one.
 */
size_t bytes_block(const struct byte_stream *stream, uint64_t nr, uint8_t *room,
		   const uint8_t **data);

/* reads a stream from its begin; do not add to the stream, nor copy the reader, meanwhile */
struct bytes_reader {
	const struct byte_stream *stream;
	uint64_t at;			/* next byte */
	const uint8_t *block;		/* that it is in */
	size_t len;			/* of @block */
	uint8_t room[BYTES_BLOCK];
};

/**
 * bytes_read - copy the next @size bytes; false: there are no more
 */
bool bytes_read(struct bytes_reader *reader, void *to, size_t size);

#endif
