// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <glib.h>
#include <zstd.h>

#include "rawstream.h"
#include "util.h"

/*
 * Size of a read; a whole number of pages, as page sizes are powers of two. Larger reads leave
 * the CPU's cache before they are decoded: 1 MiB took 25 % more time.
 */
#define CHUNK_SIZE	(1 << 17)
/* trace-cmd compresses less than 4 MiB at a time; damaged files may claim any size */
#define MAX_UNPACKED	(1 << 24)
/* room to read one word beyond a header that damage puts into the last word of a page */
#define SLACK		64

/* bits of a page's commit word: length of the data, a loss count follows it, events were lost */
#define COMMIT_SIZE	((1U << 27) - 1)
#define COMMIT_STORED	(1U << 30)
#define COMMIT_LOST	(1U << 31)

struct rawstream {
	const char *path;
	int fd;
	unsigned int page_size;
	unsigned int long_size;
	uint64_t pos;			/* offset of the next chunk in the file */
	uint64_t end;
	uint8_t *chunk;
	size_t chunk_len;
	size_t page;			/* offset of the next page in the chunk */
	ZSTD_DCtx *zstd;		/* NULL: not compressed */
	uint32_t chunks;		/* compressed: chunks left */
	bool big_endian;
	uint64_t chunk_pos;		/* offset of @chunk in the file */
	uint8_t *packed;
	size_t packed_room;
	size_t chunk_room;
	const uint8_t *next;		/* next event on the loaded page; NULL: none */
	const uint8_t *end_of_events;	/* of that page */
	uint64_t ts;			/* time of the event before @next */
	bool doubted, begun;		/* rawstream_doubt_pages(); first page was read */
	struct tep_record record;
};

static _Noreturn void corrupted(const struct rawstream *stream)
{
	/* compressed: only the offset of the chunk is known */
	fatal("%s: corrupted: the page of events at byte %" PRIu64 " is damaged; record the trace again",
	      stream->path,
	      stream->chunk_pos + (stream->zstd ? 0 : stream->page - stream->page_size));
}

static void read_file(struct rawstream *stream, void *data, size_t len)
{
	stream->chunk_pos = stream->pos;
	if (len > stream->end - stream->pos)
		corrupted(stream);
	datfile_read(stream->path, stream->fd, stream->pos, data, len);
	stream->pos += len;
}

static uint32_t read_u32(struct rawstream *stream)
{
	uint32_t value;

	read_file(stream, &value, sizeof(value));
	return datfile_u32(value, stream->big_endian);
}

/* The number of chunks comes first, and trace-cmd 3.1 does not include it in the size. */
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

/* a chunk: size in the file, unpacked size, then the data */
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

static size_t chunk_size(const struct rawstream *stream)
{
	return MAX(CHUNK_SIZE, stream->page_size);
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
		stream->chunk = g_malloc0(MIN(chunk_size(stream), place->size) + SLACK);
	stream->record.cpu = place->cpu;
	return stream;
}

void rawstream_free(struct rawstream *stream)
{
	ZSTD_freeDCtx(stream->zstd);
	g_free(stream->packed);
	g_free(stream->chunk);
	g_free(stream);
}

/* length of an uncompressed chunk at @pos, without a partial page at the end */
static size_t chunk_len_at(const struct rawstream *stream, uint64_t pos)
{
	size_t len = MIN(chunk_size(stream), stream->end - pos);

	return len - len % stream->page_size;
}

static bool load_chunk(struct rawstream *stream)
{
	size_t len;

	if (stream->zstd)
		return unpack_chunk(stream);
	len = chunk_len_at(stream, stream->pos);
	if (!len)
		return false;
	datfile_read(stream->path, stream->fd, stream->pos, stream->chunk, len);
	stream->chunk_pos = stream->pos;
	stream->pos += len;
	stream->chunk_len = len;
	stream->page = 0;
	return true;
}

static uint32_t page_u32(const struct rawstream *stream, const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, sizeof(value));
	return datfile_u32(value, stream->big_endian);
}

/*
 * Types in the header of an event: include/linux/ring_buffer.h, enum ring_buffer_type.
 * Types from 1 to 28 are the length of the event in words.
 */
enum type_len {
	TYPE_LONG	= 0,		/* the length is in a word of its own, which it includes */
	TYPE_PADDING	= 29,		/* the length of the padding is, too */
	TYPE_TIME_EXTEND = 30,		/* a word has the high bits of the time difference */
	TYPE_TIME_STAMP	= 31,		/* the same of the time itself, but for its highest five */
};

