/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by a column and limiting the number of lines: -s and -n. The largest value comes first,
 * texts are sorted alphabetically, unknown values come last; the sort is stable.
 */
#ifndef GVT_STAT_ORDER_H
#define GVT_STAT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "column.h"

/* applies to all tables and lists of the program */
struct order {
	const char *column;		/* its key; NULL: unsorted */
	int64_t limit;			/* 0: all */
};

extern struct order order;

/**
 * order_column - the column by which a table is sorted; NULL: the table lacks the column
 */
const struct column *order_column(const struct column *columns);

/**
 * order_check - end the program with a usage error if no table has the column
 * @tables: ends with NULL
 */
void order_check(const struct column *const *tables);

/* the sort key of a line */
struct order_key {
	double number;			/* NAN: none */
	char *text;			/* NULL: none; owned */
};

void order_key_clear(struct order_key *key);

/* largest first, texts alphabetically, unknown last */
int order_compare(const struct order_key *a, const struct order_key *b);

/**
 * order_key_of - the sort key of a record; order_key_clear() frees
 */
struct order_key order_key_of(const struct column *column, const void *record);

/* lines of text, of which at most @order.limit are kept */
struct ordered;

/**
 * ordered_new - begin to sort; NULL if lines can be printed immediately
 */
struct ordered *ordered_new(const struct column *columns);

/**
 * ordered_add - add a line; takes @text, which is freed with free()
 */
void ordered_add(struct ordered *ordered, const void *record, char *text);

/**
 * ordered_print - print all lines in order, with @separator between them, and free
 */
void ordered_print(struct ordered *ordered, const char *separator, FILE *out);

/* --- sorted runs in temporary files, merged while they are read, for lines that exceed memory --- */

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
