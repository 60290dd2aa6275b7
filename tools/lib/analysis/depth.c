// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "depth-private.h"

/* account for the time since the last change */
static void pass(struct depth *depth, const struct window *window, int64_t ts_ns)
{
	if (ts_ns < window->from_ns)
		return;
	if (!depth->entered) {
		depth->entered = true;
		depth->since_ns = window->from_ns;
		depth->max = depth->value;
	}
	if (ts_ns > window->to_ns)
		ts_ns = window->to_ns;
	if (ts_ns <= depth->since_ns)
		return;
	depth->area += (double)depth->value * (ts_ns - depth->since_ns);
	depth->since_ns = ts_ns;
}

void depth_change(struct depth *depth, const struct window *window, int64_t ts_ns, int delta)
{
	pass(depth, window, ts_ns);
	depth->value += delta;
	/* lengths that lasted for 0 ns do not count */
	if (depth->entered && ts_ns <= window->from_ns)
		depth->max = depth->value;
	if (depth->entered && ts_ns <= window->to_ns && depth->value > depth->max)
		depth->max = depth->value;
}

void depth_initial(struct depth *depth)
{
	depth->initial++;
}

void depth_forget(struct depth *depth, int64_t ns)
{
	depth->area -= ns;
}

void depth_finish(struct depth *depth, const struct window *window)
{
	pass(depth, window, window->to_ns);
}

double depth_mean(const struct depth *depth, const struct window *window)
{
	int64_t length = window->to_ns - window->from_ns;

	return length > 0 ? depth->area / length + depth->initial : NAN;
}

int64_t depth_max(const struct depth *depth)
{
	return depth->max + depth->initial;
}
