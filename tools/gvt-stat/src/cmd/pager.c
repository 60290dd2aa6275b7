// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "output/screen.h"
#include "trace/util.h"
#include "pager.h"

/* quit if all is on one screen, keep colours, leave the text on the terminal */
#define LESS_OPTIONS	"FRX"

/* the process that has started the pager, which is not its supervised child */
static pid_t owner, pager;

static void wait_for_pager(void)
{
	/* the pager sees the end of its input */
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Ctrl-C interrupts the command; the pager stays, and must have the terminal until it ends. */
static void interrupted(int sig)
{
	if (getpid() == owner)
		wait_for_pager();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* The reader has seen enough, unless the signal is about another pipe. */
static void cannot_write(int sig)
{
	struct pollfd output = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (poll(&output, 1, 0) > 0 && output.revents & POLLERR)
		_exit(EXIT_SUCCESS);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void end_pager(void)
{
	if (getpid() != owner)
		return;
	/* from here on, Ctrl-C is for the pager */
	signal(SIGINT, SIG_IGN);
	fflush(stdout);
	wait_for_pager();
}

/*
 * Waits for the first output: a command that fails needs no pager, and less would disturb the
 * display of progress.
 */
static _Noreturn void run_pager(char *const *words, const int fds[2])
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	dup2(fds[0], STDIN_FILENO);
	/* or the end of the input would never come */
	close(fds[1]);
	while (poll(&input, 1, -1) < 0 && errno == EINTR)
		;
	if (!(input.revents & POLLIN))
		_exit(EXIT_SUCCESS);
	execvp(words[0], words);
	fatal("%s: cannot be run: %s; set PAGER, or use --no-pager", words[0], strerror(errno));
}

static void start(char *const *words)
{
	int width = screen_width(stdout), fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return;
	g_setenv("LESS", LESS_OPTIONS, FALSE);
	owner = getpid();
	pager = fork();
	if (!pager)
		run_pager(words, fds);
	if (pager > 0) {
		dup2(fds[1], STDOUT_FILENO);
		screen_paged(width);
		atexit(end_pager);
		signal(SIGINT, interrupted);
		signal(SIGPIPE, cannot_write);
	}
	close(fds[0]);
	close(fds[1]);
}

void pager_start(void)
{
	const char *told = g_getenv("PAGER"), *name = told ? told : "less";
	char **words = NULL, *path = NULL;

	if (!can_draw(STDOUT_FILENO) || !*name || !strcmp(name, "cat"))
		return;
	if (g_shell_parse_argv(name, NULL, &words, NULL))
		path = g_find_program_in_path(words[0]);
	if (path)
		start(words);
	else if (told)
		warn("PAGER=%s: there is no such program; set PAGER, or use --no-pager", told);
	g_free(path);
	g_strfreev(words);
}
