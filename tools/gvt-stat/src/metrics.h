/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of A. Belkhiri and M. Dagenais, "Analyzing GPU Performance in
 * Virtualized Environments: A Case Study", Future Internet 16 (2024), 72,
 * section 4.2.2, per vGPU x engine and per physical engine: utilisation, length
 * of the waiting queue, wait and latency.
 */
#ifndef GVT_STAT_METRICS_H
#define GVT_STAT_METRICS_H

#include <stdint.h>

#include "depth.h"
#include "model.h"
#include "series.h"
#include "timespan.h"

/* one row of the report; counts are of what happened inside the window */
struct metrics_row {
	struct depth depth;
	int64_t exec_ns;		/* on the engine inside the window */
	int64_t queued;
	int64_t completed;		/* with status 0 */
	int64_t failed;			/* completed with an error */
	int64_t cancelled;
	int64_t open;			/* alive when the window ended */
	int64_t partial;		/* ended, but not all of their life was seen */
	int64_t tainted;		/* alive while events were lost */
	/* of those completed whose whole life was seen */
	int64_t split_count;
	int64_t split_total_ns;
	int64_t split_ns[PARTS];	/* sums to @split_total_ns */
	struct series *wait;
	struct series *latency;
	struct series *exec;
	struct series *turnaround;
	struct series *other;		/* the part of the wait that was another vGPU's turn */
};

struct metrics;

/**
 * metrics_new - begin to measure
 * @model: to listen to; must outlive the metrics
 * @window: the period T to observe; execution and queues are clipped to it, and
 *          a workload counts where it ends
 * @trace_start_ns: from when work has been running that was never seen to start
 */
struct metrics *metrics_new(struct model *model, struct window window, int64_t trace_start_ns);
void metrics_free(struct metrics *metrics);

/**
 * metrics_trace_end - the trace is over; to be told before model_finish()
 * @window: as in metrics_new(), with the end now known
 */
void metrics_trace_end(struct metrics *metrics, struct window window);

/**
 * metrics_finish - close the queues, after model_finish()
 */
void metrics_finish(struct metrics *metrics);

/* rows; valid until metrics_free() */
struct metrics_row *metrics_of_vgpu_engine(struct metrics *metrics, unsigned int index);
struct metrics_row *metrics_of_engine(struct metrics *metrics, unsigned int index);

#endif
