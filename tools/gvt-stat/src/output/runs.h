/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted lines that are too many for memory: each run of them is in a temporary file, and
 * they are merged as they are read.
 */
#ifndef GVT_STAT_RUNS_H
#define GVT_STAT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "order.h"

/* a line of text, and where it belongs */
struct sorted_line {
	struct order_key key;
	uint64_t nr;			/* which it was of all lines */
	char *text;			/* for free() */
};

/**
 * sorted_line_compare - by key, and if these are equal by number
 */
int sorted_line_compare(const struct sorted_line *a, const struct sorted_line *b);

/**
 * sorted_line_clear - free key and text
 */
void sorted_line_clear(struct sorted_line *line);

struct runs;

/**
 * runs_new - none yet; runs_free() frees, and removes the files
 */
struct runs *runs_new(void);
void runs_free(struct runs *runs);

/**
 * runs_add - write a run; ends the program if there is no room for it
 * @lines: struct sorted_line, in their order
 */
void runs_add(struct runs *runs, const GArray *lines);

/**
 * runs_next - take the first line of all runs
 * @line: filled, and the caller's from now on
 *
 * Returns false if none is left. No run is added after the first call.
 */
bool runs_next(struct runs *runs, struct sorted_line *line);

#endif
