// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/util.h"
#include "supervise.h"

#define POLL_MS		1000

/*
 * Memory limit of a child: a base beyond its initial use, plus a factor for each byte of the trace.
 * A workload that never ends may need 400 bytes, including its place in tables, for an event of 32
 * bytes, which compression may reduce to a tenth.
 */
#define BASE_BYTES	(192ULL << 20)
#define BYTES_PER_BYTE	128
#define MAX_SIZE	(1ULL << 48)

enum life_sign {
	SIGN_ALIVE = 'a',
	SIGN_DONE = 'd',
};

/* the child's end of the pipe; -1 in a program that is not supervised */
static int sign_fd = -1;

/* the child's current limit, and the limit that the parent process set */
static uint64_t allowed;
static struct rlimit given;

/* Sanitizers reserve more address space than any limit allows. */
#ifdef __SANITIZE_ADDRESS__
#define CAN_LIMIT	false
#else
#define CAN_LIMIT	true
#endif

static void allow(uint64_t bytes)
{
	struct rlimit limit = given;

	allowed += bytes;
	limit.rlim_cur = MIN(given.rlim_cur, allowed);
	setrlimit(RLIMIT_AS, &limit);
}

void supervise_allow(const char *path)
{
	struct stat st;

	if (allowed && !stat(path, &st))
		allow(MIN((uint64_t)st.st_size, MAX_SIZE) * BYTES_PER_BYTE);
}

/* includes the program and its libraries */
static uint64_t used_bytes(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

static void limit_memory(void)
{
	uint64_t used = used_bytes();

	if (!CAN_LIMIT || !used || getrlimit(RLIMIT_AS, &given))
		return;
	allow(used + BASE_BYTES);
}

static void send_sign(char sign)
{
	/* a full pipe has enough signs of life in it */
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
 * Measures CPU time rather than wall time: a child that waits for a slow disk or a pager, or that
 * was stopped, does not hang.
 */
static time_t cpu_time(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return ts.tv_sec;
}

/* watch - returns true if the child has ended or will end, false if it hangs */
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

/* uses SIGTERM rather than SIGKILL, so that the child can remove incomplete output */
static void end_with(pid_t parent)
{
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
}

static int run_child(int (*command)(void *arg), void *arg, const int fds[2])
{
	close(fds[0]);
	sign_fd = fds[1];
	fcntl(sign_fd, F_SETFL, O_NONBLOCK);
	limit_memory();
	return command(arg);
}

/* These signals say nothing about the file: end by the same signal as the child. */
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
	fatal("%s: reading it crashed libtracecmd (%s), or took more memory than there can be need for: the file is corrupted; record the trace again",
	      path, strsignal(WTERMSIG(status)));
}

int supervise(const char *path, int cpu_seconds, int (*command)(void *arg), void *arg)
{
	pid_t pid, self = getpid();
	int fds[2], status;

	if (pipe2(fds, O_CLOEXEC))
		fatal("cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		fatal("cannot start a process: %s", strerror(errno));
	if (!pid) {
		end_with(self);
		exit(run_child(command, arg, fds));
	}
	close(fds[1]);
	if (!watch(pid, fds[0], cpu_seconds)) {
		kill(pid, SIGTERM);
		waitpid(pid, &status, 0);
		fatal("%s: libtracecmd makes no progress on it: the file is corrupted; record the trace again",
		      path);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			fatal("cannot wait for the reader: %s", strerror(errno));
	return result(path, status);
}
