// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervise.h"
#include "util.h"

#define POLL_MS		1000

enum life_sign {
	SIGN_ALIVE = 'a',
	SIGN_DONE = 'd',
};

/* the child's end of the pipe; -1 in a program that is not supervised */
static int sign_fd = -1;

static void send_sign(char sign)
{
	/* a full pipe means that the parent has signs enough */
	if (sign_fd >= 0 && write(sign_fd, &sign, 1) < 0)
		return;
}

void supervise_alive(void)
{
	send_sign(SIGN_ALIVE);
}

void supervise_done(void)
{
	send_sign(SIGN_DONE);
}

/*
 * CPU time and not wall time: a child that waits for a slow disk or for a pager
 * is not hanging, and neither is one that was stopped.
 */
static time_t cpu_time(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return ts.tv_sec;
}

/* watch - return true when the child ended or will end, false if it hangs */
static bool watch(pid_t pid, int fd, int limit)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	time_t last = 0;
	char signs[64];

	for (;;) {
		int ready = poll(&pollfd, 1, POLL_MS);
		ssize_t len;

		if (ready < 0 && errno != EINTR)
			return true;
		if (ready <= 0) {
			if (cpu_time(pid) - last > limit)
				return false;
			continue;
		}
		len = read(fd, signs, sizeof(signs));
		if (len <= 0 || memchr(signs, SIGN_DONE, len))
			return true;
		last = cpu_time(pid);
	}
}

static int run_child(int (*command)(void *arg), void *arg, const int fds[2])
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(fds[0]);
	sign_fd = fds[1];
	fcntl(sign_fd, F_SETFL, O_NONBLOCK);
	return command(arg);
}

/* These say nothing about the file: end as the child did. */
static void follow(int sig)
{
	if (sig != SIGPIPE && sig != SIGINT && sig != SIGTERM && sig != SIGHUP && sig != SIGQUIT)
		return;
	signal(sig, SIG_DFL);
	raise(sig);
}

static int result(const char *path, int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	follow(WTERMSIG(status));
	fatal("%s: reading it crashed libtracecmd (%s): the file is corrupted; record the trace again",
	      path, strsignal(WTERMSIG(status)));
}

int supervise(const char *path, int cpu_seconds, int (*command)(void *arg), void *arg)
{
	int fds[2], status;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		fatal("cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		fatal("cannot start a process: %s", strerror(errno));
	if (!pid)
		exit(run_child(command, arg, fds));
	close(fds[1]);
	if (!watch(pid, fds[0], cpu_seconds)) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		fatal("%s: libtracecmd makes no progress on it: the file is corrupted; record the trace again",
		      path);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			fatal("cannot wait for the reader: %s", strerror(errno));
	return result(path, status);
}
