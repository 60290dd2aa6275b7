// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>
#include <glib.h>
#include <kbuffer.h>

#include "rawstream.h"
#include "util.h"

/* read at once; a whole number of pages, as page sizes are powers of two up to 1 MiB */
#define CHUNK_SIZE	(1 << 20)
/* headers of events and counts of the lost may seem to reach beyond the last page */
#define SLACK		64

struct rawstream {
	const char *path;
	int fd;
	unsigned int page_size;
	uint64_t pos;			/* of the next chunk in the file */
	uint64_t end;
	uint8_t *chunk;
	size_t chunk_len;
	size_t page;			/* of the next page in the chunk */
	struct kbuffer *kbuf;
	const uint8_t *page_end;	/* of the loaded page; NULL: none is */
	struct tep_record record;
};

struct rawstream *rawstream_new(const char *path, int fd, const struct datfile *file,
				const struct datfile_place *place)
{
	struct rawstream *stream = g_new0(struct rawstream, 1);

	stream->path = path;
	stream->fd = fd;
	stream->page_size = file->page_size;
	stream->pos = place->offset;
	stream->end = place->offset + place->size;
	stream->chunk = g_malloc0(MIN(CHUNK_SIZE, place->size) + SLACK);
	stream->kbuf = kbuffer_alloc(file->long_size == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				     file->big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
	stream->record.cpu = place->cpu;
	return stream;
}

void rawstream_free(struct rawstream *stream)
{
	kbuffer_free(stream->kbuf);
	g_free(stream->chunk);
	g_free(stream);
}

static _Noreturn void corrupted(const struct rawstream *stream)
{
	fatal("%s: corrupted: the page of events at byte %" PRIu64 " is damaged; record the trace again",
	      stream->path, stream->pos - stream->chunk_len + stream->page - stream->page_size);
}

static bool load_chunk(struct rawstream *stream)
{
	size_t len = MIN(CHUNK_SIZE, stream->end - stream->pos);

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

static bool load_page(struct rawstream *stream)
{
	uint8_t *page;
	int lost;

	if (stream->page == stream->chunk_len && !load_chunk(stream))
		return false;
	page = stream->chunk + stream->page;
	stream->page += stream->page_size;
	kbuffer_load_subbuffer(stream->kbuf, page);
	stream->page_end = page + stream->page_size;
	if (kbuffer_start_of_data(stream->kbuf) + kbuffer_subbuffer_size(stream->kbuf) >
	    (int)stream->page_size || kbuffer_subbuffer_size(stream->kbuf) < 0)
		corrupted(stream);
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
	record->offset = stream->pos - stream->chunk_len + (data - stream->chunk);
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
