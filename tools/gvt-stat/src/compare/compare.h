/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of 'compare': metrics of two traces side by side, and conditions on them.
 */
#ifndef GVT_STAT_COMPARE_H
#define GVT_STAT_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include <argp.h>
#include <glib.h>
#include <jansson.h>

#include "output/column.h"
#include "output/form.h"
#include "trace/engine.h"
#include "trace/quantities.h"
#include "condition.h"
#include "sample.h"

#define COMPARE_LABEL_LEN	64

/* how to compute a metric from the blocks */
struct compare_metric {
	const char *name;		/* in JSON and CSV, with its unit */
	const char *title;		/* in tables, with its unit */
	enum quantity quantity;		/* required in the traces */
	size_t y, x;			/* offsets in a struct sample_block; x: or PER_TIME */
	double scale;			/* of JSON's unit */
	double shown;			/* factor from JSON's unit to the table's */
	double quantile;		/* of latencies; 0: sum(y) / sum(x) */
	const char *key;		/* for --fail-if */
	size_t n;			/* offset of the number of workloads in a block */
	enum condition_unit unit;
	bool energy;			/* only if both traces have energy */
};

/* one metric of one engine of a vGPU in both traces; NAN: unknown */
struct compare_line {
	const struct compare_metric *metric;
	int64_t dev;
	bool several_gpus;		/* in the traces */
	int64_t vgpu_id;		/* UNKNOWN: all vGPUs */
	const char *uuid;
	const char *vm;
	const char *engine;
	const char *name;
	double a, b, difference, low, high, change_percent;
	int64_t n_a, n_b;		/* number of workloads */
	const char *verdict;		/* higher, lower, same, unclear; NULL: unknown */
};

/* a setting that differs at the ends of the traces */
struct compare_setting {
	int64_t dev;
	const char *setting;
	char *a, *b;			/* NULL: not recorded */
};

/* by default, a difference of less than this part of A counts as the same */
#define COMPARE_MARGIN_PERCENT	5

/* two traces side by side */
struct compare {
	const struct form *form;
	int64_t block_ns;		/* the longer one of the two */
	double margin_percent;
	struct sample *samples[2];
	GArray *lines;			/* of struct compare_line */
	GArray *settings;		/* of struct compare_setting */
};

/* --- compare-lines.c --- */

/* ends with a row without name */
extern const struct compare_metric compare_metrics[];

/**
 * compare_read - read two traces, and create lines and settings from their samples
 * @comparison: form and margin are set; compare_free() frees the rest
 * @block_ns: length of the blocks, which are assumed to be independent; 0: one second, or a tenth
 *            of a trace shorter than 10 s
 */
void compare_read(struct compare *comparison, const struct selection *selection,
		  const char *const paths[2], int64_t block_ns);
void compare_free(struct compare *comparison);

/**
 * compare_label - the vGPU of a line as in tables: "1", "0/1 (vm)" or "all"
 *
 * Returns @label.
 */
const char *compare_label(const struct compare_line *line, char label[COMPARE_LABEL_LEN]);

/* --- compare-demands.c --- */

/**
 * compare_demand - add a condition of --fail-if; an invalid condition ends the program
 * @arg: must live as long as the program
 */
void compare_demand(const char *arg, struct argp_state *state);

/**
 * compare_demands_json - the result of each condition, and the lines on which it holds
 */
json_t *compare_demands_json(const GArray *lines);

/**
 * compare_demands_print - compare_demands_json() for people, a line for each
 */
void compare_demands_print(const GArray *lines);

/**
 * compare_demands_worst - the worst result of all conditions over all lines
 */
enum condition_result compare_demands_worst(const GArray *lines);

/* --- compare-show.c --- */

/* columns of a line: "vgpu_id", "metric", "a", "b" and others */
extern const struct column compare_columns[];

/**
 * compare_print - print in the requested form
 */
void compare_print(const struct compare *comparison);

/**
 * compare_document - the document of --json
 * @chosen: columns of a line
 */
json_t *compare_document(const struct compare *comparison, const struct column *chosen);

#endif
