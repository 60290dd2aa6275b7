/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of a page that are told by referring to others: which of all times of workloads
 * they are, counted from the one before.
 */
#ifndef GVT_STAT_PAGE_TIMES_H
#define GVT_STAT_PAGE_TIMES_H

#include <stdint.h>

#include <glib.h>

/**
 * page_times_merge - all times of several arrays in one, in order
 * @arrays: of int64_t, each in order
 *
 * Equal ones are there as often as they are. The caller frees.
 */
GArray *page_times_merge(GArray *const *arrays, unsigned int count);

/**
 * page_times_refer - tell times by referring to others
 * @all: int64_t in order, that may be referred to
 * @origin_ns: not later than any of @times
 * @times: int64_t in order; an even number of them
 * @even: packed numbers (packed.h) of the first time, the third, ... are appended
 * @odd: those of the second, the fourth, ...
 *
 * The number is twice the steps in @all from the place of the time before (at first: the
 * first place) to the first one that is the time. If there is none, it is twice the ns since
 * the time before (at first: @origin_ns) plus 1, and the place is that of the first one that
 * is later.
 */
void page_times_refer(const GArray *all, int64_t origin_ns, const GArray *times,
		      GByteArray *even, GByteArray *odd);

#endif
