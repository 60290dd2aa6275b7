/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of comma-separated values that people or programs wrote: a line of names, then one
 * line for each record. What is wrong in one ends the program with a line that names file,
 * line and field.
 */
#ifndef GVT_STAT_CSVFILE_H
#define GVT_STAT_CSVFILE_H

#include <stdbool.h>

#include "host/textfile.h"

struct csvfile {
	struct textfile text;
	char **names;			/* what the first line says */
	unsigned int count;		/* of them */
	char **fields;			/* of the line that was read last */
};

/**
 * csvfile_open - open a file and read its names
 * @needed: names that must be there, ended by NULL
 *
 * Lines that begin with '#' and empty ones are left out everywhere. Blanks around fields
 * are no part of them; quoted fields are refused. csvfile_close() frees.
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
 * csvfile_text - the field of this name in the line that was read last, not empty
 */
const char *csvfile_text(const struct csvfile *file, const char *name);

/**
 * csvfile_number - the same as a number; NAN if the field is empty
 * @nr: of the field
 */
double csvfile_number(const struct csvfile *file, unsigned int nr);

/**
 * csvfile_find - which field has this name; @count if there is none
 */
unsigned int csvfile_find(const struct csvfile *file, const char *name);

/**
 * csvfile_wrong - end the program: a field of the line that was read last is wrong
 * @name: of the field
 * @problem: what is wrong, and what would be right
 */
_Noreturn void csvfile_wrong(const struct csvfile *file, const char *name, const char *problem);

#endif
