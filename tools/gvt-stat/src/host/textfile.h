/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a text file that people or programs wrote. Whatever the file is, a line has a bound,
 * and what is no text ends the program with a message that names file and line.
 */
#ifndef GVT_STAT_TEXTFILE_H
#define GVT_STAT_TEXTFILE_H

#include <stdbool.h>
#include <stdio.h>

/* characters of a line */
#define TEXTFILE_LONGEST	16384

struct textfile {
	const char *path;
	FILE *stream;
	unsigned int line;		/* that was read last, from 1 on */
	char text[TEXTFILE_LONGEST + 1];	/* of it, without blanks at both ends */
};

/**
 * textfile_open - begin to read, or end the program
 * @path: has to live as long
 */
void textfile_open(struct textfile *file, const char *path);

/**
 * textfile_next - read the next line that is neither empty nor a comment, which begins with '#'
 *
 * Returns false at the end.
 */
bool textfile_next(struct textfile *file);
void textfile_close(struct textfile *file);

/**
 * textfile_wrong - end the program: "PATH:LINE: WHAT: PROBLEM"
 * @what: a field, as it is written; NULL: the line as a whole
 * @problem: what is wrong, and what would be right
 */
_Noreturn void textfile_wrong(const struct textfile *file, const char *what, const char *problem);

#endif
