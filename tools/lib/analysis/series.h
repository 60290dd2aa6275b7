/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series of durations and its statistics.
 */
#ifndef GVTTRACE_SERIES_H
#define GVTTRACE_SERIES_H

#include <stdint.h>

struct series;

/*
 * Maximum number of values kept exactly. Of more values only counts are kept, in
 * at most 112 KiB.
 */
#define SERIES_EXACT	4096

/* reals are NAN and integers UNKNOWN if the series is too short */
struct summary {
	int64_t count;
	double mean_ns;
	double stderr_percent;		/* standard error, in per cent of the mean */
	double p50_ns;
	double p95_ns;
	double p99_ns;
	int64_t max_ns;
	int64_t max_at_ns;		/* @at_ns of the maximum */
	int64_t max_workload_id;
};

/**
 * series_new - no value yet; series_free() frees
 */
struct series *series_new(void);
void series_free(struct series *series);

/**
 * series_add - add a duration
 * @value_ns: the duration; UNKNOWN is ignored
 * @at_ns: the time to look at in the trace if this is the maximum
 * @workload_id: of the duration
 */
void series_add(struct series *series, int64_t value_ns, int64_t at_ns, int64_t workload_id);

/* size classes: 2^n up to 2^(n+1) ns; values below 1 ns are in class 0 */
#define SERIES_POWERS	63

/**
 * series_count - fill @counts with the number of values in each size class
 */
void series_count(const struct series *series, uint64_t counts[SERIES_POWERS]);

/**
 * series_summary - mean with its standard error, quantiles and maximum
 *
 * Mean, error and maximum are exact. So are quantiles of up to SERIES_EXACT values,
 * which interpolate between neighbours (GSL's definition); of more values, quantiles are
 * accurate to 0.2 %. Among equal maxima the first is reported.
 */
struct summary series_summary(const struct series *series);

#endif