#define HEADER		sizeof(uint32_t)
#define DELTA_BITS	27
#define DELTA_MASK	((1U << DELTA_BITS) - 1)
#define TYPE_BITS	5
#define TYPE_MASK	((1U << TYPE_BITS) - 1)
#define HIGHEST_FIVE	(0x1fULL << 59)

/* the byte order determines which end of a header is the type */
static unsigned int type_of(const struct rawstream *stream, uint32_t header)
{
	return stream->big_endian ? header >> DELTA_BITS : header & TYPE_MASK;
}

static uint32_t delta_of(const struct rawstream *stream, uint32_t header)
{
	return stream->big_endian ? header & DELTA_MASK : header >> TYPE_BITS;
}

/* @length: of the event, time or padding, without its header */
static void check_length(const struct rawstream *stream, uint64_t length)
{
	if (length + HEADER > (uint64_t)(stream->end_of_events - stream->next))
		corrupted(stream);
}

/* skip time or padding */
static void skip(struct rawstream *stream, unsigned int type, uint32_t delta)
{
	uint32_t word = page_u32(stream, stream->next + HEADER);
	uint64_t high = (uint64_t)word << DELTA_BITS | delta;
	uint64_t length = type == TYPE_PADDING ? word : sizeof(word);

	check_length(stream, length);
	stream->next += HEADER + length;
	if (type == TYPE_PADDING)
		stream->ts += delta;
	else if (type == TYPE_TIME_EXTEND)
		stream->ts += high;
	else
		stream->ts = high | (stream->ts & HIGHEST_FIVE);
}

static void fill_record(struct rawstream *stream, const uint8_t *data, uint64_t size)
{
	struct tep_record *record = &stream->record;

	/* the smallest event has common_type only */
	if (size < 2)
		corrupted(stream);
	record->data = (void *)data;
	record->size = size;
	record->ts = stream->ts;
	record->offset = stream->chunk_pos + (stream->zstd ? 0 : data - stream->chunk);
}

/* a length in a word of its own is rounded up to whole words */
static void take_long(struct rawstream *stream)
{
	uint64_t length = ((uint64_t)page_u32(stream, stream->next + HEADER) + 3) & ~3ULL;

	check_length(stream, MAX(length, sizeof(uint32_t)));
	fill_record(stream, stream->next + HEADER + sizeof(uint32_t),
		    length < sizeof(uint32_t) ? 0 : length - sizeof(uint32_t));
	stream->next += HEADER + length;
}

static void take(struct rawstream *stream, unsigned int words)
{
	check_length(stream, 4 * words);
	fill_record(stream, stream->next + HEADER, 4 * words);
	stream->next += HEADER + 4 * words;
}

/*
 * next_on_page - read the next event of the loaded page; false: none is left
 *
 * libtraceevent's kbuffer does the same, but trusts all lengths, so that each page would
 * have to be checked before; the second pass took a fifth of the time of a report.
 */
static bool next_on_page(struct rawstream *stream)
{
	while (stream->next < stream->end_of_events) {
		uint32_t header = page_u32(stream, stream->next);
		unsigned int type = type_of(stream, header);

		if (type >= TYPE_PADDING) {
			skip(stream, type, delta_of(stream, header));
			continue;
		}
		stream->ts += delta_of(stream, header);
		if (type == TYPE_LONG)
			take_long(stream);
		else
			take(stream, type);
		return true;
	}
	return false;
}

static uint64_t page_u64(const struct rawstream *stream, const uint8_t *data)
{
	uint64_t value;

	memcpy(&value, data, sizeof(value));
	return datfile_u64(value, stream->big_endian);
}

static uint64_t page_long(const struct rawstream *stream, const uint8_t *data)
{
	return stream->long_size == 8 ? page_u64(stream, data) : page_u32(stream, data);
}

/* number of events lost before a page, -1 if unknown */
static int lost_events(const struct rawstream *stream, uint32_t flags)
{
	return flags & COMMIT_STORED ? (int)page_long(stream, stream->end_of_events) : -1;
}

/*
 * A page begins with its time and commit word. A page without events may be between a
 * loss and the next event.
 */
