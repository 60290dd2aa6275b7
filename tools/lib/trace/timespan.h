/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The --time option: a window of the trace.
 */
#ifndef GVTTRACE_TIMESPAN_H
#define GVTTRACE_TIMESPAN_H

#include <stdbool.h>
#include <stdint.h>

/* one end of the window; @ns is UNKNOWN when the user left it open */
struct time_point {
	int64_t ns;
	bool relative;		/* relative to the start of the trace */
};

/* a window as the user specified it */
struct timespan {
	struct time_point from;
	struct time_point to;
};

/* a resolved window: absolute trace time, @from_ns <= @to_ns */
struct window {
	int64_t from_ns;
	int64_t to_ns;
};

/**
 * timespan_parse - read "FROM,TO" as perf's --time does
 * @text: seconds with up to nine decimals, a leading '+' makes them relative to the start
 *        of the trace; either side may be empty
 * @span: filled on success
 *
 * Returns true, or false if @text is not of that form.
 */
bool timespan_parse(const char *text, struct timespan *span);

/**
 * timespan_length - read a duration: "1s", "500ms", "20us", "2m"; the default unit is s
 * @ns: filled on success, above 0
 *
 * Returns true, or false if @text is not of that form.
 */
bool timespan_length(const char *text, int64_t *ns);

#endif
