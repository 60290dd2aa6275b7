/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for people.
 */
#ifndef GVT_STAT_TABLE_H
#define GVT_STAT_TABLE_H

#include <stdio.h>

#include "column.h"

struct table;

/**
 * table_new - a table of the columns that have a title, in the units people read
 * @columns: must outlive the table
 *
 * table_print() frees.
 */
struct table *table_new(const struct column *columns);

/**
 * table_new_keys - the same with the names and units of CSV, of the columns that have one
 */
struct table *table_new_keys(const struct column *columns);

/**
 * table_line - add a line
 * @record: read at once, need not live longer
 */
void table_line(struct table *table, const void *record);

/**
 * table_print - print below a heading, bold on terminals, and free
 * @heading: NULL for none
 */
void table_print(struct table *table, const char *heading, FILE *out);

#endif
