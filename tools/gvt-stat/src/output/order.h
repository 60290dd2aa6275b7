/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by a column and limiting the number of lines: -s and -n. The largest value comes first,
 * texts are sorted alphabetically, unknown values come last; the sort is stable.
 */
#ifndef GVT_STAT_ORDER_H
#define GVT_STAT_ORDER_H

#include <stdint.h>

#include "column.h"
#include "runs.h"

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

#endif
