/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics over time: the window in intervals of equal length, for each queue of a vGPU
 * and for each physical engine.
 *
 * A workload counts in the interval in which it ended, execution and queue lengths
 * where they occurred. As in metrics.h, work that waits when the trace begins is found
 * when it leaves.
 */
#ifndef GVTTRACE_INTERVALS_H
#define GVTTRACE_INTERVALS_H

#include <stdint.h>

#include <glib.h>

#include "model/model.h"
#include "trace/timespan.h"

/* maximum number of intervals; a row then takes 640 KiB */
#define INTERVALS_MAX	10000

/* the last interval may be shorter than the others */
struct interval {
	int64_t from_ns;
	int64_t to_ns;
	int64_t exec_min_ns;		/* these two differ where events were lost */
	int64_t exec_max_ns;
	int64_t completed;		/* with status 0 */
	int64_t failed;			/* with another status, or cancelled */
	double queue_len_mean;		/* NAN: events were lost */
	double wait_mean_ns;		/* of completed workloads; NAN: none */
	double latency_mean_ns;
	int64_t latency_max_ns;		/* UNKNOWN: none */
};

struct intervals;

/**
 * intervals_new, intervals_free - begin to measure
 * @model: to listen to; must outlive the intervals
 * @window: as for metrics_new(); its end need not be known
 * @trace_start_ns: start of work that runs without a traced start
 * @length_ns: of an interval, above 0
 */
struct intervals *intervals_new(struct model *model, struct window window,
				int64_t trace_start_ns, int64_t length_ns);
void intervals_free(struct intervals *intervals);

/**
 * intervals_count - number of intervals in the window, after model_finish()
 *
 * May exceed INTERVALS_MAX; intervals beyond that were not measured.
 */
int64_t intervals_count(const struct intervals *intervals);

/**
 * intervals_of_vgpu_engine, intervals_of_engine - a row, after model_finish()
 *
 * Returns an array of struct interval; the caller frees.
 */
GArray *intervals_of_vgpu_engine(const struct intervals *intervals,
				 const struct vgpu_engine *queue);
GArray *intervals_of_engine(const struct intervals *intervals, const struct gpu_engine *engine);

#endif
