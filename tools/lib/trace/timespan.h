/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times on the command line, with or without a unit, and the --time option: a window of the trace.
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

#define TIMESPAN_FORMS	"1.5, 200us, 500ms, 2s or 1m"	/* examples, for messages */
/**
 * timespan_unit - the ns of a unit, 0 if there is no such unit
 */
int64_t timespan_unit(const char *name);

/**
 * timespan_parse - read "FROM,TO" as perf's --time does
 * @text: times, see timespan_length(); '+' makes them relative to the trace's start; may be empty
 * @span: filled, if the result is true: @text is of that form
 */
bool timespan_parse(const char *text, struct timespan *span);

/**
 * timespan_length - read a duration of TIMESPAN_FORMS, or in ns, with up to nine decimals
 * @ns: above 0, if the result is true: @text is of that form
 */
bool timespan_length(const char *text, int64_t *ns);

#endif
