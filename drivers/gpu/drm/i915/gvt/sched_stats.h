/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_STATS_H_
#define _GVT_SCHED_STATS_H_

#include <linux/types.h>

/* Bin 0 counts times below 1 us, bin n times from 2^(n-1) us; the last bin is unlimited */
#define GVT_STATS_BINS 24

/* Who can have an engine while a vGPU waits: the host (0), vGPUs by id, and last, nobody */
#define GVT_STATS_HOLDERS 9

/**
 * struct gvt_engine_stats - statistics of a vGPU's workloads on one engine
 * @wait_ns: total time from queueing until first on the engine
 * @waited_ns: parts of @wait_ns, by who had the engine meanwhile; their sum is @wait_ns
 * @workloads: finished workloads, whatever the result
 * @failed: finished workloads with an error
 * @cancelled: workloads dropped from the queue
 * @overruns: hand-overs for which the vGPU's workload did not leave the engine in time
 * @wait_bins: workloads by time from queueing until first on the engine
 * @exec_bins: workloads by time on the engine
 *
 * Protected by sched_lock. Counts since the creation of the vGPU.
 */
struct gvt_engine_stats {
	u64 wait_ns;
	u64 waited_ns[GVT_STATS_HOLDERS];
	u64 workloads;
	u64 failed;
	u64 cancelled;
	u64 overruns;
	u32 wait_bins[GVT_STATS_BINS];
	u32 exec_bins[GVT_STATS_BINS];
};

void gvt_stats_complete(struct gvt_engine_stats *stats, int status);
void gvt_stats_executed(struct gvt_engine_stats *stats, u64 wait_ns, u64 exec_ns);
void gvt_stats_waited(struct gvt_engine_stats *stats, const u64 *queued, const u64 *started,
		      u64 wait_ns);
u64 gvt_stats_bin_start_us(unsigned int bin);

#endif /* _GVT_SCHED_STATS_H_ */
