/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form in which a command's result is asked for, and its choice of columns.
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
	const char *command;		/* whose result it is */
	enum output_format format;
	char **columns;			/* --columns; NULL: all */
};

/**
 * form_columns - those of a table's columns that are asked for, in that order
 *
 * Returns all without --columns. What it returns lives as long as the program.
 */
const struct column *form_columns(const struct form *form, const struct column *columns);

/**
 * form_check_columns - end the program with a usage error if a column is asked for that is in no table
 * @wanted: keys; NULL: none are
 * @tables: ends with NULL
 */
void form_check_columns(char *const *wanted, const struct column *const *tables);

/* how to print a result in each form, all to stdout */
struct printers {
	void (*lines)(const void *result);	/* of columns, see sheet.h */
	void (*json)(const void *result);
	void (*tables)(const void *result);	/* for people */
};

/**
 * form_is_tables - is it what people get by default?
 */
bool form_is_tables(const struct form *form);

/**
 * form_print - print a result in the form that is asked for
 */
void form_print(const struct form *form, const struct printers *printers, const void *result);

#endif
