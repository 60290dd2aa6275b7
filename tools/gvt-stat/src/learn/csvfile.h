/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files of comma-separated values from users or programs: a line of names, then one line for
 * each record. An error ends the program with a message that names file, line and field.
 */
#ifndef GVT_STAT_CSVFILE_H
#define GVT_STAT_CSVFILE_H

#include <stdbool.h>

#include "host/textfile.h"

struct csvfile {
	struct textfile text;
	char **names;			/* from the first line */
	unsigned int count;		/* of @names */
	char **fields;			/* of the last line read */
};

/**
 * csvfile_open - open a file and read its names
 * @needed: required names, ended by NULL
 *
 * Skips lines that begin with '#' and empty ones everywhere. Strips blanks around fields; refuses
 * quoted fields. csvfile_close() frees.
 */
void csvfile_open(struct csvfile *file, const char *path, const char *const *needed);

/**
 * csvfile_next - read the next line into @fields
 *
 * Returns false at the end.
 */
bool csvfile_next(struct csvfile *file);
void csvfile_close(struct csvfile *file);

/**
 * csvfile_text - the non-empty field with this name in the last line read
 */
const char *csvfile_text(const struct csvfile *file, const char *name);

/**
 * csvfile_number - a field of the last line read, as a number; NAN if it is empty
 * @nr: of the field
 */
double csvfile_number(const struct csvfile *file, unsigned int nr);

/**
 * csvfile_find - index of the field with this name; @count if there is none
 */
unsigned int csvfile_find(const struct csvfile *file, const char *name);

/**
 * csvfile_wrong - end the program because of a field in the last line read
 * @name: of the field
 * @problem: the error, and the correct form
 */
_Noreturn void csvfile_wrong(const struct csvfile *file, const char *name, const char *problem);

#endif
