/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in a trace of energy: the samples of the counter, and who executed when.
 *
 * Its memory grows with the trace: 24 bytes for each stretch of execution, and for each sample.
 */
#ifndef GVT_STAT_ENERGY_TIMELINE_H
#define GVT_STAT_ENERGY_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "meters.h"

/* a vGPU, or the host, on an engine */
struct consumer {
	const struct vgpu *vgpu;	/* NULL: the host */
	const struct gpu_engine *engine;
};

/* values of struct span's @who beside the indices of consumers */
#define SPAN_UNSURE	UINT32_MAX	/* lost events: anything may have executed */

/* @who executed in this time; both ends are known and inside of the window */
struct span {
	int64_t from_ns, to_ns;
	uint32_t who;
};

struct timeline {
	const struct follow *follow;
	GArray *meters;			/* struct meter, while samples are collected */
	int64_t damaged;		/* marks that are no samples */
	GArray *consumers;		/* struct consumer */
	GArray *spans;			/* struct span, in any order */
	/* set by timeline_finish(): */
	struct energy_counter counter;	/* its unit is 0 if there are no samples */
	int64_t on_edges;		/* samples at an update of the counter */
	int64_t broken;			/* how often the counter began anew */
	int64_t bad;			/* marks that are no sample, or of another counter */
	GArray *levels;			/* struct level */
};

/**
 * timeline_new - begin to collect
 * @follow: not run yet
 *
 * Complete after model_finish() and timeline_finish(). timeline_free() frees.
 */
struct timeline *timeline_new(struct follow *follow);
void timeline_finish(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

#endif
