/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of 'gvt-stat top': a vGPU, then its engines.
 */
#ifndef GVT_STAT_TOP_ROWS_H
#define GVT_STAT_TOP_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include <glib.h>
#include <jansson.h>

#include "host/counters.h"
#include "output/column.h"
#include "live.h"
#include "top-watts.h"

#define TOP_ALL		"all"

struct top_row {
	int64_t vgpu_id;
	const char *uuid;
	const char *type;		/* NULL: unknown, as for vm */
	const char *vm;
	const char *gpu;		/* its address; NULL: unknown */
	const char *engine;		/* TOP_ALL: the vGPU itself */
	int64_t interval_ns;
	int64_t time_ns;		/* ns since 1970; for lines, set by the caller */
	int64_t errors;			/* this and the next four: unknown for engines */
	const char *failsafe;
	int64_t weight;
	int64_t queued;
	int64_t left_ns;
	double exec_percent;
	double done_per_second;
	double wait_mean_ns;
	double wait_percent;		/* of wait and execution; NAN: unknown, or nothing ended; unknown for engines */
	int64_t failed;
	int64_t cancelled;
	double watts;			/* NAN: unknown, as for engines */
	struct live_row live;
};

enum top_sort {
	TOP_BY_VGPU,
	TOP_BY_EXEC,
	TOP_BY_WAIT,
	TOP_BY_DONE,
	TOP_BY_QUEUE,			/* this and the next one: only with tracing */
	TOP_BY_LATENCY,
	TOP_SORTS
};

struct top_view {
	enum top_sort sort;		/* of vGPUs; engines follow their vGPU */
	bool no_engines;
	bool no_idle;			/* omit idle vGPUs and engines */
	char *const *vgpus;		/* a --vgpu list; NULL: all */
	const char *vm;			/* only VMs whose name contains this; NULL: all */
	char *const *engines;		/* an --engine list; NULL: all, and the vGPUs themselves */
	bool headings;			/* show the vGPUs themselves in any case */
	const struct live *live;	/* NULL: no tracing */
	const struct top_watts *watts;	/* NULL: no energy counter */
};

/**
 * top_rows - rows from two samples of the counters
 * @old: NULL for the first sample
 *
 * Returns an array of struct top_row, whose texts live as long as @now.
 */
GArray *top_rows(const GPtrArray *old, const GPtrArray *now, const struct top_view *view);

/**
 * top_sort_name - title of the column by which rows are sorted
 */
const char *top_sort_name(enum top_sort sort);

/**
 * top_sort_parse - parse the key of a column; false: rows cannot be sorted by this column
 */
bool top_sort_parse(const char *key, enum top_sort *sort);

/**
 * top_json - the rows as one object; uses only lists and tracing of the view
 * @columns: chosen columns of vGPUs and engines, see top_columns; NULL: all
 * @wall_ns: ns since 1970
 */
json_t *top_json(const GPtrArray *old, const GPtrArray *now, const struct top_view *view,
		 char *const *columns, int64_t wall_ns);

/* columns of struct top_row, for lines for programs */
extern const struct column top_columns[];

#endif
