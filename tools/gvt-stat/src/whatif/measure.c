// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <gsl/gsl_sort.h>

#include "trace/util.h"
#include "measure.h"

const struct measure measures[MEASURES] = {
	[MEASURE_SHARE] = { "utilization_percent", "UTIL%", 1 },
	[MEASURE_COMPLETED] = { "completed_per_second", "completed /s", 1 },
	[MEASURE_MEAN] = { "latency_mean_ns", "latency, mean ms", 1e-6 },
	[MEASURE_P50] = { "latency_p50_ns", "latency, p50 ms", 1e-6 },
	[MEASURE_P95] = { "latency_p95_ns", "latency, p95 ms", 1e-6 },
	[MEASURE_P99] = { "latency_p99_ns", "latency, p99 ms", 1e-6 },
	[MEASURE_WORST] = { "latency_max_ns", "latency, worst ms", 1e-6 },
};

void measure_all(const struct tally_cell *cell, int64_t window_ns, double values[MEASURES])
{
	struct summary latency = series_summary(cell->latency);

	values[MEASURE_SHARE] = 100.0 * cell->exec_ns / window_ns;
	values[MEASURE_COMPLETED] = (double)cell->completed * NSEC_PER_SEC / window_ns;
	values[MEASURE_MEAN] = latency.mean_ns;
	values[MEASURE_P50] = latency.p50_ns;
	values[MEASURE_P95] = latency.p95_ns;
	values[MEASURE_P99] = latency.p99_ns;
	values[MEASURE_WORST] = known(latency.max_ns) ? (double)latency.max_ns : NAN;
}

void measure_reach(double *values, unsigned int count, double *least, double *most)
{
	double between;

	gsl_sort(values, 1, count);
	*least = values[0];
	*most = values[count - 1];
	between = (*most - *least) / MAX(count - 1, 1);
	/* a goal's latency is infinite if nothing completes */
	if (!isfinite(between))
		return;
	*least = fmax(*least - between, 0);
	*most += between;
}

void measure_blur(const double values[MEASURES], int64_t window_ns, double least[MEASURES],
		  double most[MEASURES])
{
	double count = values[MEASURE_COMPLETED] * window_ns / NSEC_PER_SEC;
	const double by[MEASURES] = {
		[MEASURE_SHARE] = values[MEASURE_SHARE] / count,
		[MEASURE_COMPLETED] = (double)NSEC_PER_SEC / window_ns,
		/* one more is not longer than the longest */
		[MEASURE_MEAN] = fmax(values[MEASURE_WORST] - values[MEASURE_MEAN], 0) / count,
	};

	for (int id = 0; count >= 1 && id < MEASURES; id++) {
		if (isnan(least[id]))
			continue;
		least[id] = fmax(least[id] - by[id], 0);
		most[id] += by[id];
	}
	if (!isnan(most[MEASURE_SHARE]))
		most[MEASURE_SHARE] = fmin(most[MEASURE_SHARE], 100);
}
