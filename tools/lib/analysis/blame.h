/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who made whom wait: for each queue (a vGPU's for an engine), how long there
 * was work in it that waited for each reason and culprit. Time in which several
 * workloads of a queue waited counts once.
 */
#ifndef GVTTRACE_BLAME_H
#define GVTTRACE_BLAME_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"

/* how long the work of one queue waited for one reason */
struct blame_row {
	const struct vgpu_engine *queue;
	enum wait_class class;
	const struct vgpu *culprit;	/* whose turn it was, who was waited for, or who */
					/* preempted it; or NULL */
	int64_t wait_ns;
	int64_t count;			/* stretches of waiting */
	int64_t worst_ns;
	int64_t worst_at_ns;
};

/* one long stretch of waiting */
struct blame_moment {
	const struct vgpu_engine *queue;
	enum wait_class class;
	const struct vgpu *culprit;
	int64_t from_ns;
	int64_t length_ns;
};

/* so many of the worst are kept */
#define BLAME_MOMENTS	10

struct blame;

/**
 * blame_new, blame_free - begin to look at all queues of @follow, which must outlive it
 */
struct blame *blame_new(struct follow *follow);
void blame_free(struct blame *blame);

/**
 * blame_rows - struct blame_row, by vGPU, engine and reason
 */
const GPtrArray *blame_rows(struct blame *blame);

/**
 * blame_worst - the worst moments, longest first; a NULL queue ends the list
 *
 * Waits in a queue's own turn are nobody's fault and not among them.
 */
const struct blame_moment *blame_worst(const struct blame *blame);

/**
 * wait_class_name - the name of a reason, as in columns: "throttled"
 */
const char *wait_class_name(enum wait_class class);

#endif
