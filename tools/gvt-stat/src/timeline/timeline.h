/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in a trace of energy: the samples of the counter, and who executed when.
 *
 * Its memory grows with the trace: 24 bytes for each stretch of execution,
 * and for each sample, and 40 for each workload.
 */
#ifndef GVT_STAT_TIMELINE_TIMELINE_H
#define GVT_STAT_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "reads.h"

/* a vGPU, or the host, on an engine */
struct consumer {
	const struct vgpu *vgpu;	/* NULL: the host */
	const struct gpu_engine *engine;
};

/* values of struct span's @who beside the indices of consumers */
#define SPAN_UNSURE	UINT32_MAX	/* lost events: anything may have executed */

/* values of struct span's @work beside the indices of works: the host's */
#define SPAN_NO_WORK	UINT32_MAX

/* @who executed in this time; both ends are known and inside of the window */
struct span {
	int64_t from_ns, to_ns;
	uint32_t who;
	uint32_t work;
};

/* a workload that executed or ended */
struct work {
	int64_t id;
	uint32_t who;
	bool completed;			/* with status 0, in the window */
	int64_t queue_ns;		/* UNKNOWN: not seen, as for the next two */
	int64_t end_ns;
	int64_t exec_ns;
};

/* pairs of consumers are looked at; hosts have less than 50 */
#define TIMELINE_CONSUMERS_MAX	200

struct timeline {
	const struct follow *follow;	/* NULL: of timeline_empty() */
	bool sampled_only;		/* see timeline_new() */
	GArray *meters;			/* struct meter, of marks */
	GArray *read_meters;		/* the same, of reads by others */
	struct reads reads;
	int64_t damaged;		/* marks that are no samples */
	/* of the samples that are believed: */
	struct energy_counter counter;	/* its unit is 0 if there are none */
	int64_t on_edges;		/* samples at an update of the counter */
	int64_t broken;			/* how often the counter began anew */
	int64_t bad;			/* marks that are no sample, or of another counter */
	GArray *levels;			/* struct level */
	GArray *gpu;			/* struct gpu_level */
	GArray *consumers;		/* struct consumer */
	GArray *spans;			/* struct span, in any order */
	GArray *works;			/* struct work; none of timeline_empty() */
	GArray *live;			/* uint32_t by struct workload's @nr: which of @works, or SPAN_NO_WORK */
};

/**
 * timeline_new - begin to collect
 * @follow: not run yet
 * @sampled_only: collect from the first sample on, so that a trace without samples costs nothing
 *
 * Complete after model_finish(). timeline_free() frees.
 */
struct timeline *timeline_new(struct follow *follow, bool sampled_only);

/**
 * timeline_empty - to be filled by the caller, without a trace; timeline_free() frees
 */
struct timeline *timeline_empty(void);

/**
 * timeline_listen - let it collect who executes in a model; of timeline_empty(), on all GPUs at any time
 * @model: before any event
 */
void timeline_listen(struct timeline *timeline, struct model *model);

/**
 * timeline_consumer - the number of a consumer, who is added if new
 * @vgpu: NULL: the host
 */
uint32_t timeline_consumer(struct timeline *timeline, const struct vgpu *vgpu,
			   const struct gpu_engine *engine);

/**
 * timeline_whole - replace the samples by the ends of the window, between which nothing was counted
 */
void timeline_whole(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

#endif
