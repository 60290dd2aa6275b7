/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over bins of time, for intervals of a lane that are too many for a page: for each meaning of
 * an interval, its exact duration in ns within each bin.
 */
#ifndef GVT_STAT_PAGE_BINS_H
#define GVT_STAT_PAGE_BINS_H

#include <stdint.h>

#include "output/stash.h"

/* what the page's stash keeps in memory, and the message if there is no room for the rest */
#define PAGE_MEMORY	(8 << 20)
#define PAGE_NO_ROOM	"cannot keep in a temporary file what the page shows: %s; there must be room for it in /tmp"

/* the bin width, shared by all lanes of a page */
struct bin_width {
	int64_t ns;			/* 0: no bins yet */
	int64_t origin_ns;		/* edges of bins are multiples of the width from here */
	int64_t bins;			/* the width doubles when twice this number is reached */
	int64_t wider_ns;		/* time of the next doubling */
};

struct page_bins;

/**
 * page_bins_new - begin without bins; call page_bins_free() before freeing @stash
 * @width: of new bins; page_bins_add() increases the width as the trace goes on
 * @stash: stores the bins
 * @origin_ns: not after the first interval
 */
struct page_bins *page_bins_new(struct bin_width *width, struct stash *stash,
				int64_t origin_ns);
void page_bins_free(struct page_bins *bins);

/**
 * bin_width_choose - set the width for new bins
 * @origin_ns: begin of the window
 * @now_ns: end of the exact intervals
 * @bins: number of bins of this width until @now_ns; at least 1
 */
void bin_width_choose(struct bin_width *width, int64_t origin_ns, int64_t now_ns, int64_t bins);

/**
 * page_bins_add - add an interval; intervals of one meaning must be in order and not overlap
 */
void page_bins_add(struct page_bins *bins, uint64_t meaning, int64_t from_ns, int64_t to_ns);

/**
 * page_bins_finish - finish after the last interval
 * @end_ns: cuts the last bin
 *
 * Returns the number of bins in page_bins_stream().
 */
int64_t page_bins_finish(struct page_bins *bins, int64_t end_ns);

/**
 * page_bins_stream - the non-empty bins, in packed numbers (packed.h)
 *
 * For each bin: its meaning; the gap since the previous bin of the same meaning (the first: since
 * the origin); its length; and the part of the length not covered by intervals. The bins of one
 * meaning are in order and do not overlap.
 */
struct byte_stream *page_bins_stream(const struct page_bins *bins);

/* samples in the same bins: their number, sum and maximum per bin */
struct page_values;

struct page_values *page_values_new(struct bin_width *width, struct stash *stash,
				    int64_t origin_ns);
void page_values_free(struct page_values *values);

/**
 * page_values_add - add a sample, in order of time
 * @value: not negative
 */
void page_values_add(struct page_values *values, int64_t at_ns, int64_t value);

/**
 * page_values_finish - finish after the last sample; returns the number of bins
 */
int64_t page_values_finish(struct page_values *values);

/**
 * page_values_stream - the non-empty bins of samples, in packed numbers
 *
 * For each bin: the time from the end of the previous bin (the first: from the origin) to its end,
 * then number, sum and maximum of the samples.
 */
struct byte_stream *page_values_stream(const struct page_values *values);

#endif
