// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "sched_stats.h"

static unsigned int bin_of(u64 time_ns)
{
	return min(fls64(div_u64(time_ns, NSEC_PER_USEC)), GVT_STATS_BINS - 1);
}

/**
 * gvt_stats_bin_start_us - lower limit of a bin
 * @bin: the bin
 *
 * Return: the shortest time that the bin counts, in us.
 */
u64 gvt_stats_bin_start_us(unsigned int bin)
{
	return bin ? BIT_ULL(bin - 1) : 0;
}

/**
 * gvt_stats_complete - count a finished workload
 * @stats: the vGPU's statistics for the workload's engine
 * @status: 0 or a negative error number
 */
void gvt_stats_complete(struct gvt_engine_stats *stats, int status)
{
	stats->workloads++;
	if (status)
		stats->failed++;
}

/**
 * gvt_stats_executed - count the times of a workload that has been on its engine
 * @stats: the vGPU's statistics for that engine
 * @wait_ns: time from queueing until first on the engine
 * @exec_ns: time on the engine
 */
void gvt_stats_executed(struct gvt_engine_stats *stats, u64 wait_ns, u64 exec_ns)
{
	stats->wait_ns += wait_ns;
	stats->wait_bins[bin_of(wait_ns)]++;
	stats->exec_bins[bin_of(exec_ns)]++;
}

/**
 * gvt_stats_waited - count who had the engine while a workload waited
 * @stats: the vGPU's statistics for the engine
 * @queued: for how long the host and each vGPU id had the engine before the workload was queued
 * @started: the same before it was first on the engine
 * @wait_ns: time between the two
 *
 * The rest of the time nobody had the engine: it was kept idle, or changed hands.
 */
void gvt_stats_waited(struct gvt_engine_stats *stats, const u64 *queued, const u64 *started,
		      u64 wait_ns)
{
	u64 had_ns;
	int id;

	for (id = 0; id < GVT_STATS_HOLDERS - 1; id++) {
		had_ns = min(started[id] - queued[id], wait_ns);
		stats->waited_ns[id] += had_ns;
		wait_ns -= had_ns;
	}
	stats->waited_ns[id] += wait_ns;
}
