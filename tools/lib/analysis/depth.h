/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of a queue over time: mean and maximum inside a window.
 *
 * A trace begins in mid-operation, so the initial length is unknown. It follows
 * from the workloads that leave the queue without having entered it in the trace:
 * the counter starts at 0, may become negative, and is raised at the end by the
 * number of such workloads. This needs no memory and equals a two-pass result.
 */
#ifndef GVTTRACE_DEPTH_H
#define GVTTRACE_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/timespan.h"

/* the time-weighted length of a queue */
struct depth {
	int64_t value;			/* now, relative to the unknown start */
	int64_t since_ns;		/* of the last change inside the window */
	int64_t max;			/* relative to the unknown start */
	int64_t initial;		/* length at the start, as far as found */
	double area;			/* integral of @value over the window, in ns */
	bool entered;			/* the window has begun */
};

/**
 * depth_max - maximum length of the queue
 */
int64_t depth_max(const struct depth *depth);

#endif
