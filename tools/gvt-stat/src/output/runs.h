/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * External sort for lines that exceed memory: sorted runs in temporary files, merged while they are
 * read.
 */
#ifndef GVT_STAT_RUNS_H
#define GVT_STAT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* the sort key of a line */
struct order_key {
	double number;			/* NAN: none */
	char *text;			/* NULL: none; owned */
};

void order_key_clear(struct order_key *key);

/* largest first, texts alphabetically, unknown last */
int order_compare(const struct order_key *a, const struct order_key *b);

/* a line of text with its sort key */
struct sorted_line {
	struct order_key key;
	uint64_t nr;			/* its number among all lines */
	char *text;			/* for free() */
};

/**
 * sorted_line_compare - compare by key, then by number
 */
int sorted_line_compare(const struct sorted_line *a, const struct sorted_line *b);

/**
 * sorted_line_clear - free key and text
 */
void sorted_line_clear(struct sorted_line *line);

struct runs;

/**
 * runs_new - start without runs; runs_free() frees, and removes the files
 */
struct runs *runs_new(void);
void runs_free(struct runs *runs);

/**
 * runs_add - write a run; ends the program if the disk is full
 * @lines: sorted array of struct sorted_line
 */
void runs_add(struct runs *runs, const GArray *lines);

/**
 * runs_next - remove the first line of all runs
 * @line: filled; owned by the caller
 *
 * Returns false if no line is left. Add no run after the first call.
 */
bool runs_next(struct runs *runs, struct sorted_line *line);

#endif
