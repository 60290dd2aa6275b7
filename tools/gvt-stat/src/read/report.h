/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of "gvt-stat report", apart from its form.
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

/* one engine, of one vGPU or of the GPU with the work of all vGPUs */
struct report_engine {
	char name[ENGINE_NAME_LEN];
	const char *engine;		/* points to @name */
	int64_t class;
	int64_t instance;
	struct bounds utilization;	/* in per cent */
	int64_t exec_ns;		/* unknown if its bounds differ */
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
	int64_t split_count;		/* workloads that the split is of */
	int64_t split_total_ns;
	int64_t split_ns[PARTS];
	const struct metrics_row *row;	/* all of its durations; NULL: of the host's own work */
	/* of the host's own work: waits for the engine, and the vGPU that it waited for longest */
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
	const char *vm;			/* name of its VM; NULL: not known */
	int64_t weight;
	struct vgpu_settings set;
	int64_t fences;
	int64_t owner_pid;
	bool id_reused;
	int64_t exec_ns;		/* on all engines */
	struct bounds exec;		/* the same */
	struct bounds exec_share;	/* in per cent of all vGPUs' execution on this GPU */
	double weight_share_percent;	/* of all vGPUs' weights on this GPU */
	int64_t slices;
	double slice_mean_ns;
	int64_t scheduled_ns;
	struct bounds scheduled;	/* the same, in ns */
	struct bounds scheduled_percent;	/* of the window */
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
	struct sched_info sched;
	int64_t idle_ns;		/* no vGPU was scheduled */
	struct bounds idle;		/* the same */
	int64_t gem_created;
	int64_t gem_created_bytes;
	int64_t gem_destroyed;
	int64_t gem_bytes_min;		/* at the end of the trace, at least */
	int64_t gem_peak_bytes_min;
	GPtrArray *engines;		/* struct report_engine */
	GPtrArray *host;		/* the same, of the host's own work; none if that is unknown */
};

/* whose durations --histogram counts */
enum report_time {
	REPORT_LATENCY,
	REPORT_WAIT,
	REPORT_EXEC,
	REPORT_TURNAROUND,
};

struct report {
	const struct form *form;
	const struct follow *follow;	/* whose trace has been read to its end */
	GPtrArray *gpus;		/* struct report_gpu */
	GPtrArray *vgpus;		/* struct report_vgpu */
	const struct check *check;	/* NULL: it was not asked for */
	enum report_time time;		/* of the histogram */
	bool brief;			/* without the details behind the first screen */
};

/* the metrics over time */
struct report_over_time {
	const struct form *form;
	const struct follow *follow;	/* whose trace has been read to its end */
	const struct intervals *intervals;
	int64_t length_ns;
	bool several_gpus;
	bool brief;			/* without the table of all intervals */
};

#define REPORT_LABEL_LEN	64

/**
 * report_overview - engines, the slowest VMs and the first finding, on one screen
 * @report: with what was checked
 */
void report_overview(const struct report *report, FILE *out);

/**
 * report_knows_host - does the trace tell of the host's own work?
 */
bool report_knows_host(const struct report *report);

/**
 * report_label - what a row is about: "2 my-vm", or with several GPUs "0/2 my-vm"
 * @text: filled; REPORT_LABEL_LEN bytes
 * @vgpu_id: UNKNOWN: "all"
 * @vm: NULL: not known
 *
 * Returns @text.
 */
const char *report_label(char *text, bool several_gpus, int64_t dev, int64_t vgpu_id,
			 const char *vm);

/**
 * report_time_parse - which durations: "latency", "wait", "exec", "turnaround"
 */
bool report_time_parse(const char *name, enum report_time *time);

/* print a struct report, as form_print() calls them */
void report_tables(const void *result);
void report_json(const void *result);
void report_lines(const void *result);

/* print the same as histograms, and a struct report_over_time */
void report_histogram_tables(const void *result);
void report_histogram_json(const void *result);
void report_histogram_lines(const void *result);
void report_time_tables(const void *result);
void report_time_json(const void *result);
void report_time_lines(const void *result);

/* the tables that show columns of the rows above */
enum report_table {
	REPORT_ENGINES = 1,
	REPORT_HOST,
	REPORT_SLICES,
	REPORT_MEMORY,
};

/* the columns of those rows, in all forms of output */
extern const struct column report_engine_columns[];
extern const struct column report_vgpu_columns[];
extern const struct column report_gpu_columns[];
extern const struct column report_scope_columns[];	/* of lines: "gpu" or "vgpu" */
extern const struct column report_histogram_columns[];
extern const struct column report_time_columns[];

#endif
