/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates a directory of files atomically: the files are written under another name beside it, and
 * renamed at the end.
 */
#ifndef GVT_STAT_NEWDIR_H
#define GVT_STAT_NEWDIR_H

/* a directory in progress; one at a time */
struct newdir {
	char *inside;			/* exists, to be filled; may contain only files */
	char *path;
	char *outside;			/* temporary parent of @inside */
};

/**
 * newdir_open - begin a directory
 * @mark: file by which an older version is recognized; an older version is replaced
 *
 * Returns 0, or an errno: ENOTEMPTY if @path exists and is no older version. If the program ends
 * before newdir_close(), the files are removed.
 */
int newdir_open(struct newdir *dir, const char *path, const char *mark);

/**
 * newdir_close - move the complete directory to its path
 *
 * Returns 0, or an errno; on errors nothing is left.
 */
int newdir_close(struct newdir *dir);

#endif
