// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>
#include <sys/types.h>

#include <glib.h>

#include "trace/util.h"
#include "inside.h"

/*
 * Counts of values by size, as in G. Tene's HdrHistogram: every power of two from
 * SUB_BUCKETS on is divided into SUB_BUCKETS equal parts, so that a bucket is never
 * wider than 1/SUB_BUCKETS of its values. Below, each value has its own.
 */
#define SUB_BITS	8
#define SUB_BUCKETS	(1 << SUB_BITS)
#define OCTAVES		(63 - SUB_BITS + 1)

struct series {
	size_t count;
	GArray *values;			/* double; NULL: more than SERIES_EXACT, see @octaves */
	uint64_t *octaves[OCTAVES];	/* of SUB_BUCKETS counts; NULL: empty */
	/* relative to the first value, which keeps the sums small */
	double first;
	double sum;
	double squares;
	int64_t max_ns;
	int64_t max_at_ns;
	int64_t max_workload_id;
};

struct series *series_new(void)
{
	struct series *series = g_new0(struct series, 1);

	series->values = g_array_new(FALSE, FALSE, sizeof(double));
	series->max_ns = UNKNOWN;
	series->max_at_ns = UNKNOWN;
	series->max_workload_id = UNKNOWN;
	return series;
}

void series_free(struct series *series)
{
	if (series->values)
		g_array_free(series->values, TRUE);
	for (int nr = 0; nr < OCTAVES; nr++)
		g_free(series->octaves[nr]);
	g_free(series);
}

/* Negative durations of a damaged trace count as 0. */
static void count_value(struct series *series, double value)
{
	uint64_t ns = MAX(value, 0);
	int octave = ns < SUB_BUCKETS ? 0 : g_bit_storage(ns) - SUB_BITS;
	unsigned int sub = octave ? (ns >> (octave - 1)) & (SUB_BUCKETS - 1) : ns;

	if (!series->octaves[octave])
		series->octaves[octave] = g_new0(uint64_t, SUB_BUCKETS);
	series->octaves[octave][sub]++;
}

/* the middle of a bucket */
static double bucket_value(int octave, unsigned int sub)
{
	double width = octave ? ldexp(1, octave - 1) : 1;

	return octave ? (SUB_BUCKETS + sub) * width + (width - 1) / 2 : sub;
}

static void become_inexact(struct series *series)
{
	for (unsigned int nr = 0; nr < series->values->len; nr++)
		count_value(series, g_array_index(series->values, double, nr));
	g_array_free(series->values, TRUE);
	series->values = NULL;
}

static void keep_value(struct series *series, double value)
{
	if (series->values && series->values->len == SERIES_EXACT)
		become_inexact(series);
	if (series->values)
		g_array_append_val(series->values, value);
	else
		count_value(series, value);
}

void series_add(struct series *series, int64_t value_ns, int64_t at_ns, int64_t workload_id)
{
	double value = value_ns;

	if (!known(value_ns))
		return;
	if (!series->count++)
		series->first = value;
	series->sum += value - series->first;
	series->squares += (value - series->first) * (value - series->first);
	keep_value(series, value);
	if (known(series->max_ns) && value_ns <= series->max_ns)
		return;
	series->max_ns = value_ns;
	series->max_at_ns = at_ns;
	series->max_workload_id = workload_id;
}

static void merge_octaves(struct series *to, const struct series *from)
{
	for (int octave = 0; octave < OCTAVES; octave++) {
		if (!from->octaves[octave])
			continue;
		if (!to->octaves[octave])
			to->octaves[octave] = g_new0(uint64_t, SUB_BUCKETS);
		for (unsigned int sub = 0; sub < SUB_BUCKETS; sub++)
			to->octaves[octave][sub] += from->octaves[octave][sub];
	}
}

static void merge_values(struct series *to, const struct series *from)
{
	if (!from->values && to->values)
		become_inexact(to);
	if (!from->values)
		merge_octaves(to, from);
	for (unsigned int nr = 0; from->values && nr < from->values->len; nr++)
		keep_value(to, g_array_index(from->values, double, nr));
}

static void merge_maximum(struct series *to, const struct series *from)
{
	if (to->count && (to->max_ns > from->max_ns ||
			  (to->max_ns == from->max_ns && to->max_at_ns <= from->max_at_ns)))
		return;
	to->max_ns = from->max_ns;
	to->max_at_ns = from->max_at_ns;
	to->max_workload_id = from->max_workload_id;
}

