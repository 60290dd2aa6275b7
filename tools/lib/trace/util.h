/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every file shares: the mark for "unknown" and how errors
 * are told.
 */
#ifndef GVTTRACE_UTIL_H
#define GVTTRACE_UTIL_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#define NSEC_PER_MSEC		INT64_C(1000000)
#define NSEC_PER_SEC		INT64_C(1000000000)

/*
 * Every number taken from a trace is an int64_t, and this one value means that
 * the trace does not tell. Unknown reals are NAN, unknown texts are NULL.
 */
#define UNKNOWN			INT64_MIN

/* known - is it a value, or does the trace not tell? */
static inline bool known(int64_t value)
{
	return value != UNKNOWN;
}

/* difference - @a minus @b, or UNKNOWN when either is */
static inline int64_t difference(int64_t a, int64_t b)
{
	return known(a) && known(b) ? a - b : UNKNOWN;
}

/*
 * For printf: @ns, which is known, in seconds to the microsecond or to the nanosecond.
 * Work that was queued before the clock's zero has times below that.
 */
#define SECONDS			"%s%" PRId64 ".%06" PRId64
#define SECONDS_OF(ns)		SECONDS_SIGN(ns), SECONDS_WHOLE(ns), SECONDS_REST(ns) / 1000
#define SECONDS_NS		"%s%" PRId64 ".%09" PRId64
#define SECONDS_NS_OF(ns)	SECONDS_SIGN(ns), SECONDS_WHOLE(ns), SECONDS_REST(ns)
#define SECONDS_SIGN(ns)	((ns) < 0 ? "-" : "")
#define SECONDS_WHOLE(ns)	imaxabs((ns) / NSEC_PER_SEC)
#define SECONDS_REST(ns)	imaxabs((ns) % NSEC_PER_SEC)

/* what messages begin with, "gvt-stat" unless a program sets it first; short */
extern const char *message_program;

/**
 * fatal - print one line "PROGRAM: ..." on stderr and end with status 1
 * @fmt: what is wrong, where, and what to do; no newline
 */
_Noreturn void fatal(const char *fmt, ...) __attribute__((cold, format(printf, 1, 2)));

/* as perf and rtla end after a usage error */
#define EXIT_USAGE		129

/**
 * usage_error - the same with status EXIT_USAGE: what was asked for cannot be
 * @fmt: which option, why not, and what can be; no newline
 */
_Noreturn void usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * warn - print one line "PROGRAM: warning: ..." on stderr and go on
 * @fmt: what the reader should know; no newline
 */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * make_printable - replace control characters by '?'
 *
 * A damaged or malicious trace must not be able to write to the terminal what it
 * likes, nor a message to be more than one line. Returns @text.
 */
char *make_printable(char *text);

/**
 * can_draw - is @fd a terminal that understands colours and moves of the cursor?
 *
 * One whose TERM is "dumb", as in an editor's shell, gets plain lines.
 */
bool can_draw(int fd);

#endif
