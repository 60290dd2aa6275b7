/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of "gvt-stat report", apart from its form.
 */
#ifndef GVT_STAT_REPORT_H
#define GVT_STAT_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include <glib.h>

#include "column.h"
#include "engine.h"
#include "follow.h"
#include "series.h"

/* one engine, of one vGPU or of the GPU with the work of all vGPUs */
struct report_engine {
	char name[ENGINE_NAME_LEN];
	const char *engine;		/* points to @name */
	int64_t class;
	int64_t instance;
	double utilization_percent;
	int64_t exec_ns;
	double queue_len_mean;
	int64_t queue_len_max;
	int64_t queued;
	int64_t completed;
	int64_t failed;
	int64_t cancelled;
	int64_t open;
	int64_t partial;
	int64_t tainted;
	struct summary wait;
	struct summary latency;
	struct summary exec;
	struct summary turnaround;
	int64_t split_count;		/* workloads that the split is of */
	int64_t split_total_ns;
	int64_t split_ns[PARTS];
};

struct report_vgpu {
	int64_t dev;
	int64_t vgpu_id;
	const char *uuid;
	const char *type;
	const char *vm;			/* name of its VM; NULL: not known */
	int64_t weight;
	int64_t nice;
	int64_t cap;			/* per cent of the time; 0: none */
	int64_t fences;
	int64_t owner_pid;
	bool id_reused;
	int64_t exec_ns;		/* on all engines */
	double exec_share_percent;	/* of all vGPUs' execution on this GPU */
	double weight_share_percent;	/* of all vGPUs' weights on this GPU */
	int64_t slices;
	double slice_mean_ns;
	int64_t scheduled_ns;
	double scheduled_percent;
	double drain_mean_ns;
	int64_t left_min_ns;
	int64_t ended[SWITCH_REASONS];
	int64_t aperture_bytes;
	int64_t hidden_bytes;
	int64_t spt_allocated;
	int64_t spt_freed;
	int64_t spt_bytes_min;		/* at the end of the trace, at least */
	int64_t spt_peak_bytes_min;
	GPtrArray *engines;		/* struct report_engine */
};

struct report_gpu {
	int64_t dev;
	const char *policy;
	int64_t tick_ns;
	int64_t period_ns;
	int64_t stages;
	int64_t boost_ns;
	int64_t carry_over;
	int64_t leftover_max_ns;
	int64_t max_wait_ns;
	int64_t anticipation_ns;
	const char *dispatch;
	int64_t idle_ns;		/* no vGPU was scheduled */
	int64_t gem_created;
	int64_t gem_created_bytes;
	int64_t gem_destroyed;
	int64_t gem_bytes_min;		/* at the end of the trace, at least */
	int64_t gem_peak_bytes_min;
	GPtrArray *engines;		/* struct report_engine */
};

struct report {
	const struct follow *follow;	/* whose trace has been read to its end */
	GPtrArray *gpus;		/* struct report_gpu */
	GPtrArray *vgpus;		/* struct report_vgpu */
};

/* print a struct report, as options_print() calls them */
void report_tables(const void *result);
void report_json(const void *result);
void report_lines(const void *result);

/* the columns of the machine-readable forms */
extern const struct column report_engine_columns[];
extern const struct column report_vgpu_columns[];
extern const struct column report_gpu_columns[];
extern const struct column report_scope_columns[];	/* of lines: "gpu" or "vgpu" */

#endif
