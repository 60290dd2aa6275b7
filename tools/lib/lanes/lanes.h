/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace in drawable form: lanes with intervals, counters, and the path of each
 * workload from lane to lane. Every view of a trace draws this and nothing else.
 *
 * Nothing overlaps on a lane: simultaneous intervals go to several lanes of the same kind
 * and owner, each to the first that is free. Reports for one lane come in chronological
 * order, and so do the steps of a workload; those for several lanes do not. Everything is
 * clipped to the window.
 *
 *   LANE_TURNS    whose turn it is, on a GPU, or on an engine that has its own turn
 *   LANE_ENGINE   whose work runs on the engine: only certain times, the same as in report;
 *                 the host's own work is that of a vGPU with id 0, named "host"
 *   LANE_WAITS    why the work in a vGPU's queue waits, as in blame
 *   LANE_LIVES    each workload of a queue, from gvt_workload_queue to its end
 *   LANE_VCPU     states of a vCPU thread, as in vcpu
 *   LANE_LOST     where events were lost, so that other lanes may be incomplete: those of
 *                 all engines, of one engine, or of a queue
 *
 * Two workloads may seem to overlap briefly on an engine, as the CPU learns of their times
 * late. LANE_ENGINE gives that time to the first; LANE_LIVES has the times of the events.
 *
 * Memory grows with the number of live workloads and of lanes, not with the trace.
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

/* a lane; pointers that do not apply are NULL */
struct lane {
	enum lane_kind kind;
	unsigned int index;		/* among all lanes, in the order of creation */
	unsigned int slot;		/* among lanes of the same kind and owner, from 0 */
	const struct gpu *gpu;		/* NULL: LANE_VCPU, LANE_LOST of all engines */
	const struct gpu_engine *engine;
	const struct vgpu *vgpu;
	const struct vcpu *vcpu;
};

/* the state shown by an interval */
enum lane_state {
	LANE_TURN,			/* LANE_TURNS */
	LANE_RUNS,			/* LANE_ENGINE */
	LANE_WAITING,			/* LANE_WAITS; LANE_LIVES: in queues before the engine */
	LANE_EXECUTES,			/* LANE_LIVES: a piece */
	LANE_PREEMPTED,			/* LANE_LIVES: preempted */
	LANE_COMPLETES,			/* LANE_LIVES: from the last stop to the end */
	LANE_UNSEEN,			/* LANE_LIVES: events of this time were lost */
	LANE_UNSURE,			/* LANE_LOST */
	LANE_GUEST,			/* LANE_VCPU, here and below: as in enum vcpu_state */
	LANE_VMM,
	LANE_OFF_CPU,			/* preempted by another thread */
	LANE_RUNNABLE,
	LANE_BLOCKED,
	LANE_STATES
};

/* how an interval begins or ends */
enum lane_limit {
	LIMIT_SEEN,			/* with an event */
	LIMIT_CUT,			/* at the end of window or trace: it is longer */
	LIMIT_LOST,			/* in a gap, or it may have been interrupted in one */
};

/* a workload's path: its queueing, wait, engine, completion, and the vCPU it woke up, if known */
enum lane_edge {
	EDGE_NONE,
	EDGE_BEGIN,			/* first step of the path */
	EDGE_STEP,
	EDGE_END,
};

/* an interval; pointers are valid during the call; lanes, vGPUs and engines live on */
struct lane_interval {
	const struct lane *lane;
	enum lane_state state;
	int64_t from_ns;
	int64_t to_ns;			/* not before @from_ns */
	enum lane_limit begin;
	enum lane_limit end;
	const struct workload *workload;	/* LANE_ENGINE, NULL: the host's; LANE_LIVES */
	const struct vgpu *vgpu;	/* owner of turn, work, queue or thread; or NULL */
	enum wait_class class;		/* LANE_WAITS: the reason; else WAIT_NONE */
	const struct vgpu *culprit;	/* LANE_WAITS: as in struct stretch; else NULL */
	enum lane_edge edge;
};

/* kinds of marks */
enum lane_mark_kind {
	MARK_QUEUES,			/* a thread queued a workload */
	MARK_WOKEN,			/* a completed workload woke up a vCPU thread */
	MARK_KINDS
};

