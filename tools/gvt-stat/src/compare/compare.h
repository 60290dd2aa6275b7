/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of 'compare' share: metrics of two traces side by side, and conditions on them.
 */
#ifndef GVT_STAT_COMPARE_H
#define GVT_STAT_COMPARE_H

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

/* how a metric is made of the blocks */
struct compare_metric {
	const char *name;		/* in JSON and CSV, with its unit */
	const char *title;		/* in tables, with its unit */
	enum quantity quantity;		/* that must be known */
	size_t y, x;			/* sums in a struct sample_block; x: or PER_TIME */
	double scale;			/* of JSON's unit */
	double shown;			/* factor from JSON's unit to the table's */
	double quantile;		/* of latencies; 0: sum(y) / sum(x) */
	const char *key;		/* for --fail-if */
	size_t n;			/* how many workloads it is made of, in a block */
	enum condition_unit unit;
};

/* one metric of one engine of a vGPU in both traces; NAN: unknown */
struct compare_line {
	const struct compare_metric *metric;
	int64_t dev;
	bool several_gpus;		/* in the traces */
	int64_t vgpu_id;		/* UNKNOWN: all */
	const char *uuid;
	const char *vm;
	char engine_text[ENGINE_NAME_LEN];
	const char *engine;		/* points to @engine_text, see point_engines() */
	const char *name;
	double a, b, difference, low, high, change_percent;
	int64_t n_a, n_b;		/* workloads that it is made of */
	const char *verdict;		/* higher, lower, same, unclear; NULL: unknown */
};

/* a setting that differs, as it was at the ends of the traces */
struct compare_setting {
	int64_t dev;
	const char *setting;
	char *a, *b;			/* NULL: not told */
};

/* by default, what differs by less than this part of A is the same for all practical purposes */
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
 * compare_read - read two traces, and make the lines and settings of their samples
 * @comparison: with form and margin; compare_free() frees the rest
 * @block_ns: length of the blocks that are assumed to be independent; 0: a second, or a tenth of
 *            what is shorter than ten
 */
void compare_read(struct compare *comparison, const struct selection *selection,
		  const char *const paths[2], int64_t block_ns);
void compare_free(struct compare *comparison);

/* --- compare-demands.c --- */

/**
 * compare_demand - one more condition, of --fail-if; one that is wrong ends the program
 * @arg: must live as long as the program
 */
void compare_demand(const char *arg, struct argp_state *state);

/**
 * compare_demands_json - which hold, and where
 */
json_t *compare_demands_json(const GArray *lines);

/**
 * compare_demands_print - the same for people, a line for each
 */
void compare_demands_print(const GArray *lines);

/**
 * compare_demands_worst - what the worst of them is, with all of the lines
 */
enum condition_result compare_demands_worst(const GArray *lines);

/* --- compare-show.c --- */

/* of a line: "vgpu_id", "metric", "a", "b" and others */
extern const struct column compare_columns[];

/**
 * compare_print - in the form that was asked for
 */
void compare_print(const struct compare *comparison);

/**
 * compare_label - the vGPU of a line as in tables: "1", "0/1 (vm)" or "all"
 *
 * Returns @label.
 */
const char *compare_label(const struct compare_line *line, char label[COMPARE_LABEL_LEN]);

/**
 * compare_document - what --json prints
 * @chosen: columns of a line
 */
json_t *compare_document(const struct compare *comparison, const struct column *chosen);

#endif
