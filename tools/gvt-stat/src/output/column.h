/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns: a struct's members with their names in JSON and CSV. Every form of output is one loop
 * over a table of columns.
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
	COLUMN_INTEGER,			/* int64_t; may be UNKNOWN */
	COLUMN_REAL,			/* double; may be NAN */
	COLUMN_BOUNDS,			/* double min, max; programs get NAN unless equal */
	COLUMN_TEXT,			/* const char *; may be NULL */
	COLUMN_FLAG,			/* bool */
};

/* unit in which tables show a number that is in ns or bytes */
enum column_unit {
	UNIT_PLAIN,			/* unchanged */
	UNIT_MS,
	UNIT_S,				/* with the precision of trace-cmd */
	UNIT_KIB,
	UNIT_MIB,
	UNIT_MILLI,			/* of reals: in thousandths of the unit, in millionths */
	UNIT_MICRO,
};

/*
 * One column in all forms of output. JSON, CSV and lists show columns with a key; tables show
 * columns with a title; a column with neither ends an array.
 */
struct column {
	const char *key;		/* with the member's unit; NULL: only in tables */
	enum column_type type;
	size_t offset;			/* of the member */
	const char *title;		/* with @unit; NULL: not in tables */
	enum column_unit unit;
	int table;			/* number of the table, from 1, if a record has several */
	int place;			/* unique position in that table */
	bool spare;			/* tables may drop it on narrow screens */
};

/* the longest text is a line of BAR_WIDTH blocks, see bar.h */
#define COLUMN_TEXT_LEN	256

/**
 * column_text - format a member for people, "-" for unknown
 * @text: buffer of COLUMN_TEXT_LEN bytes
 * @unit: of @column, or UNIT_PLAIN
 *
 * Returns @text.
 */
const char *column_text(char *text, const struct column *column, enum column_unit unit,
			const void *record);

/**
 * column_is_last - does this entry end an array of columns?
 */
static inline bool column_is_last(const struct column *column)
{
	return !column->key && !column->title;
}

/**
 * json_text, json_number, json_decimal - a value; null for NULL, UNKNOWN and non-finite numbers
 *
 * A text that JSON cannot represent gives null, too. Returns a new reference.
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

/* called with each record of a command's output */
typedef void (*record_fn)(void *to, const void *record);

/* collects records in a JSON array */
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
 * columns_join - append columns to an array
 * @offset: offset of the columns' record in the enclosing record
 */
void columns_join(GArray *array, const struct column *columns, size_t offset);

/**
 * columns_of_table - as columns_join(), only columns of one table, sorted by @place
 */
void columns_of_table(GArray *array, const struct column *columns, int table, size_t offset);

/**
 * columns_clear - make all members of a record unknown
 */
void columns_clear(const struct column *columns, void *record);

/**
 * columns_find - the column with this key, or with this title; NULL: none
 */
const struct column *columns_find(const struct column *columns, const char *key);

/**
 * columns_title - set the table title of the column with this key; NULL hides the column
 *
 * @columns is a private, writable copy of the caller.
 */
void columns_title(struct column *columns, const char *key, const char *title);

/**
 * columns_choose - copy the columns named in @wanted, in that order, as far as they exist
 *
 * Returns NULL if @wanted is NULL; the caller frees with g_free().
 */
struct column *columns_choose(const struct column *columns, char *const *wanted);

/**
 * columns_list - print key, unit and title of each column, one per line
 */
void columns_list(const struct column *columns, FILE *out);

/**
 * csv_header, csv_line - write the names of the columns, or a record, as a line of RFC 4180 fields
 */
void csv_header(FILE *out, const struct column *columns);
void csv_line(FILE *out, const struct column *columns, const void *record);

/**
 * csv_needs_quotes - does RFC 4180 require quotes around this text?
 */
bool csv_needs_quotes(const char *text);

/**
 * csv_text - write one field, quoted if necessary
 */
void csv_text(FILE *out, const char *text);

#endif
