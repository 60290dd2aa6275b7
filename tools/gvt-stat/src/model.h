/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of workloads, vGPUs and engines as the events of a trace move it.
 *
 *   gpu_engine        one engine of one GPU ("rcs0")
 *     vgpu_engine     one vGPU's queue for that engine
 *       workload      alive from its first to its last event
 *
 * Analyses do not look at workload events themselves: they listen to what the
 * model concludes from them. The model keeps only what is alive.
 */
#ifndef GVT_STAT_MODEL_H
#define GVT_STAT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "events.h"

struct vgpu {
	int64_t dev;
	int64_t id;
	int64_t weight;
	int64_t fences;
	int64_t aperture_bytes;
	int64_t hidden_bytes;
	int64_t owner_pid;
	char *type;			/* NULL: not told */
	char *uuid;			/* NULL: not told */
	bool reused;			/* the id was given to another vGPU meanwhile */
};

struct gpu_engine {
	int64_t dev;
	int64_t class;
	int64_t instance;
	unsigned int index;		/* position in model's engines */
	GQueue unfinished;		/* completed, but on the engine for all we know */
};

struct vgpu_engine {
	struct vgpu *vgpu;
	struct gpu_engine *engine;
	unsigned int index;		/* position in model's vgpu_engines */
};

/* the settings that gvt_sched_info told last, per GPU */
struct sched_info {
	int64_t dev;
	int64_t vgpus;
	int64_t tick_ns;
	int64_t period_ns;
	int64_t stages;
	int64_t boost_ns;
	int64_t carry_over;
	int64_t leftover_max_ns;
	int64_t max_wait_ns;
	int64_t anticipation_ns;
	char *policy;			/* NULL: not told */
	char *dispatch;			/* NULL: not told */
};

enum workload_state {
	WORKLOAD_COMPLETE,		/* its whole life was seen */
	WORKLOAD_CANCELLED,
	WORKLOAD_OPEN,			/* still alive when the trace ended */
	WORKLOAD_PARTIAL,		/* ended, but an event of its life was not seen */
};

struct workload {
	int64_t id;
	struct vgpu_engine *queue;
	int64_t guest_lrca;
	int64_t ctx;
	int64_t seqno;
	int64_t lrca;
	int64_t queue_ns;
	int64_t submit_ns;
	int64_t start_ns;		/* first time on the engine */
	int64_t stop_ns;		/* last time off the engine */
	int64_t end_ns;			/* complete or cancel */
	int64_t piece_ns;		/* start of the running or last piece */
	int64_t exec_ns;		/* sum of the pieces that ended */
	int64_t status;			/* 0 or -errno; UNKNOWN before complete */
	int64_t pieces;
	bool from_before;		/* queued before the trace began */
	bool waiting;			/* in the queue, not on the engine */
	bool running;			/* on the engine */
	bool exec_unknown;		/* a start or stop was not seen */
	bool completed;
	bool cancelled;
	bool tainted;			/* alive while events were lost */
};

/* one stretch of time on the engine */
struct piece {
	const struct workload *workload;
	int64_t start_ns;		/* UNKNOWN: not seen */
	int64_t stop_ns;		/* UNKNOWN: after the trace */
	int64_t completed;		/* 1, 0: switched out, UNKNOWN: still running */
	bool from_before;		/* running since before the trace; else an unknown */
					/* start was lost */
};

/*
 * What a listener is told; all pointers may be NULL. Every queue change is one
 * call of @waiting. A workload that waits since before the trace began is told
 * with @delta +1 and @ts_ns UNKNOWN when it is first seen.
 */
struct model_listener {
	void (*arrived)(void *ctx, const struct workload *w, int64_t ts_ns);
	void (*waiting)(void *ctx, const struct workload *w, int64_t ts_ns, int delta);
	void (*piece)(void *ctx, const struct piece *piece);
	void (*ended)(void *ctx, const struct workload *w);
	void *ctx;
};

/* the events that move the model; it does without those that a trace lacks */
#define MODEL_EVENTS	(EVENT_BIT(EVENT_SCHED_INFO + 1) - 1)

struct model;

struct model *model_new(void);
void model_free(struct model *model);

/**
 * model_listen - call @listener from now on; copied, but not its context
 */
void model_listen(struct model *model, const struct model_listener *listener);

/**
 * model_event - move on by one event; others than those it knows are ignored
 */
void model_event(struct model *model, const struct event *event);

/* Everything alive between these two is tainted; pairs may nest. */
void model_gap_begin(struct model *model);
void model_gap_end(struct model *model);

/**
 * model_finish - the trace is over: tell the listeners of what is still alive
 *
 * Workloads come in the order of their ids.
 */
void model_finish(struct model *model);

/* all that were seen, in the order in which they were; owned by the model */
const GPtrArray *model_vgpus(const struct model *model);
const GPtrArray *model_engines(const struct model *model);
const GPtrArray *model_vgpu_engines(const struct model *model);
const GPtrArray *model_sched_infos(const struct model *model);

/* events that contradict what was known, for example a second completion */
uint64_t model_strays(const struct model *model);

/* workloads that were alive while events were lost; final after model_finish() */
uint64_t model_tainted(const struct model *model);

/**
 * workload_state - how much of a life was seen; final once it ended
 */
enum workload_state workload_state(const struct workload *w);
const char *workload_state_name(enum workload_state state);

/*
 * Durations of one workload in ns, UNKNOWN when the trace does not tell.
 * Belkhiri and Dagenais 2024, 4.2.2 and figure 4: the wait W is the time in queues, from
 * gvt_workload_queue to the start, plus the time switched out; the latency is
 * W + E with E the execution, which is the time from queue to last stop. What
 * comes after the last stop (the CPU noticing) is only in the turnaround, from
 * queue to gvt_workload_complete.
 */
int64_t workload_exec(const struct workload *w);
int64_t workload_wait(const struct workload *w);
int64_t workload_latency(const struct workload *w);
int64_t workload_turnaround(const struct workload *w);

#endif
