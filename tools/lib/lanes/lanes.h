/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace as what can be drawn: lanes with intervals, counters, and the way of each
 * workload from lane to lane. Every view of a trace draws from this and from nothing else.
 *
 * Nothing overlaps on a lane: where several things last at once, they are on several lanes
 * of the same kind and owner, each on the first that is free. What is told of a lane is told
 * in the order of time, and so are the steps of a workload; of several lanes it is not. All is
 * clipped to the window.
 *
 *   LANE_TURNS    whose turn it is, of a GPU, or of an engine that has turns of its own
 *   LANE_ENGINE   whose work is on the engine: for certain, and for as long as report has it;
 *                 the host's own work is that of a vGPU with id 0, named "host"
 *   LANE_WAITS    why the work in a vGPU's queue waits, as blame has it
 *   LANE_LIVES    each workload of a queue, from gvt_workload_queue to its end
 *   LANE_VCPU     what a vCPU thread does, as vcpu has it
 *   LANE_LOST     where events were lost, so that others may lack something: of all
 *                 engines, of one of them, or of a queue
 *
 * Two workloads may be on an engine for a moment at once, as the CPU is told. On LANE_ENGINE
 * that time is the first one's; the pieces of LANE_LIVES have the times of their events.
 *
 * Memory grows with what is alive and with the number of lanes, not with the trace.
 */
#ifndef GVTTRACE_LANES_H
#define GVTTRACE_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/slices.h"
#include "analysis/vcpus.h"
#include "follow/follow.h"

/* what a lane shows; see above */
enum lane_kind {
	LANE_TURNS,
	LANE_ENGINE,
	LANE_WAITS,
	LANE_LIVES,
	LANE_VCPU,
	LANE_LOST,
	LANE_KINDS
};

/* a lane; what it is not about is NULL */
struct lane {
	enum lane_kind kind;
	unsigned int index;		/* of all lanes, in the order of their appearance */
	unsigned int slot;		/* of those with the same kind and owner, from 0 */
	const struct gpu *gpu;		/* LANE_VCPU, LANE_LOST of all: NULL */
	const struct gpu_engine *engine;
	const struct vgpu *vgpu;
	const struct vcpu *vcpu;
};

/* what goes on in an interval */
enum lane_state {
	LANE_TURN,			/* LANE_TURNS */
	LANE_RUNS,			/* LANE_ENGINE */
	LANE_WAITING,			/* LANE_WAITS; LANE_LIVES: in queues before the engine */
	LANE_EXECUTES,			/* LANE_LIVES: a piece */
	LANE_PREEMPTED,			/* LANE_LIVES: taken off the engine unfinished */
	LANE_COMPLETES,			/* LANE_LIVES: from the last stop to its end */
	LANE_UNSEEN,			/* LANE_LIVES: the events of that time were lost */
	LANE_UNSURE,			/* LANE_LOST */
	LANE_GUEST,			/* LANE_VCPU, from here on as enum vcpu_state */
	LANE_VMM,
	LANE_OFF_CPU,			/* another thread took its CPU */
	LANE_RUNNABLE,
	LANE_BLOCKED,
	LANE_STATES
};

/* how an interval begins or ends */
enum lane_limit {
	LIMIT_SEEN,			/* with an event */
	LIMIT_CUT,			/* with the window or the trace: it is longer */
	LIMIT_LOST,			/* somewhere in a gap, or it may have been interrupted there */
};

/* the way of a workload: its queueing, wait, engine, completion, and the vCPU it woke up, if told */
enum lane_edge {
	EDGE_NONE,
	EDGE_BEGIN,			/* the first step of the way */
	EDGE_STEP,
	EDGE_END,
};

/* an interval; pointers are valid during the call, but lanes, vGPUs and engines stay */
struct lane_interval {
	const struct lane *lane;
	enum lane_state state;
	int64_t from_ns;
	int64_t to_ns;			/* not before @from_ns */
	enum lane_limit begin;
	enum lane_limit end;
	const struct workload *workload;	/* LANE_ENGINE, unless it is the host's; LANE_LIVES */
	const struct vgpu *vgpu;	/* whose turn, work, queue or thread it is; or NULL */
	enum wait_class class;		/* LANE_WAITS: the reason; else WAIT_NONE */
	const struct vgpu *culprit;	/* LANE_WAITS: as in struct stretch; else NULL */
	enum lane_edge edge;
};

