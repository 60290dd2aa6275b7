/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series of measured durations and what is reported of it.
 */
#ifndef GVTTRACE_SERIES_H
#define GVTTRACE_SERIES_H

#include <stdint.h>

struct series;

/*
 * So many values are kept as they are. From more of them only counts remain, in
 * at most 112 KiB, whatever their number.
 */
#define SERIES_EXACT	4096

/* real numbers are NAN and integers UNKNOWN where the series is too short */
struct summary {
	int64_t count;
	double mean_ns;
	double stderr_percent;		/* standard error of the mean, of the mean */
	double p50_ns;
	double p95_ns;
	double p99_ns;
	int64_t max_ns;
	int64_t max_at_ns;		/* when the worst one began to wait */
	int64_t max_workload_id;
};

/**
 * series_new - no value yet; series_free() frees
 */
struct series *series_new(void);
void series_free(struct series *series);

/**
 * series_add - note one duration
 * @value_ns: the duration; UNKNOWN is ignored
 * @at_ns: a moment to look at in the trace, should this be the worst
 * @workload_id: whose it is
 */
void series_add(struct series *series, int64_t value_ns, int64_t at_ns, int64_t workload_id);

/* numbers of values by size: from 2^n up to 2^(n+1) ns; shorter ones than 1 ns are at 0 */
#define SERIES_POWERS	63

/**
 * series_count - fill @counts with how many values each power of two has
 */
void series_count(const struct series *series, uint64_t counts[SERIES_POWERS]);

/**
 * series_summary - mean with its standard error, quantiles and maximum
 *
 * Mean, error and maximum are exact. So are quantiles of up to SERIES_EXACT values,
 * which interpolate between neighbours (GSL's definition); of more, they are within
 * 0.2 % of the value that so many are below. Among equal maxima the first is
 * reported.
 */
struct summary series_summary(const struct series *series);

#endif
