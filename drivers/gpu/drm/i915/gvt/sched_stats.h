/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_STATS_H_
#define _GVT_SCHED_STATS_H_

#include <linux/types.h>

/* Bin 0 counts times below 1 us, bin n those from 2^(n-1) us on; the last is open */
#define GVT_STATS_BINS 24

/**
 * struct gvt_engine_stats - what became of a vGPU's workloads on one engine
 * @wait_ns: total time from queued until first on the engine
 * @workloads: finished, whatever the result
 * @failed: of these, those with an error
 * @cancelled: dropped from the queue
 * @overruns: hand-overs for which its workload did not make way in time
 * @wait_bins: workloads by time from queued until first on the engine
 * @exec_bins: workloads by time on the engine
 *
 * Protected by sched_lock. Counts from the creation of the vGPU on.
 */
struct gvt_engine_stats {
	u64 wait_ns;
	u64 workloads;
	u64 failed;
	u64 cancelled;
	u64 overruns;
	u32 wait_bins[GVT_STATS_BINS];
	u32 exec_bins[GVT_STATS_BINS];
};

void gvt_stats_complete(struct gvt_engine_stats *stats, int status);
void gvt_stats_executed(struct gvt_engine_stats *stats, u64 wait_ns, u64 exec_ns);
u64 gvt_stats_bin_start_us(unsigned int bin);

#endif /* _GVT_SCHED_STATS_H_ */
