/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requested form of a command's output, and the choice of columns.
 */
#ifndef GVT_STAT_FORM_H
#define GVT_STAT_FORM_H

#include "column.h"

enum output_format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_CSV,
};

struct form {
	const char *command;		/* its name */
	enum output_format format;
	char **columns;			/* --columns; NULL: all */
};

/**
 * form_columns - the requested columns of a table, in the requested order
 *
 * Returns all columns without --columns. The result lives as long as the program.
 */
const struct column *form_columns(const struct form *form, const struct column *columns);

/**
 * form_check_columns - end the program with a usage error if no table has a requested column
 * @wanted: keys; NULL: none requested
 * @tables: ends with NULL
 */
void form_check_columns(char *const *wanted, const struct column *const *tables);

/* functions that print a result to stdout, one for each form */
struct printers {
	void (*lines)(const void *result);	/* columns, see sheet.h */
	void (*json)(const void *result);
	void (*tables)(const void *result);	/* for people */
};

/**
 * form_is_tables - is it the default form, for people?
 */
bool form_is_tables(const struct form *form);

/**
 * form_print - print a result in the requested form
 */
void form_print(const struct form *form, const struct printers *printers, const void *result);

#endif
