/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the lines of a text file from users or programs. The length of a line is limited, and any
 * other content ends the program with a message that names file and line.
 */
#ifndef GVT_STAT_TEXTFILE_H
#define GVT_STAT_TEXTFILE_H

#include <stdbool.h>
#include <stdio.h>

/* maximum number of characters in a line */
#define TEXTFILE_LONGEST	16384

struct textfile {
	const char *path;
	FILE *stream;
	unsigned int line;		/* number of the last line read, from 1 */
	char text[TEXTFILE_LONGEST + 1];	/* without blanks at both ends */
};

/**
 * textfile_open - open a file, or end the program
 * @path: must outlive @file
 */
void textfile_open(struct textfile *file, const char *path);

/**
 * textfile_next - read the next line that is neither empty nor a comment ('#')
 *
 * Returns false at the end.
 */
bool textfile_next(struct textfile *file);
void textfile_close(struct textfile *file);

/**
 * textfile_wrong - end the program: "PATH:LINE: WHAT: PROBLEM"
 * @what: a field, as written in the file; NULL: the whole line
 * @problem: the error, and the correct form
 */
_Noreturn void textfile_wrong(const struct textfile *file, const char *what, const char *problem);

#endif
