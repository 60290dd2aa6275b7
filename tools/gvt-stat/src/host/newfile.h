/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is there only when all of it is: written under another name beside it, and
 * renamed.
 */
#ifndef GVT_STAT_NEWFILE_H
#define GVT_STAT_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

/* a file that is being written; one at a time */
struct newfile {
	FILE *stream;
	char *path;
	char *name;			/* while it is written; NULL: written in place */
};

/**
 * newfile_replaces - is what would be at @path now the same file as @input, by whatever name?
 */
bool newfile_replaces(const char *path, const char *input);

/**
 * newfile_open - begin a file; "-" is the standard output
 *
 * What is there and is no ordinary file, such as a pipe, is written in place. Returns 0, or
 * an errno. Until newfile_close(), the end of the program removes what was written.
 */
int newfile_open(struct newfile *file, const char *path);

/**
 * newfile_close - all was written: give it its name
 *
 * Returns 0, or the errno of what could not be written; then nothing of it is left.
 */
int newfile_close(struct newfile *file);

/**
 * newfile_discard - leave nothing of it
 */
void newfile_discard(struct newfile *file);

#endif
