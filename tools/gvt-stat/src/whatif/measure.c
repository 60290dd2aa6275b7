// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

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
