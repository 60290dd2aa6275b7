/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For each queue (a vGPU's for an engine), how long its work waited for each reason and
 * culprit. Time in which several workloads of a queue waited counts once.
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
	const struct vgpu *culprit;	/* vGPU that had the turn, was waited for, or */
					/* preempted the work; or NULL */
	int64_t wait_ns;
	int64_t count;			/* number of waits */
	int64_t worst_ns;
	int64_t worst_at_ns;
};

/* one wait, as far as it is within the window */
struct blame_moment {
	const struct vgpu_engine *queue;
	enum wait_class class;
	const struct vgpu *culprit;
	int64_t from_ns;
	int64_t length_ns;
};

/* number of longest waits that are kept */
#define BLAME_MOMENTS	10

struct blame;

/**
 * blame_new, blame_free - begin to analyse all queues of @follow, which must outlive the blame
 */
struct blame *blame_new(struct follow *follow);
void blame_free(struct blame *blame);

/**
 * blame_tell - call @tell with each wait of blame_rows(), in the order of their ends
 */
void blame_tell(struct blame *blame, void (*tell)(void *ctx, const struct blame_moment *moment), void *ctx);

/**
 * blame_rows - struct blame_row, by vGPU, engine and reason
 */
const GPtrArray *blame_rows(struct blame *blame);

/**
 * blame_worst - the longest waits, longest first; an entry with NULL queue ends the list
 *
 * Excludes waits in the turn of the queue's own vGPU: no other vGPU causes these.
 */
const struct blame_moment *blame_worst(const struct blame *blame);

/**
 * wait_class_name - name of a reason, as in columns: "throttled"
 */
const char *wait_class_name(enum wait_class class);

#endif
