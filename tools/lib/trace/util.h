/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by every file: the value for "unknown", and error
 * messages.
 */
#ifndef GVTTRACE_UTIL_H
#define GVTTRACE_UTIL_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NSEC_PER_MSEC		INT64_C(1000000)
#define NSEC_PER_SEC		INT64_C(1000000000)

/*
 * Every number from a trace is an int64_t, and this value means that the trace
 * does not contain it. Unknown reals are NAN, unknown strings are NULL.
 */
#define UNKNOWN			INT64_MIN

/* known - is @value other than UNKNOWN? */
static inline bool known(int64_t value)
{
	return value != UNKNOWN;
}

/* difference - @a minus @b, or UNKNOWN if either is */
static inline int64_t difference(int64_t a, int64_t b)
{
	return known(a) && known(b) ? a - b : UNKNOWN;
}

/*
 * For printf: @ns, not UNKNOWN, in seconds to the microsecond or to the nanosecond.
 * Negative if work was queued before the clock's zero.
 */
#define SECONDS			"%s%" PRId64 ".%06" PRId64
#define SECONDS_OF(ns)		SECONDS_SIGN(ns), SECONDS_WHOLE(ns), SECONDS_REST(ns) / 1000
#define SECONDS_NS		"%s%" PRId64 ".%09" PRId64
#define SECONDS_NS_OF(ns)	SECONDS_SIGN(ns), SECONDS_WHOLE(ns), SECONDS_REST(ns)
#define SECONDS_SIGN(ns)	((ns) < 0 ? "-" : "")
#define SECONDS_WHOLE(ns)	imaxabs((ns) / NSEC_PER_SEC)
#define SECONDS_REST(ns)	imaxabs((ns) % NSEC_PER_SEC)

/* prefix of messages, "gvt-stat" unless a program sets it first; short */
extern const char *message_program;

/**
 * fatal - print one line "PROGRAM: ..." on stderr and exit with status 1
 * @fmt: the error, its place and the remedy; no newline
 */
_Noreturn void fatal(const char *fmt, ...) __attribute__((cold, format(printf, 1, 2)));

/* exit status of perf and rtla after a usage error */
#define EXIT_USAGE		129

/**
 * usage_error - the same with status EXIT_USAGE: the user asked for something impossible
 * @fmt: which option, why it is impossible, and what is possible; no newline
 */
_Noreturn void usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * warn - print one line "PROGRAM: warning: ..." on stderr and continue
 * @fmt: the warning; no newline
 */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * make_printable - replace control characters by '?', in place
 *
 * A damaged or malicious trace must not be able to send escape sequences to the
 * terminal or to make a message longer than one line. Returns @text.
 */
char *make_printable(char *text);

/**
 * can_draw - is @fd a terminal with colours and cursor movement?
 *
 * A terminal whose TERM is "dumb", as in an editor's shell, gets plain lines.
 */
bool can_draw(int fd);

/**
 * clock_ns - the time of a clock; the trace clock mono is CLOCK_MONOTONIC
 */
int64_t clock_ns(clockid_t clock);

#endif
