/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for people: a struct's members in the units people read.
 */
#ifndef GVT_STAT_TABLE_H
#define GVT_STAT_TABLE_H

#include <stddef.h>
#include <stdio.h>

/* what the member is, and how it is shown; unknown ones are "-" */
enum table_format {
	TABLE_TEXT,			/* const char * */
	TABLE_INTEGER,			/* int64_t */
	TABLE_MS,			/* int64_t in ns, shown in ms */
	TABLE_SECONDS,			/* int64_t in ns, shown in s as trace-cmd does */
	TABLE_KIB,			/* int64_t in bytes, shown in KiB */
	TABLE_MIB,			/* int64_t in bytes, shown in MiB */
	TABLE_REAL,			/* double */
	TABLE_REAL_MS,			/* double in ns, shown in ms */
	TABLE_FLAG,			/* bool, shown as 0 or 1 */
};

struct table_column {
	const char *title;		/* with the unit; NULL ends a list */
	enum table_format format;
	size_t offset;
};

struct table;

struct table *table_new(const struct table_column *columns);

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
