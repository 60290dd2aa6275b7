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
 * csv_header, csv_record - write columns as RFC 4180 fields
 * @first: of the line, so without a comma before it; false afterwards
 * @record: NULL for fields that do not apply: empty like unknown ones
 */
void csv_header(FILE *out, const struct column *columns, bool *first);
void csv_record(FILE *out, const struct column *columns, const void *record, bool *first);
void csv_end_line(FILE *out);

/**
 * csv_text - write one field, quoted if it must be
 */
void csv_text(FILE *out, const char *text, bool *first);

#endif
