// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <glib.h>
#include <kbuffer.h>
#include <zstd.h>

#include "rawstream.h"
#include "util.h"

/* read at once; a whole number of pages, as page sizes are powers of two up to 1 MiB */
#define CHUNK_SIZE	(1 << 20)
/* trace-cmd packs less than 4 MiB at a time; damaged files may say anything */
#define MAX_UNPACKED	(1 << 24)
/* headers of events and counts of the lost may seem to reach beyond the last page */
#define SLACK		64

/* of a page's commit word: how much is on it, and that the count of the lost is behind that */
#define COMMIT_SIZE	((1U << 27) - 1)
#define COMMIT_STORED	(1U << 30)

struct rawstream {
	const char *path;
	int fd;
	unsigned int page_size;
	unsigned int long_size;
	uint64_t pos;			/* of the next chunk in the file */
	uint64_t end;
	uint8_t *chunk;
	size_t chunk_len;
	size_t page;			/* of the next page in the chunk */
	ZSTD_DCtx *zstd;		/* NULL: it is not compressed */
	uint32_t chunks;		/* that are left, if it is */
	bool big_endian;
	uint64_t chunk_pos;		/* of the chunk in the file */
	uint8_t *packed;
	size_t packed_room;
	size_t chunk_room;
	struct kbuffer *kbuf;
	const uint8_t *page_end;	/* of the loaded page; NULL: none is */
	struct tep_record record;
};

static _Noreturn void corrupted(const struct rawstream *stream)
{
	/* of what is compressed, the place of the chunk must do */
	fatal("%s: corrupted: the page of events at byte %" PRIu64 " is damaged; record the trace again",
	      stream->path, stream->zstd ? stream->chunk_pos :
	      stream->pos - stream->chunk_len + stream->page - stream->page_size);
}

static void read_file(struct rawstream *stream, void *data, size_t len)
{
	stream->chunk_pos = stream->pos;
	if (len > stream->end - stream->pos)
		corrupted(stream);
	if (pread(stream->fd, data, len, stream->pos) != (ssize_t)len)
		fatal("%s: cannot read: %s", stream->path, strerror(errno));
	stream->pos += len;
}

static uint32_t read_u32(struct rawstream *stream)
{
	uint32_t value;

	read_file(stream, &value, sizeof(value));
	return stream->big_endian ? be32toh(value) : le32toh(value);
}

/* The number of chunks comes first, and trace-cmd 3.1 does not count it in the size. */
static void open_compressed(struct rawstream *stream)
{
	stream->zstd = ZSTD_createDCtx();
	stream->end += sizeof(uint32_t);
	stream->chunks = read_u32(stream);
}

static uint8_t *make_room(uint8_t *data, size_t *room, size_t need)
{
	if (need <= *room)
		return data;
	*room = need;
	return g_realloc(data, need);
}

/* size in the file, size of the pages, then the first of these */
static bool unpack_chunk(struct rawstream *stream)
{
	uint32_t packed, len;

	if (!stream->chunks)
		return false;
	stream->chunks--;
	packed = read_u32(stream);
	len = read_u32(stream);
	if (!len || len > MAX_UNPACKED || len % stream->page_size ||
	    packed > stream->end - stream->pos)
		corrupted(stream);
	stream->packed = make_room(stream->packed, &stream->packed_room, packed);
	stream->chunk = make_room(stream->chunk, &stream->chunk_room, len + SLACK);
	read_file(stream, stream->packed, packed);
	if (ZSTD_decompressDCtx(stream->zstd, stream->chunk, len, stream->packed, packed) != len)
		corrupted(stream);
	memset(stream->chunk + len, 0, SLACK);
	stream->chunk_len = len;
	stream->page = 0;
	return true;
}

