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
	uint8_t *memory;		/* of @in_memory bytes; NULL: not needed yet */
	off_t in_memory;
	FILE *file;			/* blocks beyond @memory; NULL: not needed yet */
	off_t size;			/* of memory and file */
	const char *failure;
};

static _Noreturn void failed(const struct stash *stash)
{
	fatal(stash->failure, errno ? strerror(errno) : "it is cut");
}

struct stash *stash_new(size_t memory, const char *failure)
{
	struct stash *stash = g_new0(struct stash, 1);

	stash->in_memory = memory;
	stash->failure = failure;
	return stash;
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
		stash->memory = g_malloc(stash->in_memory);
	memcpy(stash->memory + stash->size, block, BYTES_BLOCK);
}

static void write_out(struct stash *stash, const uint8_t *block)
{
	errno = 0;
	if (!stash->file)
		stash->file = tmpfile();
	if (!stash->file || pwrite(fileno(stash->file), block, BYTES_BLOCK,
				   stash->size - stash->in_memory) != BYTES_BLOCK)
		failed(stash);
}

static void put_last(struct byte_stream *stream)
{
	struct stash *stash = stream->stash;

	if (stash->size < stash->in_memory)
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
	if (at < stash->in_memory)
		return stash->memory + at;
	errno = 0;
	if (pread(fileno(stash->file), room, BYTES_BLOCK, at - stash->in_memory) != BYTES_BLOCK)
		failed(stash);
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

bool bytes_read(struct bytes_reader *reader, void *to, size_t size)
{
	for (size_t part; size; size -= part) {
		size_t from = reader->at % BYTES_BLOCK;

		if (!from)
			reader->len = bytes_block(reader->stream, reader->at / BYTES_BLOCK,
						  reader->room, &reader->block);
		part = MIN(size, reader->len - from);
		if (!part)
			return false;
		memcpy(to, reader->block + from, part);
		to = (uint8_t *)to + part;
		reader->at += part;
	}
	return true;
}
