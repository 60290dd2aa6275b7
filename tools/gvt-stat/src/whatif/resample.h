/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrivals at random, as other recordings of the same guest might show them.
 */
#ifndef GVT_STAT_RESAMPLE_H
#define GVT_STAT_RESAMPLE_H

#include <stdint.h>

#include <glib.h>

/**
 * resample_arrivals - continue recorded arrivals by those of further windows
 * @work: struct stream_work of an open stream, at least one, all within the first @window_ns
 * @gap_ns: time after each window, at most @window_ns, with the arrivals from the start of @work;
 *   after the last window, those from its end
 * @windows: the number of windows, at least two; the first one is @work
 * @seed: determines the result
 *
 * Draws blocks of intervals and execution times from @work, each as often as all others, so that
 * the mean load of the windows is the recorded one (balanced block bootstrap: Künsch, Annals of
 * Statistics, 1989; Davison, Hinkley and Schechtman, Biometrika, 1986).
 *
 * Returns struct stream_work, with times from the start of the first window; the caller frees.
 */
GArray *resample_arrivals(const GArray *work, int64_t window_ns, int64_t gap_ns,
			  unsigned int windows, uint32_t seed);

#endif