static void begin_page(struct rawstream *stream, const uint8_t *page)
{
	const uint8_t *commit = page + sizeof(uint64_t);
	uint32_t flags = page_long(stream, commit);
	uint32_t size = flags & COMMIT_SIZE;
	uint32_t room = stream->page_size - sizeof(uint64_t) - stream->long_size;

	if (size > room || (flags & COMMIT_STORED && stream->long_size > room - size))
		corrupted(stream);
	stream->ts = page_u64(stream, page);
	stream->next = commit + stream->long_size;
	stream->end_of_events = stream->next + size;
	if (flags & COMMIT_LOST)
		stream->record.missed_events = lost_events(stream, flags);
	else if (stream->doubted && stream->begun)
		stream->record.missed_events = -1;
	stream->begun = true;
}

void rawstream_doubt_pages(struct rawstream *stream)
{
	stream->doubted = true;
}

static bool load_page(struct rawstream *stream)
{
	if (stream->page == stream->chunk_len && !load_chunk(stream))
		return false;
	stream->page += stream->page_size;
	begin_page(stream, stream->chunk + stream->page - stream->page_size);
	return true;
}

/* Separate, as it is rare: inlined, it would make the common case save registers. */
static __attribute__((noinline)) struct tep_record *find_next(struct rawstream *stream)
{
	while (!next_on_page(stream))
		if (!load_page(stream))
			return NULL;
	return &stream->record;
}

/* Fast path: the next event on the page, some words long, in host byte order. */
struct tep_record *rawstream_next(struct rawstream *stream)
{
	const uint8_t *next = stream->next;
	uint32_t header, type;

	stream->record.missed_events = 0;
	if (next == stream->end_of_events || stream->big_endian)
		return find_next(stream);
	header = page_u32(stream, next);
	type = header & TYPE_MASK;
	if (type == TYPE_LONG || type >= TYPE_PADDING ||
	    HEADER + 4 * type > (size_t)(stream->end_of_events - next))
		return find_next(stream);
	stream->ts += header >> TYPE_BITS;
	stream->next = next + HEADER + 4 * type;
	fill_record(stream, next + HEADER, 4 * type);
	return &stream->record;
}

/*
 * Skip events that rawstream_next()'s fast path would handle, up to a wanted one, one of another
 * kind, or the last one of the page. Returns their number.
 */
static uint64_t pass(struct rawstream *stream, const unsigned char *wanted)
{
	const uint8_t *next = stream->next, *end = stream->end_of_events;
	uint64_t ts = stream->ts, count = 0;

	for (;;) {
		uint32_t header = page_u32(stream, next), words = header & TYPE_MASK;
		const uint8_t *behind = next + HEADER + 4 * words;
		uint16_t type;

		if (words == TYPE_LONG || words >= TYPE_PADDING || behind >= end)
			break;
		memcpy(&type, next + HEADER, sizeof(type));
		if (wanted[type])
			break;
		ts += header >> TYPE_BITS;
		next = behind;
		count++;
	}
	stream->next = next;
	stream->ts = ts;
	return count;
}

struct tep_record *rawstream_seek(struct rawstream *stream, const unsigned char *wanted,
				  uint64_t *records)
{
	struct tep_record *record;

	if (stream->next == stream->end_of_events && !load_page(stream))
		return NULL;
	/* a page may be without events */
	if (!stream->big_endian && stream->next < stream->end_of_events)
		*records += pass(stream, wanted);
	record = rawstream_next(stream);
	*records += record != NULL;
	return record;
}

/* Does the chunk at @pos begin before @ts? Unknown (false) if compressed. */
static bool begins_before(const struct rawstream *stream, uint64_t pos, uint64_t ts)
{
	uint8_t time[sizeof(uint64_t)];

	if (stream->zstd || !chunk_len_at(stream, pos))
		return false;
	datfile_read(stream->path, stream->fd, pos, time, sizeof(time));
	return page_u64(stream, time) <= ts;
}

void rawstream_leap(struct rawstream *stream, uint64_t ts)
{
	while (begins_before(stream, stream->pos, ts)) {
		uint64_t behind = stream->pos + chunk_len_at(stream, stream->pos);

		if (begins_before(stream, behind, ts))
			stream->pos = behind;
		else
			load_chunk(stream);
	}
	while (stream->page < stream->chunk_len &&
	       page_u64(stream, stream->chunk + stream->page) <= ts)
		load_page(stream);
}
