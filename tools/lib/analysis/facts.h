/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts that many rules need, of a trace that was read to its end.
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

/* a queue's share of its engine, and its due share of what could run */
struct queue_facts {
	const struct vgpu_engine *queue;
	const struct demand_row *demand;
	int64_t exec_ns;
	int64_t engine_ns;		/* execution of all vGPUs on the engine */
	int64_t waits_ns[WAIT_CLASSES];	/* time in which any of its work waited */
	double want_percent;		/* of the window: execution it would have had alone */
	double due_ns;			/* by weighted max-min fairness; NAN without weights */
	bool wants_more;		/* wants more than @due_ns */
	double taken_ns;		/* excess of other vGPUs over their due share */
};

struct facts;

struct facts *facts_new(struct check *check);
void facts_free(struct facts *facts);

const struct queue_facts *facts_of(const struct facts *facts, const struct vgpu_engine *queue);

/* @ns in per cent of the window */
double facts_percent(const struct check *check, double ns);

/* "rcs0", and with several GPUs "rcs0 of GPU 1" */
const char *facts_engine(const struct check *check, const struct gpu_engine *engine);

/* a GPU's settings that were in force longest; NULL if unknown */
const struct sched_info *facts_settings(const struct check *check, int64_t dev);
/* the same of a vGPU */
const struct vgpu_settings *facts_set(const struct check *check, const struct vgpu *vgpu);

bool facts_policy_is(const struct check *check, int64_t dev, const char *policy);
bool facts_dispatch_is(const struct check *check, int64_t dev, const char *dispatch);

/* did any switch have this reason? */
bool facts_switched(const struct check *check, int64_t dev, enum switch_reason reason);

/* execution on all engines of a GPU, of one vGPU; NULL: of all vGPUs */
int64_t facts_exec_ns(const struct check *check, int64_t dev, const struct vgpu *vgpu);

/* does another vGPU run enough on the GPU to be worth mentioning? */
bool facts_shared(const struct check *check, const struct vgpu *vgpu);

/* are one vGPU's longest workloads several times as long as another's? */
bool facts_lengths_differ(const struct check *check, int64_t dev);

/*
 * The longest time that a vGPU's work ran on an engine without preemption, and whether
 * that was a failed workload. With exclusive dispatch every engine counts.
 */
int64_t facts_longest_piece(const struct check *check, const struct vgpu *vgpu,
			    const struct gpu_engine *engine, bool *failed);

/* its share by weight and nice among all vGPUs of the GPU, in per cent, or NAN */
double facts_slice_percent(const struct check *check, const struct vgpu *vgpu);

#endif
