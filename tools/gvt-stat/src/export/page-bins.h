/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals of a lane that are too many for a page, as sums over bins of time: for each
 * meaning that an interval may have, for how long it was so in each bin, to the ns.
 */
#ifndef GVT_STAT_PAGE_BINS_H
#define GVT_STAT_PAGE_BINS_H

#include <stdint.h>

#include "stash.h"

/* how wide bins are, of all lanes of a page */
struct bin_width {
	int64_t ns;			/* 0: there are none yet */
	int64_t origin_ns;		/* edges of bins are multiples of the width from here on */
	int64_t bins;			/* twice so many, and they are twice as wide */
	int64_t wider_ns;		/* from when on that is */
};

struct page_bins;

/**
 * page_bins_new - none yet; page_bins_free() frees, before @stash
 * @width: of the bins that will begin; page_bins_add() makes it larger as the trace goes on
 * @stash: where they are kept
 * @origin_ns: not later than any of them
 */
struct page_bins *page_bins_new(struct bin_width *width, struct stash *stash,
				int64_t origin_ns);
void page_bins_free(struct page_bins *bins);

/**
 * bin_width_choose - bins from now on
 * @origin_ns: where the window begins
 * @now_ns: where exact intervals end
 * @bins: that there would be until now; at least 1
 */
void bin_width_choose(struct bin_width *width, int64_t origin_ns, int64_t now_ns, int64_t bins);

/**
 * page_bins_add - add an interval, which does not begin before the last one of its meaning ended
 */
void page_bins_add(struct page_bins *bins, uint64_t meaning, int64_t from_ns, int64_t to_ns);

/**
 * page_bins_finish - nothing is added any more
 * @end_ns: the last bin ends there at the latest
 *
 * Returns the number of bins that page_bins_stream() has.
 */
int64_t page_bins_finish(struct page_bins *bins, int64_t end_ns);

/**
 * page_bins_stream - the bins in which there is something, in packed numbers (packed.h)
 *
 * Of each its meaning; how long after the last one of the same meaning (the first: after the
 * origin) it begins; its length; and how much of that is not of any interval. Those of one
 * meaning are in order and do not overlap.
 */
struct stream *page_bins_stream(const struct page_bins *bins);

/* values at moments, in the same bins: how many, their sum and the largest of each */
struct page_values;

struct page_values *page_values_new(struct bin_width *width, struct stash *stash,
				    int64_t origin_ns);
void page_values_free(struct page_values *values);

/**
 * page_values_add - add one, which is not earlier than the last one
 * @value: not below 0
 */
void page_values_add(struct page_values *values, int64_t at_ns, int64_t value);

/**
 * page_values_finish - nothing is added any more; returns the number of bins
 */
int64_t page_values_finish(struct page_values *values);

/**
 * page_values_stream - the bins with values, in packed numbers
 *
 * Of each how long after the end of the last one (the first: after the origin) it ends, then
 * the number of values, their sum, and the largest.
 */
struct stream *page_values_stream(const struct page_values *values);

#endif
