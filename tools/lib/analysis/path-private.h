/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search for critical paths in rows of intervals: see path.h.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_PATH_PRIVATE_H
#define GVTTRACE_PATH_PRIVATE_H

#include "path.h"

/* who ends an interval that goes on is not known yet */
#define PATH_UNDECIDED	(-2)

/* times in ns; those of a worker are in order, and each begins where the last ended */
struct path_interval {
	int64_t from_ns;
	int64_t to_ns;
	enum path_label label;
	int waker;			/* who ended it, if PATH_BLOCKED; PATH_NOBODY, or the above */
	int64_t detail;			/* passed on; intervals that differ in it are kept apart */
	int64_t vgpu_id;		/* so is this */
};

/* Chains of wakers that are longer are left unexplained. */
#define PATH_MAX_DEPTH	64

/**
 * path_first_after - place of the first interval of a row that ends after @ns
 */
unsigned int path_first_after(const GArray *row, int64_t ns);

#endif
