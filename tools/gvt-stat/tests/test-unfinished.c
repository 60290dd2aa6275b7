// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files and directories that are not whole leave nothing, when the signal comes just after
 * they were made.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "host/newdir.h"
#include "host/newfile.h"

int __real_g_mkstemp_full(char *name, int flags, int mode);
char *__real_g_mkdtemp_full(char *name, int mode);

int __wrap_g_mkstemp_full(char *name, int flags, int mode);
char *__wrap_g_mkdtemp_full(char *name, int mode);

int __wrap_g_mkstemp_full(char *name, int flags, int mode)
{
	int fd = __real_g_mkstemp_full(name, flags, mode);

	raise(SIGTERM);
	return fd;
}

char *__wrap_g_mkdtemp_full(char *name, int mode)
{
	char *made = __real_g_mkdtemp_full(name, mode);

	raise(SIGTERM);
	return made;
}

static int open_file(const char *path)
{
	struct newfile file;

	return newfile_open(&file, path);
}

static int open_dir(const char *path)
{
	struct newdir dir;

	return newdir_open(&dir, path, "metadata");
}

/* return the signal that ended a program that opens "new" in @dir; 0 if none did */
static int ended_by(int (*open)(const char *path), const char *dir)
{
	char *path = g_build_filename(dir, "new", NULL);
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(open(path));
	g_free(path);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void nothing_is_left(int (*open)(const char *path))
{
	char dir[] = "/tmp/gvt-stat-unfinished.XXXXXX";

	assert_non_null(mkdtemp(dir));
	assert_int_equal(ended_by(open, dir), SIGTERM);
	/* that fails if something is in it */
	assert_int_equal(g_rmdir(dir), 0);
}

static void files_leave_nothing(void **state)
{
	(void)state;
	nothing_is_left(open_file);
}

static void directories_leave_nothing(void **state)
{
	(void)state;
	nothing_is_left(open_dir);
}

static void what_cannot_be_made_lets_signals_through(void **state)
{
	(void)state;
	assert_int_equal(ended_by(open_file, "/nosuch"), SIGTERM);
	assert_int_equal(ended_by(open_dir, "/nosuch"), SIGTERM);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_leave_nothing),
		cmocka_unit_test(directories_leave_nothing),
		cmocka_unit_test(what_cannot_be_made_lets_signals_through),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
