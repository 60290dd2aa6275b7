// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "stash.h"

/* initial room of a stream, enough for short ones */
#define FIRST_ROOM	32

struct stash {
	uint8_t *memory;		/* STASH_MEMORY bytes; NULL: not needed yet */
	FILE *file;			/* blocks beyond @memory; NULL: not needed yet */
	off_t size;			/* of memory and file */
};

static _Noreturn void failed(void)
{
	fatal("cannot keep in a temporary file what the page shows: %s; there must be room for it in /tmp",
	      errno ? strerror(errno) : "it is cut");
}

struct stash *stash_new(void)
{
	return g_new0(struct stash, 1);
}

void stash_free(struct stash *stash)
{
	if (stash->file)
		fclose(stash->file);
	g_free(stash->memory);
	g_free(stash);
}

uint64_t stash_size(const struct stash *stash)
{
	return stash->size;
}

struct byte_stream *bytes_new(struct stash *stash)
{
	struct byte_stream *stream = g_new0(struct byte_stream, 1);

	stream->stash = stash;
	stream->blocks = g_array_new(FALSE, FALSE, sizeof(off_t));
	return stream;
}

void bytes_free(struct byte_stream *stream)
{
	g_array_free(stream->blocks, TRUE);
	g_free(stream->last);
	g_free(stream);
}

/* Unused parts of the allocation take no physical memory. */
static void keep(struct stash *stash, const uint8_t *block)
{
	if (!stash->memory)
		stash->memory = g_malloc(STASH_MEMORY);
	memcpy(stash->memory + stash->size, block, BYTES_BLOCK);
}

static void write_out(struct stash *stash, const uint8_t *block)
{
	errno = 0;
	if (!stash->file)
		stash->file = tmpfile();
	if (!stash->file || pwrite(fileno(stash->file), block, BYTES_BLOCK,
				   stash->size - STASH_MEMORY) != BYTES_BLOCK)
		failed();
}

static void put_last(struct byte_stream *stream)
{
	struct stash *stash = stream->stash;

	if (stash->size < STASH_MEMORY)
		keep(stash, stream->last);
	else
		write_out(stash, stream->last);
	g_array_append_val(stream->blocks, stash->size);
	stash->size += BYTES_BLOCK;
	stream->len = 0;
}

static void make_room(struct byte_stream *stream)
{
	if (stream->len == BYTES_BLOCK)
		put_last(stream);
	if (stream->len < stream->room)
		return;
	stream->room = stream->room ? 2 * stream->room : FIRST_ROOM;
	stream->last = g_realloc(stream->last, stream->room);
}

static void add_in_parts(struct byte_stream *stream, const uint8_t *bytes, size_t size)
{
	while (size) {
		size_t part;

		make_room(stream);
		part = MIN(size, stream->room - stream->len);
		memcpy(stream->last + stream->len, bytes, part);
		stream->len += part;
		bytes += part;
		size -= part;
	}
}

void bytes_add(struct byte_stream *stream, const void *data, size_t size)
{
	if (size > stream->room - stream->len) {
		add_in_parts(stream, data, size);
		return;
	}
	memcpy(stream->last + stream->len, data, size);
	stream->len += size;
}

uint64_t bytes_size(const struct byte_stream *stream)
{
	return (uint64_t)stream->blocks->len * BYTES_BLOCK + stream->len;
}

static const uint8_t *full_block(const struct stash *stash, off_t at, uint8_t *room)
{
	if (at < STASH_MEMORY)
		return stash->memory + at;
	errno = 0;
	if (pread(fileno(stash->file), room, BYTES_BLOCK, at - STASH_MEMORY) != BYTES_BLOCK)
		failed();
	return room;
}

size_t bytes_block(const struct byte_stream *stream, uint64_t nr, uint8_t *room,
		   const uint8_t **data)
{
	if (nr < stream->blocks->len) {
		*data = full_block(stream->stash, g_array_index(stream->blocks, off_t, nr), room);
		return BYTES_BLOCK;
	}
	*data = stream->last;
	return nr == stream->blocks->len ? stream->len : 0;
}
