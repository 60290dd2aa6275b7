/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates a file atomically: it is written under another name beside its path, and renamed at the
 * end.
 */
#ifndef GVT_STAT_NEWFILE_H
#define GVT_STAT_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

/* a file in progress; one at a time */
struct newfile {
	FILE *stream;
	char *path;
	char *name;			/* temporary name; NULL: written in place */
};

/**
 * newfile_replaces - does @path refer to the same file as @input?
 */
bool newfile_replaces(const char *path, const char *input);

/**
 * newfile_open - begin a file; "-" is the standard output
 *
 * Special files, such as pipes, are written in place. Returns 0, or an errno. If the program ends
 * before newfile_close(), the file is removed.
 */
int newfile_open(struct newfile *file, const char *path);

/**
 * newfile_move - choose another path on the same file system for newfile_close()
 */
void newfile_move(struct newfile *file, const char *path);

/**
 * newfile_close - move the complete file to its path
 *
 * Returns 0, or the errno of a write error; on errors nothing is left.
 */
int newfile_close(struct newfile *file);

/**
 * newfile_discard - remove the incomplete file
 */
void newfile_discard(struct newfile *file);

#endif
