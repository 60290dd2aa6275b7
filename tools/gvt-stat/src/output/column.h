/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns: a struct's members under the names that JSON and CSV give them, so
 * that every form of output is one loop over one table.
 */
#ifndef GVT_STAT_COLUMN_H
#define GVT_STAT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <glib.h>
#include <jansson.h>

enum column_type {
	COLUMN_INTEGER,			/* int64_t; UNKNOWN */
	COLUMN_REAL,			/* double; NAN */
	COLUMN_BOUNDS,			/* two double, the least and the most: for programs NAN if they differ */
	COLUMN_TEXT,			/* const char *; NULL */
	COLUMN_FLAG,			/* bool */
};

/* in what people see a number that is in ns or bytes */
enum column_unit {
	UNIT_PLAIN,			/* as it is */
	UNIT_MS,
	UNIT_S,				/* with as many digits as trace-cmd prints */
	UNIT_KIB,
	UNIT_MIB,
};

/*
 * One column in all forms of output. JSON, CSV and lists have those with a key,
 * tables for people those with a title; one without both ends the columns.
 */
struct column {
	const char *key;		/* with the unit of the member; NULL: only for people */
	enum column_type type;
	size_t offset;			/* of the member */
	const char *title;		/* with @unit; NULL: not in tables */
	enum column_unit unit;
	int table;			/* in which one, of a record that has several; from 1 on */
	int place;			/* in that table, which no other column of it has */
	bool spare;			/* tables leave it out where there is no room */
};

/* the longest is a line of BAR_WIDTH blocks, see bar.h */
#define COLUMN_TEXT_LEN	256

/**
 * column_text - write what people see of a member, "-" for unknown
 * @text: buffer of COLUMN_TEXT_LEN bytes
 * @unit: of @column, or UNIT_PLAIN
 *
 * Returns @text.
 */
const char *column_text(char *text, const struct column *column, enum column_unit unit,
			const void *record);

/**
 * column_is_last - is this no column, but the end of them?
 */
static inline bool column_is_last(const struct column *column)
{
	return !column->key && !column->title;
}

/**
 * json_text, json_number, json_decimal - a value, or null for NULL, UNKNOWN and what is not finite
 *
 * A text that JSON cannot hold is null, too. Returns a new reference.
 */
json_t *json_text(const char *text);
json_t *json_number(int64_t number);
json_t *json_decimal(double number);

/**
 * columns_to_json - one object with a member per column, null for unknown
 *
 * Returns a new reference.
 */
json_t *columns_to_json(const struct column *columns, const void *record);

/* what goes through all records of a command calls one of these with each */
typedef void (*record_fn)(void *to, const void *record);

/* records as an array of JSON */
struct json_lines {
	const struct column *columns;
	json_t *lines;
};

/**
 * json_lines_add - append a record as one object; a record_fn
 * @to: struct json_lines
 */
void json_lines_add(void *to, const void *record);

/**
 * columns_join - append columns to an array of them
 * @offset: of the record that they are of in the whole record
 */
void columns_join(GArray *array, const struct column *columns, size_t offset);

/**
 * columns_of_table - the same with those that one of the record's tables shows, by @place
 */
void columns_of_table(GArray *array, const struct column *columns, int table, size_t offset);

/**
 * columns_clear - make all members of a record unknown
 */
void columns_clear(const struct column *columns, void *record);

/**
 * columns_find - the column with this key or, as tables have it, title; NULL if there is none
 */
const struct column *columns_find(const struct column *columns, const char *key);

/**
 * columns_title - show the column with this key in tables under a title, or with NULL not
 *
 * The columns are the caller's own, and not const.
 */
void columns_title(struct column *columns, const char *key, const char *title);

/**
 * columns_choose - those columns that are wanted and are there, in the order of @wanted
 *
 * Returns NULL if @wanted is NULL; the caller frees with g_free().
 */
struct column *columns_choose(const struct column *columns, char *const *wanted);

/**
 * columns_list - a line for each column: its key, unit and title
 */
void columns_list(const struct column *columns, FILE *out);

/**
 * csv_header, csv_record - write columns as fields like RFC 4180's
 * @first: of the line, so without a comma before it; false afterwards
 */
void csv_header(FILE *out, const struct column *columns, bool *first);
void csv_record(FILE *out, const struct column *columns, const void *record, bool *first);
void csv_end_line(FILE *out);

/**
 * csv_line - write a record as a line of its own
 */
void csv_line(FILE *out, const struct column *columns, const void *record);

/**
 * csv_text_line - the same as a text, which the caller frees by free()
 */
char *csv_text_line(const struct column *columns, const void *record);

/**
 * csv_needs_quotes - must a field with this text be quoted?
 */
bool csv_needs_quotes(const char *text);

/**
 * csv_text - write one field, quoted if it must be
 */
void csv_text(FILE *out, const char *text, bool *first);

#endif
