/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The single intervals of a page, of all lanes in the order in which they are told: one that
 * ends, and what follows it, are near to each other in time, and much of an interval is
 * as it was the last time.
 *
 * In bits.h's bits and numbers, of each interval:
 *
 *   two bits    is its lane the one that followed the last interval's sort the last time? Is its
 *               sort the one that followed the lane's last sort the last time?
 *   lane        its number, if not
 *   sort        its number, if not, and of a new one, which has the next number, 128 times what
 *               the interval means, plus 16 times enum page_begin, plus its limits
 *   end         how much later than the last interval's end, signed; numbers of its sort
 *   length      for PAGE_BEGIN_TOLD; the same
 *   workload    if the meaning tells that there is one: the difference to the last one, signed
 *
 * A sort is of one lane. The first end is told from the origin.
 */
#ifndef GVT_STAT_PAGE_INTERVALS_H
#define GVT_STAT_PAGE_INTERVALS_H

#include <stdint.h>
#include <stdio.h>

/* where an interval begins */
enum page_begin {
	PAGE_BEGIN_LANE,		/* where the lane's last one ends; at first: at the origin */
	PAGE_BEGIN_LAST,		/* where the last interval of all ends; the same */
	PAGE_BEGIN_RECENT,		/* where the last one of PAGE_BEGIN_TOLD begins; the same */
	PAGE_BEGIN_EARLIER,		/* where the one before that begins; the same */
	PAGE_BEGIN_TOLD,		/* so long before its end */
};

struct page_intervals;
struct page_lane;

/**
 * page_intervals_new - begin to write to @out; page_intervals_free() writes the rest
 * @origin_ns: not later than any interval
 */
struct page_intervals *page_intervals_new(FILE *out, int64_t origin_ns);
void page_intervals_free(struct page_intervals *intervals);

/**
 * page_intervals_lane - the next lane, from number 0 on; it is freed with @intervals
 */
struct page_lane *page_intervals_lane(struct page_intervals *intervals);

/**
 * page_intervals_add - write an interval
 * @limits: below 16
 * @workload: which one it is of; NULL: that is not written. @what tells whether it is
 */
void page_intervals_add(struct page_intervals *intervals, struct page_lane *lane, uint64_t what,
			unsigned int limits, int64_t from_ns, int64_t to_ns,
			const int64_t *workload);

/**
 * page_intervals_size - how many bytes there are
 */
uint64_t page_intervals_size(const struct page_intervals *intervals);

#endif
