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

int newfile_open(struct newfile *file, const char *path)
{
	int fd;

	*file = (struct newfile) { .path = g_strdup(path) };
	if (!strcmp(path, "-")) {
		file->stream = stdout;
		return 0;
	}
	if (!in_place(path))
		file->name = g_strdup_printf("%s.XXXXXX", path);
	fd = file->name ? g_mkstemp_full(file->name, O_RDWR | O_CLOEXEC, 0600) :
			  open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	unfinished = file->name;
	unfinished_set(unfinished ? remove_file : NULL);
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
	unfinished_set(NULL);
	g_free(file->name);
	g_free(file->path);
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
