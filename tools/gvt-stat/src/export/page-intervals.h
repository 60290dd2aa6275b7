/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The single intervals of a page, of all lanes in the order in which they are told: one that
 * ends, and what follows it, are near to each other in time, and much of an interval is
 * as it was the last time. A counter is a lane, too: each of its intervals ends with a sample.
 *
 * In bits.h's bits and numbers, of each interval:
 *
 *   bit         is its lane the one that followed the last interval's sort the last time, and its
 *               sort the one that followed the lane's last sort the last time?
 *   bit         if not: is it the lane?
 *   bit         if it is not: is it the sort?
 *   lane        its number, if not
 *   sort        its number, if not, and of a new one, which has the next number, 512 times what
 *               the interval means, plus 128 times enum page_end, plus 16 times enum page_begin,
 *               plus its limits
 *   end         so far from the last interval's end, if not there; numbers of its sort
 *   length      for PAGE_BEGIN_TOLD; the same
 *   workload    if the meaning tells that there is one: the difference to the last one, signed
 *   sample      of a counter: the difference to its last one, signed; numbers of its sort
 *
 * What an interval of a counter means is enum page_sample.
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

/* where an interval ends */
enum page_end {
	PAGE_END_LAST,			/* where the last one of all does; at first: at the origin */
	PAGE_END_LATER,
	PAGE_END_EARLIER,
};

/* what the difference to a counter's last sample is */
enum page_sample {
	PAGE_SAMPLE_CHANGED,		/* by so much */
	PAGE_SAMPLE_RAN_DOWN,		/* by so much more than the time between them is in ns */
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
 * page_intervals_sample - write a sample of a counter
 * @counter: a lane that has no other intervals; its value is 0 at first
 */
void page_intervals_sample(struct page_intervals *intervals, struct page_lane *counter, int64_t at_ns,
			   int64_t value);

/**
 * page_intervals_size - how many bytes there are
 */
uint64_t page_intervals_size(const struct page_intervals *intervals);

#endif
