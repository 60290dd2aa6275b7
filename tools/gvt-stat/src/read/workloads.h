/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of "gvt-stat list workloads", for other forms than its own.
 */
#ifndef GVT_STAT_WORKLOADS_H
#define GVT_STAT_WORKLOADS_H

#include "follow/follow.h"
#include "output/column.h"

/* a workload; a stretch of execution uses a part of it */
struct workload_line {
	int64_t dev;
	int64_t workload_id;
	int64_t vgpu_id;
	const char *engine;
	int64_t ctx;
	int64_t seqno;
	int64_t lrca;
	int64_t queue_ns;
	int64_t submit_ns;
	int64_t start_ns;
	int64_t stop_ns;
	int64_t complete_ns;
	int64_t exec_ns;
	int64_t wait_ns;
	int64_t latency_ns;
	int64_t pieces;
	int64_t status;
	const char *state;
	int64_t tainted;
	int64_t parts[PARTS];
	int64_t total_ns;
	int64_t completed;
	const char *vm;
};

/* of struct workload_line, ended by a column without key and title */
extern const struct column workload_columns[];

struct workload_lines;

/**
 * workload_lines_new - call @each with the struct workload_line of each selected workload, as it ends
 * @follow: open, not yet run; live workloads come with model_finish()
 *
 * workload_lines_free() frees, after model_finish().
 */
struct workload_lines *workload_lines_new(struct follow *follow, record_fn each, void *to);
void workload_lines_free(struct workload_lines *lines);

#endif
