/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of a page that are told by referring to others: which of all times of workloads
 * they are, counted from the one before.
 */
#ifndef GVT_STAT_PAGE_TIMES_H
#define GVT_STAT_PAGE_TIMES_H

#include <stdint.h>

#include <glib.h>

#include "output/stash.h"

/* times in order, in little space */
struct page_times;

/**
 * page_times_new - none yet; page_times_free() frees, before the stash
 * @stash: in which they are
 */
struct page_times *page_times_new(struct stash *stash);
void page_times_free(struct page_times *times);

/**
 * page_times_add - add one, which is not earlier than the last one
 */
void page_times_add(struct page_times *times, int64_t ns);

/* where to write times that refer to others */
struct page_reference {
	const struct page_times *times;	/* an even number of them */
	struct stream *even;		/* for the first time, the third, ... */
	struct stream *odd;		/* for the others */
};

/**
 * page_times_refer - tell times by referring to others
 * @all: struct page_times that may be referred to; together they are one row of times, in
 *       order, in which equal ones are as often as they are
 * @origin_ns: not later than any that refers
 * @references: struct page_reference
 *
 * For each time, a packed number (packed.h) is appended: twice the steps in @all from the place
 * of the time before (at first: the first place) to the first one that is the time. If there is
 * none, it is twice the ns since the time before (at first: @origin_ns) plus 1, and the place is
 * that of the first one that is later.
 */
void page_times_refer(const GPtrArray *all, int64_t origin_ns, const GArray *references);

#endif
