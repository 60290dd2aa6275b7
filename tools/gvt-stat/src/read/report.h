/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of "gvt-stat report", independent of the form of output.
 */
#ifndef GVT_STAT_REPORT_H
#define GVT_STAT_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include <glib.h>

#include "analysis/check.h"
#include "analysis/metrics.h"
#include "analysis/series.h"
#include "follow/follow.h"
#include "output/form.h"
#include "trace/engine.h"

/* one engine, of one vGPU, or of the GPU with the work of all vGPUs */
struct report_engine {
	const char *engine;
	int64_t class;
	int64_t instance;
	struct bounds utilization;	/* in per cent */
	int64_t exec_ns;		/* UNKNOWN if the bounds differ */
	struct bounds exec_bounds;
	struct bounds queue_len;
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
	int64_t split_count;		/* number of workloads in the split */
	int64_t split_total_ns;
	int64_t split_ns[PARTS];
	const struct metrics_row *row;	/* all durations; NULL: the host's own work */
	/* host's own work only: its waits, and the vGPU for which it waited longest */
	int64_t host_wait_ns;
	int64_t host_waits;
	int64_t host_waited_for_vgpu_id;
	int64_t host_waited_for_ns;
	int64_t host_waited_for_max_ns;
	int64_t host_waited_for_max_at_ns;
};

struct report_vgpu {
	int64_t dev;
	int64_t vgpu_id;
	const char *uuid;
	const char *type;
	const char *vm;			/* name of its VM; NULL: unknown */
	int64_t weight;
	struct vgpu_settings set;
	int64_t fences;
	int64_t owner_pid;
	bool id_reused;
	int64_t exec_ns;		/* on all engines */
	struct bounds exec;		/* bounds of @exec_ns */
	struct bounds exec_share;	/* in per cent of all vGPUs' execution on this GPU */
	double weight_share_percent;	/* of all vGPUs' weights on this GPU */
	int64_t slices;
	double slice_mean_ns;
	int64_t scheduled_ns;
	struct bounds scheduled;	/* bounds in ns */
	struct bounds scheduled_percent;	/* of the window */
	double drain_mean_ns;
	int64_t left_min_ns;
	int64_t ended[SWITCH_REASONS];
	int64_t aperture_bytes;
	int64_t hidden_bytes;
	int64_t spt_allocated;
	int64_t spt_freed;
	int64_t spt_bytes_min;		/* lower bound at the end of the trace */
	int64_t spt_peak_bytes_min;
	GPtrArray *engines;		/* struct report_engine */
};

struct report_gpu {
	int64_t dev;
	struct sched_info sched;
	int64_t idle_ns;		/* no vGPU was scheduled */
	struct bounds idle;		/* bounds of @idle_ns */
	int64_t gem_created;
	int64_t gem_created_bytes;
	int64_t gem_destroyed;
	int64_t gem_bytes_min;		/* lower bound at the end of the trace */
	int64_t gem_peak_bytes_min;
	GPtrArray *engines;		/* struct report_engine */
	GPtrArray *host;		/* struct report_engine, the host's; empty: unknown */
};

/* durations that --histogram can count */
enum report_time {
	REPORT_LATENCY,
	REPORT_WAIT,
	REPORT_EXEC,
	REPORT_TURNAROUND,
};

struct report {
	const struct form *form;
	const struct follow *follow;	/* read to its end */
	GPtrArray *gpus;		/* struct report_gpu */
	GPtrArray *vgpus;		/* struct report_vgpu */
	const struct check *check;	/* NULL: not requested */
	enum report_time time;		/* of the histogram */
	bool brief;			/* without details below the first screen */
};

/* metrics over time */
struct report_over_time {
	const struct form *form;
	const struct follow *follow;	/* read to its end */
	const struct intervals *intervals;
	int64_t length_ns;
	bool several_gpus;
	bool brief;			/* without the table of intervals */
};

#define REPORT_LABEL_LEN	64

/**
 * report_overview - print engines, the slowest VMs and the first finding on one screen
 * @report: with its check
 */
void report_overview(const struct report *report, FILE *out);

/**
 * report_knows_host - does the trace have events of the host's own work?
 */
bool report_knows_host(const struct report *report);

/**
 * report_label - label of a row: "2 my-vm", or with several GPUs "0/2 my-vm"
 * @text: filled; REPORT_LABEL_LEN bytes
 * @vgpu_id: UNKNOWN: "all"
 * @vm: NULL: unknown
 *
 * Returns @text.
 */
const char *report_label(char *text, bool several_gpus, int64_t dev, int64_t vgpu_id,
			 const char *vm);

/**
 * report_time_parse - parse "latency", "wait", "exec" or "turnaround"
 */
bool report_time_parse(const char *name, enum report_time *time);

/* print a struct report, for form_print() */
void report_tables(const void *result);
void report_json(const void *result);
void report_lines(const void *result);

/* print histograms, and a struct report_over_time, for form_print() */
void report_histogram_tables(const void *result);
void report_histogram_json(const void *result);
void report_histogram_lines(const void *result);
void report_time_tables(const void *result);
void report_time_json(const void *result);
void report_time_lines(const void *result);

/* tables that show columns of the rows above */
enum report_table {
	REPORT_ENGINES = 1,
	REPORT_HOST,
	REPORT_SLICES,
	REPORT_MEMORY,
};

/* columns of the rows above, for all forms of output */
extern const struct column report_engine_columns[];
extern const struct column report_vgpu_columns[];
extern const struct column report_gpu_columns[];
extern const struct column report_scope_columns[];	/* of lines: "gpu" or "vgpu" */
extern const struct column report_histogram_columns[];
extern const struct column report_time_columns[];

#endif