struct rawstream *rawstream_new(const char *path, int fd, const struct datfile *file,
				const struct datfile_place *place)
{
	struct rawstream *stream = g_new0(struct rawstream, 1);

	stream->path = path;
	stream->fd = fd;
	stream->page_size = file->page_size;
	stream->long_size = file->long_size;
	stream->pos = place->offset;
	stream->end = place->offset + place->size;
	stream->big_endian = file->big_endian;
	if (place->compressed)
		open_compressed(stream);
	else
		stream->chunk = g_malloc0(MIN(CHUNK_SIZE, place->size) + SLACK);
	stream->kbuf = kbuffer_alloc(file->long_size == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				     file->big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
	stream->record.cpu = place->cpu;
	return stream;
}

void rawstream_free(struct rawstream *stream)
{
	kbuffer_free(stream->kbuf);
	ZSTD_freeDCtx(stream->zstd);
	g_free(stream->packed);
	g_free(stream->chunk);
	g_free(stream);
}

static bool load_chunk(struct rawstream *stream)
{
	size_t len = MIN(CHUNK_SIZE, stream->end - stream->pos);

	if (stream->zstd)
		return unpack_chunk(stream);
	/* what is left of a page is not one */
	len -= len % stream->page_size;
	if (!len)
		return false;
	if (pread(stream->fd, stream->chunk, len, stream->pos) != (ssize_t)len)
		fatal("%s: cannot read: %s", stream->path, strerror(errno));
	stream->pos += len;
	stream->chunk_len = len;
	stream->page = 0;
	return true;
}

static uint32_t page_u32(const struct rawstream *stream, const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, sizeof(value));
	return stream->big_endian ? be32toh(value) : le32toh(value);
}

/* of an event with its header; what is no sane length is far beyond any page */
static uint64_t event_length(const struct rawstream *stream, const uint8_t *event)
{
	uint32_t header = page_u32(stream, event);
	unsigned int type_len = stream->big_endian ? header >> 27 : header & 31;

	switch (type_len) {
	case 0:				/* a word with the length, itself included */
		return sizeof(header) +
		       (((uint64_t)page_u32(stream, event + sizeof(header)) + 3) & ~3ULL);
	case KBUFFER_TYPE_PADDING:
		return sizeof(header) + (uint64_t)page_u32(stream, event + sizeof(header));
	case KBUFFER_TYPE_TIME_EXTEND:
	case KBUFFER_TYPE_TIME_STAMP:
		return 2 * sizeof(header);
	default:
		return sizeof(header) + 4 * type_len;
	}
}

/*
 * kbuffer believes a page: how much is on it, and how long each event is, also
 * where that leads beyond the page or back. So look first.
 */
static bool is_sane(const struct rawstream *stream, const uint8_t *page)
{
	const uint8_t *commit = page + sizeof(uint64_t);
	unsigned int start = sizeof(uint64_t) + stream->long_size;
	/* the flags are in the low word, which is last in a big one */
	uint32_t flags = page_u32(stream, stream->big_endian ?
				  commit + stream->long_size - sizeof(flags) : commit);
	uint32_t size = flags & COMMIT_SIZE, room = stream->page_size - start;

	if (size > room || (flags & COMMIT_STORED && stream->long_size > room - size))
		return false;
	for (uint32_t pos = 0; pos < size; ) {
		uint64_t length = event_length(stream, page + start + pos);

		if (length > room - pos)
			return false;
		pos += length;
	}
	return true;
}

static bool load_page(struct rawstream *stream)
{
	uint8_t *page;
	int lost;

	if (stream->page == stream->chunk_len && !load_chunk(stream))
		return false;
	page = stream->chunk + stream->page;
	stream->page += stream->page_size;
	if (!is_sane(stream, page))
		corrupted(stream);
	kbuffer_load_subbuffer(stream->kbuf, page);
	stream->page_end = page + stream->page_size;
	/* a page without events may be between a loss and the next event */
	lost = kbuffer_missed_events(stream->kbuf);
	if (lost)
		stream->record.missed_events = lost;
	return true;
}

static void fill_record(struct rawstream *stream, uint8_t *data, unsigned long long ts)
{
	struct tep_record *record = &stream->record;

	record->data = data;
	record->size = kbuffer_event_size(stream->kbuf);
	record->ts = ts;
	record->offset = stream->zstd ? stream->chunk_pos :
			 stream->pos - stream->chunk_len + (data - stream->chunk);
	/* common_type is the least that an event has */
	if (record->size < 2 || record->size > stream->page_end - data)
		corrupted(stream);
}

struct tep_record *rawstream_next(struct rawstream *stream)
{
	unsigned long long ts;
	uint8_t *data = NULL;

	if (stream->record.data) {
		stream->record.missed_events = 0;
		data = kbuffer_next_event(stream->kbuf, &ts);
	}
	while (!data) {
		if (!load_page(stream))
			return NULL;
		data = kbuffer_read_event(stream->kbuf, &ts);
	}
	fill_record(stream, data, ts);
	return &stream->record;
}