void series_merge(struct series *to, const struct series *from)
{
	double first = to->count ? to->first : from->first;
	double shift = from->first - first;

	if (!from->count)
		return;
	merge_values(to, from);
	merge_maximum(to, from);
	to->first = first;
	to->squares += from->squares + shift * (2 * from->sum + from->count * shift);
	to->sum += from->sum + from->count * shift;
	to->count += from->count;
}

static double stderr_percent(const struct series *series, double mean)
{
	double n = series->count;
	double variance = (series->squares - series->sum * series->sum / n) / (n - 1);

	if (series->count < 2 || mean <= 0)
		return NAN;
	return sqrt(MAX(variance, 0)) / sqrt(n) / mean * 100;
}

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

/*
 * The nth smallest value; moves smaller ones before it and larger ones after it.
 * C. Hoare, Algorithm 65: FIND, Comm. ACM 4 (1961).
 */
static double select_value(double *values, ssize_t count, ssize_t nth)
{
	ssize_t low = 0, high = count - 1;

	while (low < high) {
		double pivot = values[nth];
		ssize_t up = low, down = high;

		while (up <= down) {
			while (values[up] < pivot)
				up++;
			while (values[down] > pivot)
				down--;
			if (up <= down)
				swap(&values[up++], &values[down--]);
		}
		if (down < nth)
			low = up;
		if (nth < up)
			high = down;
	}
	return values[nth];
}

/*
 * Definition 7 of R. Hyndman and Y. Fan, Sample Quantiles in Statistical Packages,
 * Am. Stat. 50 (1996), which is also GSL's. Selection takes linear time.
 */
static double exact_quantile(const struct series *series, double fraction)
{
	double *values = (double *)series->values->data;
	size_t count = series->values->len;
	double place = fraction * (count - 1);
	size_t below = place;
	double low = select_value(values, count, below);
	double high = below + 1 < count ? select_value(values, count, below + 1) : low;

	return low + (place - below) * (high - low);
}

static double counted_quantile(const struct series *series, double fraction)
{
	uint64_t before = 0, place = fraction * (series->count - 1);

	for (int octave = 0; octave < OCTAVES; octave++) {
		const uint64_t *counts = series->octaves[octave];

		for (unsigned int sub = 0; counts && sub < SUB_BUCKETS; sub++) {
			before += counts[sub];
			if (before > place)
				return MIN(bucket_value(octave, sub), series->max_ns);
		}
	}
	return series->max_ns;
}

static double quantile(const struct series *series, double fraction)
{
	return series->values ? exact_quantile(series, fraction) :
				counted_quantile(series, fraction);
}

static int power_of(uint64_t ns)
{
	return ns ? g_bit_storage(ns) - 1 : 0;
}

/* No bucket spans a power of two. */
static void count_octaves(const struct series *series, uint64_t counts[SERIES_POWERS])
{
	for (int octave = 0; octave < OCTAVES; octave++)
		for (unsigned int sub = 0; series->octaves[octave] && sub < SUB_BUCKETS; sub++)
			counts[octave ? octave + SUB_BITS - 1 : power_of(sub)] +=
				series->octaves[octave][sub];
}

void series_count(const struct series *series, uint64_t counts[SERIES_POWERS])
{
	memset(counts, 0, SERIES_POWERS * sizeof(*counts));
	if (!series->values) {
		count_octaves(series, counts);
		return;
	}
	for (unsigned int nr = 0; nr < series->values->len; nr++) {
		counts[power_of(MAX(g_array_index(series->values, double, nr), 0))]++;
	}
}

struct summary series_summary(const struct series *series)
{
	struct summary summary = {
		.count = series->count,
		.mean_ns = NAN, .stderr_percent = NAN,
		.p50_ns = NAN, .p95_ns = NAN, .p99_ns = NAN,
		.max_ns = series->max_ns,
		.max_at_ns = series->max_at_ns,
		.max_workload_id = series->max_workload_id,
	};

	if (!series->count)
		return summary;
	summary.mean_ns = series->first + series->sum / series->count;
	summary.stderr_percent = stderr_percent(series, summary.mean_ns);
	summary.p50_ns = quantile(series, 0.50);
	summary.p95_ns = quantile(series, 0.95);
	summary.p99_ns = quantile(series, 0.99);
	return summary;
}
