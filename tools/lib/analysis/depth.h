/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of a queue over time: mean and maximum inside a window.
 *
 * A trace begins in the middle of things, so the length at its start is not
 * known. It follows from what leaves the queue without having entered it: the
 * counter starts at 0, may go below, and is lifted at the end by the number of
 * such leavers. This needs no memory and gives what a second pass would give.
 */
#ifndef GVTTRACE_DEPTH_H
#define GVTTRACE_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/timespan.h"

/* the length of a queue over time, weighted by it */
struct depth {
	int64_t value;			/* now, above the unknown start */
	int64_t since_ns;		/* of the last change inside the window */
	int64_t max;			/* above the unknown start */
	int64_t initial;		/* found out so far: length at the start */
	double area;			/* integral of @value over the window, in ns */
	bool entered;			/* the window has begun */
};

/**
 * depth_max - the longest that the queue was
 */
int64_t depth_max(const struct depth *depth);

#endif
