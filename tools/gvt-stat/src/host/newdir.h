/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of files that is there only when all of it is: written under another name
 * beside it, and renamed.
 */
#ifndef GVT_STAT_NEWDIR_H
#define GVT_STAT_NEWDIR_H

/* a directory that is being written; one at a time */
struct newdir {
	char *inside;			/* is there, to be filled; must have files only */
	char *path;
	char *outside;			/* holds @inside until that is whole */
};

/**
 * newdir_open - begin a directory
 * @mark: what a directory must have to be taken for an older one, which is replaced
 *
 * Returns 0, or an errno: ENOTEMPTY if there is something that is no older one. Until
 * newdir_close(), the end of the program removes what was written.
 */
int newdir_open(struct newdir *dir, const char *path, const char *mark);

/**
 * newdir_close - all was written: give it its name
 *
 * Returns 0, or the errno of what could not be done; then nothing of it is left.
 */
int newdir_close(struct newdir *dir);

#endif
