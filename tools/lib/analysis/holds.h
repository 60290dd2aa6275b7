/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often the GPU was held idle for an expected vGPU, and whether the vGPU came.
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
	int64_t came;			/* holds for a vGPU that came */
	int64_t came_ns;		/* total time of these holds */
	int64_t came_max_ns;
	int64_t expired;		/* holds in vain */
	int64_t expired_ns;
};

struct holds;

/**
 * holds_new - no holds yet; holds_free() frees
 * @follow: open; must outlive the holds
 */
struct holds *holds_new(struct follow *follow);
void holds_free(struct holds *holds);

/**
 * holds_of - the row of a GPU; all 0 if it had no holds
 */
struct holds_row holds_of(const struct holds *holds, int64_t dev);

#endif
