/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns: a struct's members under the names that JSON and CSV give them, so
 * that every form of output is one loop over one table.
 */
#ifndef GVT_STAT_COLUMN_H
#define GVT_STAT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <glib.h>
#include <jansson.h>

enum column_type {
	COLUMN_INTEGER,			/* int64_t; UNKNOWN */
	COLUMN_TIME,			/* the same, in ns; for people, seconds */
	COLUMN_DURATION,		/* the same, in ns; for people, milliseconds */
	COLUMN_REAL,			/* double; NAN */
	COLUMN_TEXT,			/* const char *; NULL */
	COLUMN_FLAG,			/* bool */
};

struct column {
	const char *key;		/* with its unit; NULL ends a table */
	enum column_type type;
	size_t offset;
};

/**
 * columns_to_json - one object with a member per column, null for unknown
 *
 * Returns a new reference.
 */
json_t *columns_to_json(const struct column *columns, const void *record);

/**
 * columns_join - append columns to an array of them
 * @offset: of the record that they are of in the whole record
 */
void columns_join(GArray *array, const struct column *columns, size_t offset);

/**
 * columns_clear - make all members of a record unknown
 */
void columns_clear(const struct column *columns, void *record);

/**
 * columns_find - the column with this key, NULL if there is none
 */
const struct column *columns_find(const struct column *columns, const char *key);

/**
 * columns_choose - those columns that are wanted and are there, in the order of @wanted
 *
 * Returns NULL if @wanted is NULL; the caller frees with g_free().
 */
struct column *columns_choose(const struct column *columns, char *const *wanted);

/**
 * column_unit - "ns", "%", "bytes", "text", "0 or 1" or "", by type and name
 */
const char *column_unit(const struct column *column);

/**
 * csv_header, csv_record - write columns as RFC 4180 fields
 * @first: of the line, so without a comma before it; false afterwards
 */
void csv_header(FILE *out, const struct column *columns, bool *first);
void csv_record(FILE *out, const struct column *columns, const void *record, bool *first);
void csv_end_line(FILE *out);

/**
 * csv_text - write one field, quoted if it must be
 */
void csv_text(FILE *out, const char *text, bool *first);

#endif
