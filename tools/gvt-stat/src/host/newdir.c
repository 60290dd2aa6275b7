// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "newdir.h"
#include "unfinished.h"

static const struct newdir *unfinished;

static bool is_name(const struct dirent64 *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* avoids readdir(), which is not async-signal-safe */
static void remove_all(int dir)
{
	_Alignas(struct dirent64) char buffer[4096];
	ssize_t size;

	while ((size = getdents64(dir, buffer, sizeof(buffer))) > 0) {
		const struct dirent64 *entry;

		for (ssize_t at = 0; at < size; at += entry->d_reclen) {
			entry = (const void *)(buffer + at);
			if (is_name(entry))
				unlinkat(dir, entry->d_name, 0);
		}
	}
}

/* Removes only files: a directory with subdirectories stays as it is. */
static void remove_dir(void)
{
	int dir = open(unfinished->inside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir >= 0) {
		remove_all(dir);
		close(dir);
	}
	rmdir(unfinished->inside);
	rmdir(unfinished->outside);
}

/* is it an older version, which may be replaced? */
static bool is_ours(const char *path, const char *mark)
{
	char *file = g_build_filename(path, mark, NULL);
	bool ours = g_file_test(file, G_FILE_TEST_IS_REGULAR);

	g_free(file);
	return ours;
}

static bool is_empty(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	bool empty = dir && !g_dir_read_name(dir);

	if (dir)
		g_dir_close(dir);
	return empty;
}

static int check_place(const char *path, const char *mark)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISDIR(st.st_mode))
		return ENOTDIR;
	return is_ours(path, mark) || is_empty(path) ? 0 : ENOTEMPTY;
}

static void clear(struct newdir *dir)
{
	unfinished_end();
	g_free(dir->inside);
	g_free(dir->outside);
	g_free(dir->path);
}

/* creates the temporary parent directory, beside the final path */
static int make_outside(struct newdir *dir)
{
	int error;

	unfinished_begin();
	error = g_mkdtemp_full(dir->outside, 0700) ? 0 : errno;
	dir->inside = g_build_filename(dir->outside, "new", NULL);
	unfinished = dir;
	unfinished_begun(error ? NULL : remove_dir);
	return error;
}

static int begin(struct newdir *dir)
{
	int error = make_outside(dir);

	if (!error && g_mkdir(dir->inside, 0777))
		error = errno;
	if (error)
		unfinished_remove();
	return error;
}

int newdir_open(struct newdir *dir, const char *path, const char *mark)
{
	size_t len = strlen(path);
	int error;

	while (len > 1 && path[len - 1] == '/')
		len--;
	*dir = (struct newdir) { .path = g_strndup(path, len) };
	dir->outside = g_strdup_printf("%s.XXXXXX", dir->path);
	error = check_place(dir->path, mark);
	if (!error)
		error = begin(dir);
	if (error)
		clear(dir);
	return error;
}

/* An older version trades places with the new directory, and is removed from there. */
static int put_into_place(const struct newdir *dir)
{
	if (!rename(dir->inside, dir->path))
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST)
		return errno;
	return renameat2(AT_FDCWD, dir->inside, AT_FDCWD, dir->path, RENAME_EXCHANGE) ? errno : 0;
}

int newdir_close(struct newdir *dir)
{
	int error;

	error = put_into_place(dir);
	unfinished_remove();
	clear(dir);
	return error;
}
