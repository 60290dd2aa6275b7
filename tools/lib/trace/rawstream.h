/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of one CPU's buffer in a file, page by page.
 *
 * libtracecmd allocates and maps for every record, and lets nothing go before the
 * file is closed. Where a file's events are pages of the ring buffer, as such or
 * compressed by zstd, they are read here, in the same order and with the same losses,
 * in memory that does not grow.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_RAWSTREAM_H
#define GVTTRACE_RAWSTREAM_H

#include "datfile.h"

struct tep_record;
struct rawstream;

/**
 * rawstream_new - read a CPU's events from their beginning
 * @path: of the file, for messages
 * @fd: the open file; must outlive the stream
 * @file: what datfile_check() found out
 * @place: where the events are, as pages or compressed by zstd
 */
struct rawstream *rawstream_new(const char *path, int fd, const struct datfile *file,
				const struct datfile_place *place);
void rawstream_free(struct rawstream *stream);

/**
 * rawstream_next - the next record, or NULL at the end
 *
 * It is the stream's, and valid until the next call. Ends the program with a message
 * if the file is damaged.
 */
struct tep_record *rawstream_next(struct rawstream *stream);

/**
 * rawstream_seek - the next event that is wanted, or one before it, such as the last one of a page
 * @wanted: by common_type as it is in the file; not 0 if it is
 * @records: grows by how many there were up to that one, and with it
 *
 * Returns as rawstream_next(). What was lost on the way is not told.
 */
struct tep_record *rawstream_seek(struct rawstream *stream, const unsigned char *wanted,
				  uint64_t *records);

/**
 * rawstream_leap - pass over pages all of whose events are before @ts, as far as that is seen at once
 *
 * The next event may be before it, too.
 */
void rawstream_leap(struct rawstream *stream, uint64_t ts);

/**
 * rawstream_doubt_pages - events may have been lost wherever a page ends, without a mark
 *
 * Of the first page, only what follows it.
 */
void rawstream_doubt_pages(struct rawstream *stream);

#endif
