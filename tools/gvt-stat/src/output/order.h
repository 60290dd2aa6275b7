/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines in the order of one of their columns, and no more of them than are asked for:
 * -s and -n. Largest first, texts by alphabet, what is unknown last; lines that are equal
 * stay in the order in which they came.
 */
#ifndef GVT_STAT_ORDER_H
#define GVT_STAT_ORDER_H

#include <stdint.h>

#include "column.h"

/* of all tables and lists that the program prints */
struct order {
	const char *column;		/* its key; NULL: as they come */
	int64_t limit;			/* 0: all */
};

extern struct order order;

/**
 * order_column - the column by which a table is sorted; NULL: none of its
 */
const struct column *order_column(const struct column *columns);

/**
 * order_check - end the program with a usage error if no table has the column
 * @tables: ends with NULL
 */
void order_check(const struct column *const *tables);

/* what a line is sorted by */
struct order_key {
	double number;			/* NAN: it has none */
	char *text;			/* NULL: it has none; owned */
};

/**
 * order_key_of - read it; order_key_clear() frees
 */
struct order_key order_key_of(const struct column *column, const void *record);
void order_key_clear(struct order_key *key);
int order_compare(const struct order_key *a, const struct order_key *b);

/* lines of text, of which only the first @order.limit are kept */
struct ordered;

/**
 * ordered_new - NULL if lines can be printed as they come
 */
struct ordered *ordered_new(const struct column *columns);

/**
 * ordered_add - @text belongs to it from now on, freed by free()
 */
void ordered_add(struct ordered *ordered, const void *record, char *text);

/**
 * ordered_print - print all lines in their order, with @separator between, and free
 */
void ordered_print(struct ordered *ordered, const char *separator, FILE *out);

#endif
