// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read_files - read files over and over, even if they vanish and come back
 *
 * usage: read_files PATTERN...
 *
 * Keeps all files that match a pattern open, and reads each from its start without pause, so
 * that a read is in progress whenever the driver removes the files. Runs with the highest nice
 * value: only while the driver waits. Looks for removed files again. On SIGTERM, prints the
 * number of successful reads and exits.
 */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES 256
/* While no file exists */
#define PAUSE_US 200

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static int open_file(const char *path)
{
	struct stat st;

	/* A directory's name may match, too */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Returns the number of files. */
static int open_files(char *const *pattern, int *fd)
{
	glob_t found = {};
	int flags = 0;
	int n = 0;
	size_t i;

	for (; *pattern; pattern++, flags = GLOB_APPEND)
		glob(*pattern, flags, NULL, &found);
	for (i = 0; i < found.gl_pathc && n < MAX_FILES; i++) {
		fd[n] = open_file(found.gl_pathv[i]);
		if (fd[n] >= 0)
			n++;
	}
	globfree(&found);
	return n;
}

static void close_files(const int *fd, int n)
{
	while (n--)
		close(fd[n]);
}

/* Returns false as soon as a file is no longer readable. */
static bool read_each(const int *fd, int n, unsigned long *reads)
{
	char text[4096];
	int i;

	for (i = 0; i < n && !ended; i++) {
		if (pread(fd[i], text, sizeof(text), 0) < 0)
			return false;
		++*reads;
	}
	return true;
}

int main(int argc, char **argv)
{
	unsigned long reads = 0;
	int fd[MAX_FILES];
	int n;

	if (argc < 2) {
		fprintf(stderr, "usage: read_files PATTERN...\n");
		return EXIT_FAILURE;
	}
	signal(SIGTERM, end);
	if (nice(19) < 0)
		perror("nice");
	while (!ended) {
		n = open_files(argv + 1, fd);
		while (n && !ended && read_each(fd, n, &reads))
			;
		close_files(fd, n);
		usleep(PAUSE_US);
	}
	printf("%lu\n", reads);
	return EXIT_SUCCESS;
}
