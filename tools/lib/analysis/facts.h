/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rules ask again and again of a trace that was read to its end.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_FACTS_H
#define GVTTRACE_FACTS_H

#include <stdbool.h>

#include "blame.h"
#include "check.h"
#include "demand.h"
#include "held.h"
#include "holds.h"
#include "idle-private.h"
#include "metrics.h"
#include "slices.h"
#include "vcpus.h"

/* a queue's part of its engine, and what was due to it of what that could execute */
struct queue_facts {
	const struct vgpu_engine *queue;
	const struct demand_row *demand;
	int64_t exec_ns;
	int64_t engine_ns;		/* executed on the engine by all */
	int64_t waits_ns[WAIT_CLASSES];	/* time in which some of its work waited */
	double want_percent;		/* of the window: what it would have executed alone */
	double due_ns;			/* by weighted max-min fairness; NAN without weights */
	bool wants_more;		/* than what is due to it */
	double taken_ns;		/* what others have had beyond what was due to them */
};

struct facts;

struct facts *facts_new(struct check *check);
void facts_free(struct facts *facts);

const struct queue_facts *facts_of(const struct facts *facts, const struct vgpu_engine *queue);

/* of the window, in per cent */
double facts_percent(const struct check *check, double ns);

/* "rcs0", and with several GPUs "rcs0 of GPU 1" */
#define ENGINE_TEXT_LEN	48
const char *facts_engine(const struct check *check, const struct gpu_engine *engine,
			 char text[ENGINE_TEXT_LEN]);

/* the settings of a GPU that were in force longest; NULL if they were not told */
const struct sched_info *facts_settings(const struct check *check, int64_t dev);
/* and of a vGPU */
const struct vgpu_settings *facts_set(const struct check *check, const struct vgpu *vgpu);

bool facts_policy_is(const struct check *check, int64_t dev, const char *policy);
bool facts_dispatch_is(const struct check *check, int64_t dev, const char *dispatch);

/* were there switches for this reason? */
bool facts_switched(const struct check *check, int64_t dev, enum switch_reason reason);

/* execution on all engines of a GPU, of one vGPU or with NULL of all */
int64_t facts_exec_ns(const struct check *check, int64_t dev, const struct vgpu *vgpu);

/* does another vGPU execute, too, so much that it is worth speaking of? */
bool facts_shared(const struct check *check, const struct vgpu *vgpu);

/* are the longest workloads of one vGPU several times those of another one? */
bool facts_lengths_differ(const struct check *check, int64_t dev);

/*
 * The longest time that a vGPU's work kept an engine without being taken off it, and
 * whether that was a workload that failed. With exclusive dispatch that of any engine counts.
 */
int64_t facts_longest_piece(const struct check *check, const struct vgpu *vgpu,
			    const struct gpu_engine *engine, bool *failed);

/* its part by weight and nice among all vGPUs of the GPU, in per cent, or NAN */
double facts_slice_percent(const struct check *check, const struct vgpu *vgpu);

#endif
