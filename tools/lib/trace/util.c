// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace-private.h"
#include "util.h"

const char *message_program = "gvt-stat";

/* the real stdout and stderr during a quiet section, else -1 */
static int saved_stdout = -1;
static int saved_stderr = -1;

char *make_printable(char *text)
{
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return text;
}

static void message(const char *prefix, const char *fmt, va_list ap)
{
	/* one write per message: lines of parent and child must not mix */
	char line[1024];
	int len;

	len = snprintf(line, sizeof(line), "%s: %s", message_program, prefix);
	len += vsnprintf(line + len, sizeof(line) - len - 1, fmt, ap);
	if (len > (int)sizeof(line) - 2)
		len = sizeof(line) - 2;
	make_printable(line);
	line[len++] = '\n';
	if (write(saved_stderr < 0 ? STDERR_FILENO : saved_stderr, line, len) < 0)
		return;
}

void fatal(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("", fmt, ap);
	va_end(ap);
	exit(EXIT_FAILURE);
}

void usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("", fmt, ap);
	va_end(ap);
	exit(EXIT_USAGE);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("warning: ", fmt, ap);
	va_end(ap);
}

bool can_draw(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && strcmp(term, "dumb");
}

static int divert(int fd)
{
	int saved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (saved >= 0 && null >= 0)
		dup2(null, fd);
	if (null >= 0)
		close(null);
	return saved;
}

static void restore(int fd, int *saved)
{
	if (*saved < 0)
		return;
	dup2(*saved, fd);
	close(*saved);
	*saved = -1;
}

void quiet_begin(void)
{
	fflush(stdout);
	saved_stdout = divert(STDOUT_FILENO);
	saved_stderr = divert(STDERR_FILENO);
}

void quiet_end(void)
{
	/* discard what the library left in the buffer, too */
	fflush(stdout);
	restore(STDOUT_FILENO, &saved_stdout);
	restore(STDERR_FILENO, &saved_stderr);
}

int64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}
