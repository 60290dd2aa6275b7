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
 * table_new - create a table of all columns with a title, in units for people
 * @columns: must outlive the table
 *
 * table_print() frees.
 */
struct table *table_new(const struct column *columns);

/**
 * table_new_keys - create a table with the names and units of CSV, of all columns with a key
 */
struct table *table_new_keys(const struct column *columns);

/**
 * table_line - add a line; a record_fn
 * @table: struct table
 * @record: not used after the call
 */
void table_line(void *table, const void *record);

/**
 * table_live - print on a screen of @width columns that is drawn anew again and again
 *
 * No note follows the lines. Long texts become shorter, and spare columns, of table_new_keys() any, are
 * left out from the right, so that no number is cut.
 */
void table_live(struct table *table, int width);

/**
 * table_print - print a heading and the table, and free; the heading is bold on terminals
 * @heading: NULL for none
 */
void table_print(struct table *table, const char *heading, FILE *out);

#endif
