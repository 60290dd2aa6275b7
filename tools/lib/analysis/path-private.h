/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search for critical paths in rows of intervals: see path.h.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_PATH_PRIVATE_H
#define GVTTRACE_PATH_PRIVATE_H

#include "path.h"

/* waker of an interval that has not ended yet */
#define PATH_UNDECIDED	(-2)

/* times in ns; a worker's intervals are in order and adjacent */
struct path_interval {
	int64_t from_ns;
	int64_t to_ns;
	enum path_label label;
	int waker;			/* waker, if PATH_BLOCKED; or PATH_NOBODY, PATH_UNDECIDED */
	int64_t detail;			/* copied to segments; never merged if different */
	int64_t vgpu_id;		/* the same */
};

/* longer chains of wakers are left unexplained */
#define PATH_MAX_DEPTH	64

/**
 * path_first_after - index of the first interval of a row that ends after @ns
 */
unsigned int path_first_after(const GArray *row, int64_t ns);

#endif
