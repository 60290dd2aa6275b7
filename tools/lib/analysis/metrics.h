/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of A. Belkhiri and M. Dagenais, "Analyzing GPU Performance in
 * Virtualized Environments: A Case Study", Future Internet 16 (2024), 72,
 * section 4.2.2, per vGPU x engine and per physical engine: utilisation, length
 * of the waiting queue, wait and latency.
 */
#ifndef GVTTRACE_METRICS_H
#define GVTTRACE_METRICS_H

#include <stdint.h>

#include "model/model.h"
#include "trace/timespan.h"
#include "depth.h"
#include "series.h"

/* one row of the report; counts are of events inside the window */
struct metrics_row {
	struct depth depth;
	int64_t exec_ns;		/* certain execution inside the window */
	int64_t unsure_ns;		/* of an engine: uncertain time outside of gaps */
	/* workloads x time that @depth has too much, or lacks, if doubts are right */
	int64_t depth_doubt_ns[DOUBT_UNSEEN];
	int64_t unseen_ns;		/* unseen workloads may have waited */
	int64_t queued;
	int64_t completed;		/* with status 0 */
	int64_t failed;			/* completed with an error */
	int64_t failed_at_ns;		/* first failed one: when it arrived, */
	int64_t failed_status;		/* its status, -errno, */
	int64_t failed_for_ns;		/* its known lifetime; 0: none failed */
	int64_t cancelled;
	int64_t open;			/* alive when the window ended */
	int64_t open_doubt;		/* > 0: there may be more */
	int64_t partial;		/* ended with part of their life unseen */
	int64_t tainted;		/* alive while events were lost */
	/* of completed workloads whose whole life was seen */
	int64_t split_count;
	int64_t split_total_ns;
	int64_t split_ns[PARTS];	/* sums to @split_total_ns */
	struct series *wait;
	struct series *latency;
	struct series *exec;
	struct series *turnaround;
	struct series *other;		/* wait during another vGPU's turn */
};

/* the host's own work on an engine, inside the window */
struct metrics_host {
	int64_t exec_ns;		/* as metrics_row.exec_ns */
	int64_t unsure_ns;		/* uncertain, outside of gaps */
	int64_t wait_ns;		/* time in which any of its contexts waited */
	int64_t waits;
	GArray *holders;		/* struct metrics_holder */
};

/* a vGPU that the host waited for */
struct metrics_holder {
	const struct vgpu *vgpu;	/* NULL: unknown */
	int64_t wait_ns;
	int64_t worst_ns;
	int64_t worst_at_ns;
};

struct metrics;

/**
 * metrics_new, metrics_free - begin to measure
 * @model: to listen to; must outlive the metrics
 * @window: the period T to observe; execution and queues are clipped to it, and
 *          a workload counts where it ends
 * @trace_start_ns: start of work that runs without a traced start
 */
struct metrics *metrics_new(struct model *model, struct window window, int64_t trace_start_ns);
void metrics_free(struct metrics *metrics);

/**
 * metrics_finish - complete the queues, and the sums of the engines, after model_finish()
 */
void metrics_finish(struct metrics *metrics);

/**
 * struct bounds - lower and upper bound of a value; @max is NAN if unknown
 */
struct bounds {
	double min;
	double max;
};

/**
 * metrics_exec - execution time inside the window in ns
 * @metrics: finished
 * @row: of @engine, or of a vGPU on it
 *
 * Both bounds are equal if no event was lost; any vGPU may have used uncertain time.
 */
struct bounds metrics_exec(struct metrics *metrics, const struct metrics_row *row,
			   const struct gpu_engine *engine);

/**
 * metrics_host - the host's own work on an engine; NULL if it was not recorded
 * metrics_host_exec - the host's execution, as metrics_exec()
 */
const struct metrics_host *metrics_host(struct metrics *metrics, const struct gpu_engine *engine);
struct bounds metrics_host_exec(struct metrics *metrics, const struct metrics_host *host);

/**
 * metrics_depth - mean length of the queue
 * @lost_events: number of lost events in the trace; negative if unknown
 */
struct bounds metrics_depth(const struct metrics *metrics, const struct metrics_row *row,
			    int64_t lost_events);

/**
 * metrics_of_vgpu_engine - the row of a vGPU's queue, by its index in the model
 */
struct metrics_row *metrics_of_vgpu_engine(struct metrics *metrics, unsigned int index);

/**
 * metrics_of_engine - the row of an engine, for all vGPUs, by its index in the model
 * @metrics: finished
 */
struct metrics_row *metrics_of_engine(struct metrics *metrics, unsigned int index);

#endif