/* what happened at a moment */
enum lane_mark_kind {
	MARK_QUEUES,			/* a thread queued a workload */
	MARK_WOKEN,			/* a vCPU thread was woken up, as one was complete */
	MARK_KINDS
};

/* a moment */
struct lane_mark {
	enum lane_mark_kind kind;
	const struct lane *lane;	/* LANE_VCPU; NULL: the thread is no vCPU that was seen */
	int64_t at_ns;
	int64_t tid;			/* UNKNOWN: not told */
	struct workload_key workload;
	const struct vgpu *vgpu;
	enum lane_edge edge;
};

/* what a counter counts */
enum counter_kind {
	COUNTER_QUEUE,			/* workloads that wait, of a vGPU on an engine */
	COUNTER_LEFT,			/* ns that are left of its slice; below 0: debt */
	COUNTER_BUSY,			/* per cent of the time until the next sample; of an engine, */
					/* or of a vGPU on it */
	COUNTER_KINDS
};

/* a counter; a value holds until the next sample */
struct lane_counter {
	enum counter_kind kind;
	unsigned int index;		/* of all counters, in the order of their appearance */
	const struct gpu *gpu;
	const struct gpu_engine *engine;	/* NULL: of all engines */
	const struct vgpu *vgpu;	/* NULL: of all vGPUs */
};

/* COUNTER_BUSY has a value for each so many ns from the window's beginning on */
#define LANES_BUSY_NS	10000000

/* what a view is told, lanes and counters before what is on them; pointers may be NULL */
struct lanes_ops {
	void (*lane)(void *ctx, const struct lane *lane);
	/* a workload is on a lane from now on; its intervals come when they are over */
	void (*life)(void *ctx, const struct lane *lane, const struct workload *w);
	void (*interval)(void *ctx, const struct lane_interval *interval);
	void (*mark)(void *ctx, const struct lane_mark *mark);
	void (*counter)(void *ctx, const struct lane_counter *counter);
	void (*sample)(void *ctx, const struct lane_counter *counter, int64_t at_ns, double value);
	unsigned int no_counters;	/* 1 << enum counter_kind of those that are not told */
	bool at_once;			/* queues as they seem, also of what will never come back */
};

struct lanes;

/**
 * lanes_new, lanes_free - begin to make lanes of a trace
 * @follow: open, not yet run; must outlive the lanes. Adds an analysis to it
 * @slices: whose turns get lanes, with its analysis added to @follow; lanes_new() listens to it
 * @vcpus: the same of threads; NULL: none do
 * @ops: what to tell, with @ctx; must outlive the lanes
 *
 * For exact queues from the beginning on, QUANTITY_BLAME must be among what @follow was
 * opened for. Where the kernel does not tell what had been queued before the trace, COUNTER_QUEUE
 * lacks it until it is first seen; LANE_LIVES has it.
 */
struct lanes *lanes_new(struct follow *follow, struct slices *slices, struct vcpus *vcpus,
			const struct lanes_ops *ops, void *ctx);
void lanes_free(struct lanes *lanes);

/**
 * lanes_finish - tell what lasts until the end; after model_finish(), slices_finish() and
 * vcpus_finish()
 */
void lanes_finish(struct lanes *lanes);

/**
 * lanes_dropped - intervals that found no lane, because LANES_MAX of their owner were full
 */
uint64_t lanes_dropped(const struct lanes *lanes);

/* so many lanes of one kind can an owner have; more at once are damage */
#define LANES_MAX	1024

/**
 * lane_kind_name - "turns", "engine", "waits", "workloads", "vcpu", "lost"
 * lane_state_name - "waits", "executes", ...
 * lane_mark_name - "queues a workload", ...
 * counter_name - "queue length", "slice left", "utilisation"
 * counter_unit - "workloads", "ns", "%"
 */
const char *lane_kind_name(enum lane_kind kind);
const char *lane_state_name(enum lane_state state);
const char *lane_mark_name(enum lane_mark_kind kind);
const char *counter_name(enum counter_kind kind);
const char *counter_unit(enum counter_kind kind);

#endif
