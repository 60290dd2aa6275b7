/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often the GPU was kept idle for a vGPU that was expected, and whether it came.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HOLDS_H
#define GVTTRACE_HOLDS_H

#include <stdint.h>

#include "follow/follow.h"

/* of one GPU, inside the window */
struct holds_row {
	int64_t dev;
	int64_t came;			/* times that it did */
	int64_t came_ns;		/* kept idle until then, together */
	int64_t came_max_ns;
	int64_t expired;		/* times that it was waited for in vain */
	int64_t expired_ns;
};

struct holds;

/**
 * holds_new - nothing held yet; holds_free() frees
 * @follow: open; must outlive it
 */
struct holds *holds_new(const struct follow *follow);
void holds_free(struct holds *holds);

/**
 * holds_analysis - to be added to the followers of the trace
 */
struct analysis holds_analysis(struct holds *holds);

/**
 * holds_of - those of a GPU; all 0 if there were none
 */
struct holds_row holds_of(const struct holds *holds, int64_t dev);

#endif
