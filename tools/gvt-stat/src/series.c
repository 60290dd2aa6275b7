// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <glib.h>
#include <gsl/gsl_statistics_double.h>

#include "series.h"
#include "util.h"

struct series {
	GArray *values;			/* double: exact below 2^53 ns = 104 days */
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
	g_array_free(series->values, TRUE);
	g_free(series);
}

void series_add(struct series *series, int64_t value_ns, int64_t at_ns, int64_t workload_id)
{
	double value = value_ns;

	if (!known(value_ns))
		return;
	g_array_append_val(series->values, value);
	if (value_ns <= series->max_ns)
		return;
	series->max_ns = value_ns;
	series->max_at_ns = at_ns;
	series->max_workload_id = workload_id;
}

static double stderr_percent(const double *values, size_t count, double mean)
{
	if (count < 2 || mean <= 0)
		return NAN;
	return gsl_stats_sd_m(values, 1, count, mean) / sqrt(count) / mean * 100;
}

/*
 * As gsl_stats_quantile_from_sorted_data() has it, but without sorting all
 * values for three quantiles: selecting takes linear time.
 */
static double quantile(double *values, size_t count, double fraction)
{
	double place = fraction * (count - 1);
	size_t below = place;
	double low = gsl_stats_select(values, 1, count, below);
	double high = below + 1 < count ? gsl_stats_select(values, 1, count, below + 1) : low;

	return low + (place - below) * (high - low);
}

struct summary series_summary(struct series *series)
{
	/* reordered, but a series has no order */
	double *values = (double *)series->values->data;
	size_t count = series->values->len;
	struct summary summary = {
		.count = count,
		.mean_ns = NAN, .stderr_percent = NAN,
		.p50_ns = NAN, .p95_ns = NAN, .p99_ns = NAN,
		.max_ns = series->max_ns,
		.max_at_ns = series->max_at_ns,
		.max_workload_id = series->max_workload_id,
	};

	if (!count)
		return summary;
	summary.mean_ns = gsl_stats_mean(values, 1, count);
	summary.stderr_percent = stderr_percent(values, count, summary.mean_ns);
	summary.p50_ns = quantile(values, count, 0.50);
	summary.p95_ns = quantile(values, count, 0.95);
	summary.p99_ns = quantile(values, count, 0.99);
	return summary;
}
