/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exact intervals of a page, for all lanes in one sequence. Successive intervals are close in
 * time, and an interval often resembles the previous one of its lane. A counter is a lane, too:
 * each of its intervals ends with a sample.
 *
 * The predicted lane is the one that followed the last interval's sort the previous time; the
 * predicted sort is the one that followed the lane's last sort the previous time.
 *
 * Each interval is encoded with bits.h:
 *
 *   bit         1: lane and sort are the predicted ones
 *   bit         if not: is the lane the predicted one?
 *   bit         if not: is the sort the predicted one?
 *   lane        number of the lane, if not predicted
 *   sort        number of the sort, if not predicted; a new sort has the next number, followed by
 *               512 times the interval's meaning, plus 128 times enum page_end, plus 16 times
 *               enum page_begin, plus its limits
 *   end         distance from the last interval's end, unless there; numbers of its sort
 *   length      for PAGE_BEGIN_TOLD; numbers of its sort
 *   workload    if the meaning implies one: the difference to the last workload, signed
 *   sample      of a counter: the difference to its last sample, signed; numbers of its sort
 *
 * The meaning of a counter's interval is enum page_sample.
 *
 * A sort belongs to one lane. The first end is relative to the origin.
 */
#ifndef GVT_STAT_PAGE_INTERVALS_H
#define GVT_STAT_PAGE_INTERVALS_H

#include <stdint.h>
#include <stdio.h>

/* where an interval begins */
enum page_begin {
	/* each of these is the origin for the first interval */
	PAGE_BEGIN_LANE,		/* at the end of the lane's last interval */
	PAGE_BEGIN_LAST,		/* at the end of the last interval of any lane */
	PAGE_BEGIN_RECENT,		/* at the begin of the last PAGE_BEGIN_TOLD */
	PAGE_BEGIN_EARLIER,		/* at the begin of the PAGE_BEGIN_TOLD before */
	PAGE_BEGIN_TOLD,		/* given by the length */
};

/* where an interval ends */
enum page_end {
	PAGE_END_LAST,			/* at the end of the last interval; first: the origin */
	PAGE_END_LATER,
	PAGE_END_EARLIER,
};

/* how a sample follows from the counter's last one */
enum page_sample {
	PAGE_SAMPLE_CHANGED,		/* last sample plus the difference */
	PAGE_SAMPLE_RAN_DOWN,		/* the same, minus the ns between both samples */
};

struct page_intervals;
struct page_lane;

/**
 * page_intervals_new - begin to write to @out; page_intervals_free() writes the rest
 * @origin_ns: not after the first interval
 */
struct page_intervals *page_intervals_new(FILE *out, int64_t origin_ns);
void page_intervals_free(struct page_intervals *intervals);

/**
 * page_intervals_lane - add a lane; numbers start at 0; freed with @intervals
 */
struct page_lane *page_intervals_lane(struct page_intervals *intervals);

/**
 * page_intervals_add - write an interval
 * @limits: below 16
 * @what: the meaning, which implies whether a workload is written
 * @workload: id of its workload; NULL: none is written
 */
void page_intervals_add(struct page_intervals *intervals, struct page_lane *lane, uint64_t what,
			unsigned int limits, int64_t from_ns, int64_t to_ns,
			const int64_t *workload);

/**
 * page_intervals_sample - write a sample of a counter
 * @counter: a lane without other intervals; its initial value is 0
 */
void page_intervals_sample(struct page_intervals *intervals, struct page_lane *counter, int64_t at_ns,
			   int64_t value);

/**
 * page_intervals_size - number of bytes before base64 encoding
 */
uint64_t page_intervals_size(const struct page_intervals *intervals);

#endif
