/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in which the GPU is idle although a vGPU has work. */
#ifndef RIG_BENCH_GAPS_H
#define RIG_BENCH_GAPS_H

#include <glib.h>
#include <stdint.h>

/* From the end of one vGPU's execution to the start of another's */
struct gap {
	int64_t pending_ns;	/* some vGPU had work and the GPU was not kept idle on purpose */
	int64_t held_ns;	/* some vGPU had work and the GPU was kept idle on purpose */
};

/**
 * gaps_find - the gaps of all switches between vGPUs
 * @pieces: struct traced_piece; the order changes
 * @workloads: struct traced_workload; the order changes
 * @holds: struct interval, merged
 *
 * The GPU is idle when none of its engines executes for a vGPU. Work that was
 * queued before the trace began was pending from its beginning. Pieces cut by an
 * edge of the trace give no gap.
 *
 * Return: an array of struct gap, one for each switch with idle time or without
 * (then both are 0), which the caller frees.
 */
GArray *gaps_find(GArray *pieces, GArray *workloads, const GArray *holds);

#endif
