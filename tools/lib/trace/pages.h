/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing pages of the kernel's ring buffer, as a trace.dat holds them for each CPU:
 * for who makes traces of events that no kernel traced. encode.h makes the records.
 */
#ifndef GVTTRACE_PAGES_H
#define GVTTRACE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* bytes of a page */
#define PAGES_SIZE	4096

/* what tracefs has in events/header_page and events/header_event of such pages */
extern const char pages_header_page[];
extern const char pages_header_event[];

/* the ring buffer of one CPU; all 0 but @data at first */
struct pages {
	GByteArray *data;		/* whole pages */
	size_t used;			/* of the last page's data; all of it: the page is full */
	uint64_t ts;			/* of the last event */
	bool big_endian;
	bool lost;			/* events were, before the next one */
	bool lost_page;			/* the last page carries the mark */
	uint64_t lost_count, page_count;	/* of those before the next and the last; 0: unknown */
};

/**
 * pages_add - add a record
 * @ts: its time in ns
 * @record: @len bytes, at most PAGES_SIZE / 2; readable up to the next multiple of four
 *
 * Returns false if it is earlier than the one before.
 */
bool pages_add(struct pages *pages, uint64_t ts, const uint8_t *record, uint32_t len);

/**
 * pages_finish - no record follows
 */
void pages_finish(struct pages *pages);

#endif
