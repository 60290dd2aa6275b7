// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

#include "newfile.h"
#include "unfinished.h"

static const char *unfinished;

static void remove_file(void)
{
	unlink(unfinished);
}

static mode_t file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static bool in_place(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

bool newfile_replaces(const char *path, const char *input)
{
	struct stat old, from;

	return !stat(path, &old) && !stat(input, &from) && S_ISREG(old.st_mode) &&
	       old.st_dev == from.st_dev && old.st_ino == from.st_ino;
}

/* returns a file descriptor, or -1 with errno set */
static int make(struct newfile *file)
{
	int fd, error;

	file->name = g_strdup_printf("%s.XXXXXX", file->path);
	unfinished_begin();
	fd = g_mkstemp_full(file->name, O_RDWR | O_CLOEXEC, 0600);
	error = errno;
	unfinished = file->name;
	unfinished_begun(fd < 0 ? NULL : remove_file);
	errno = error;
	return fd;
}

int newfile_open(struct newfile *file, const char *path)
{
	int fd;

	*file = (struct newfile) { .path = g_strdup(path) };
	if (!strcmp(path, "-")) {
		file->stream = stdout;
		return 0;
	}
	fd = in_place(path) ? open(path, O_WRONLY | O_CLOEXEC) : make(file);
	if (fd < 0)
		return errno;
	file->stream = fdopen(fd, "w");
	return 0;
}

static int finish(struct newfile *file)
{
	int error = 0;

	if (fflush(file->stream) || ferror(file->stream))
		error = errno ? errno : EIO;
	if (file->stream == stdout)
		return error;
	if (!error && file->name && fchmod(fileno(file->stream), file_mode()))
		error = errno;
	if (fclose(file->stream) && !error)
		error = errno;
	if (!error && file->name && rename(file->name, file->path))
		error = errno;
	return error;
}

static void clear(struct newfile *file)
{
	unfinished_end();
	g_free(file->name);
	g_free(file->path);
}

void newfile_move(struct newfile *file, const char *path)
{
	g_free(file->path);
	file->path = g_strdup(path);
}

int newfile_close(struct newfile *file)
{
	int error = finish(file);

	if (error)
		unfinished_remove();
	clear(file);
	return error;
}

void newfile_discard(struct newfile *file)
{
	fclose(file->stream);
	unfinished_remove();
	clear(file);
}
