/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the events of one CPU's buffer in a file, page by page.
 *
 * libtracecmd allocates and maps memory for every record and frees nothing before
 * the file is closed. Where a file's events are pages of the ring buffer, plain or
 * compressed by zstd, this code reads them in the same order, with the same losses,
 * in constant memory.
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
 * @file: filled by datfile_check()
 * @place: position of the events, as pages plain or compressed by zstd
 */
struct rawstream *rawstream_new(const char *path, int fd, const struct datfile *file,
				const struct datfile_place *place);
void rawstream_free(struct rawstream *stream);

/**
 * rawstream_next - the next record, or NULL at the end
 *
 * The stream owns the record, which is valid until the next call. Ends the program with a
 * message if the file is damaged.
 */
struct tep_record *rawstream_next(struct rawstream *stream);

/**
 * rawstream_seek - the next wanted event, or an earlier one, such as the last one of a page
 * @wanted: by common_type in the file's byte order; not 0 if wanted
 * @records: increased by the number of records passed, including the returned one
 *
 * Returns as rawstream_next(). Does not report losses among skipped events.
 */
struct tep_record *rawstream_seek(struct rawstream *stream, const unsigned char *wanted,
				  uint64_t *records);

/**
 * rawstream_leap - skip pages whose events are all before @ts, as far as that is cheap to see
 *
 * The next event may still be before @ts.
 */
void rawstream_leap(struct rawstream *stream, uint64_t ts);

/**
 * rawstream_doubt_pages - events may be lost, unmarked, after the end of any page
 *
 * Applies from the end of the first page on.
 */
void rawstream_doubt_pages(struct rawstream *stream);

#endif