/* an event at one point in time */
struct lane_mark {
	enum lane_mark_kind kind;
	const struct lane *lane;	/* LANE_VCPU; NULL: the thread is no known vCPU */
	int64_t at_ns;
	int64_t tid;			/* UNKNOWN: not traced */
	struct workload_key workload;
	const struct vgpu *vgpu;
	enum lane_edge edge;
};

/* what a counter counts */
enum counter_kind {
	COUNTER_QUEUE,			/* waiting workloads, of a vGPU on an engine */
	COUNTER_LEFT,			/* remaining slice in ns; below 0: debt */
	COUNTER_BUSY,			/* per cent until the next sample; of an engine, */
					/* or of a vGPU on it */
	COUNTER_POWER,			/* in W until the next sample; of a GPU, as these: */
	COUNTER_FREQUENCY,		/* in MHz, mean while i915 kept it awake */
	COUNTER_RC6,			/* in RC6, in per cent of the time */
	COUNTER_KINDS
};

#define COUNTERS_OF_POWER	(1 << COUNTER_POWER | 1 << COUNTER_FREQUENCY | 1 << COUNTER_RC6)

/* a counter; each value is valid until the next sample */
struct lane_counter {
	enum counter_kind kind;
	unsigned int index;		/* among all counters, in the order of creation */
	const struct gpu *gpu;
	const struct gpu_engine *engine;	/* NULL: all engines */
	const struct vgpu *vgpu;	/* NULL: all vGPUs */
};

/* interval of COUNTER_BUSY's samples in ns, from the beginning of the window */
#define LANES_BUSY_NS	10000000

/* callbacks of a view, for lanes and counters before their content; may be NULL */
struct lanes_ops {
	void (*lane)(void *ctx, const struct lane *lane);
	/* a workload occupies a lane from now on; its intervals follow when they end */
	void (*life)(void *ctx, const struct lane *lane, const struct workload *w);
	void (*interval)(void *ctx, const struct lane_interval *interval);
	void (*mark)(void *ctx, const struct lane_mark *mark);
	void (*counter)(void *ctx, const struct lane_counter *counter);
	void (*sample)(void *ctx, const struct lane_counter *counter, int64_t at_ns, double value);
	unsigned int no_counters;	/* 1 << enum counter_kind of unwanted counters */
	bool at_once;			/* count preempted work at once, even if it never resumes */
};

struct lanes;

/**
 * lanes_new, lanes_free - begin to build the lanes of a trace
 * @follow: open, not yet run; must outlive the lanes; gets an analysis added
 * @slices: source of LANE_TURNS, its analysis already added to @follow; lanes_new() listens to it
 * @vcpus: the same for LANE_VCPU; NULL: no such lanes
 * @ops: callbacks, with @ctx; must outlive the lanes
 *
 * For exact queues from the beginning on, follow_open() needs QUANTITY_BLAME in the selection.
 * If the kernel does not report the work queued before the trace, COUNTER_QUEUE lacks such work
 * until it is first seen; LANE_LIVES has it.
 */
struct lanes *lanes_new(struct follow *follow, struct slices *slices, struct vcpus *vcpus,
			const struct lanes_ops *ops, void *ctx);
void lanes_free(struct lanes *lanes);

/**
 * lanes_finish - report intervals that last until the end; after model_finish(),
 * slices_finish() and vcpus_finish()
 */
void lanes_finish(struct lanes *lanes);

/**
 * lanes_dropped - number of intervals without a lane, as the owner had LANES_MAX lanes in use
 */
uint64_t lanes_dropped(const struct lanes *lanes);

/* maximum number of lanes of one kind and owner; more at once are damage */
#define LANES_MAX	1024

/**
 * lane_kind_name - "turns", "engine", "waits", "workloads", "vcpu", "lost"
 * lane_state_name - "waits", "executes", ...
 * lane_mark_name - "queues a workload", ...
 * counter_name - "queue length", "slice left", "utilisation", "power", "frequency", "RC6"
 * counter_unit - "workloads", "ns", "%", "W", "MHz", "%"
 */
const char *lane_kind_name(enum lane_kind kind);
const char *lane_state_name(enum lane_state state);
const char *lane_mark_name(enum lane_mark_kind kind);
const char *counter_name(enum counter_kind kind);
const char *counter_unit(enum counter_kind kind);

#endif
