/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes pages of the kernel's ring buffer as in a trace.dat, one sequence per CPU,
 * for programs that create traces of synthetic events. encode.h makes the records.
 */
#ifndef GVTTRACE_PAGES_H
#define GVTTRACE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* size of a page in bytes */
#define PAGES_SIZE	4096

/* contents of tracefs' events/header_page and events/header_event for such pages */
extern const char pages_header_page[];
extern const char pages_header_event[];

/* the ring buffer of one CPU; initially all 0 but @data */
struct pages {
	GByteArray *data;		/* whole pages */
	size_t used;			/* bytes used in the last page's data; all: it is full */
	uint64_t ts;			/* of the last event */
	bool big_endian;
	bool lost;			/* events were lost before the next one */
	bool lost_page;			/* the last page is marked as preceded by a loss */
	uint64_t lost_count, page_count;	/* lost before next record, last page; 0: unknown */
};

/**
 * pages_add - add a record
 * @ts: its time in ns
 * @record: @len bytes, at most PAGES_SIZE / 2; readable up to the next multiple of four
 *
 * Returns false if it is earlier than the previous one.
 */
bool pages_add(struct pages *pages, uint64_t ts, const uint8_t *record, uint32_t len);

/**
 * pages_finish - end the last page
 */
void pages_finish(struct pages *pages);

#endif
