/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of this room: owners of lanes, and how intervals get onto lanes.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_LANES_PRIVATE_H
#define GVTTRACE_LANES_PRIVATE_H

#include <glib.h>

#include "trace/energy-sample.h"
#include "lanes.h"

/* a lane, and until when it is occupied */
struct slot {
	struct lane lane;
	int64_t until_ns;
	bool held;			/* by a live workload */
};

/* all lanes of one kind and owner */
struct track {
	struct lane owner;		/* index and slot are unused */
	GPtrArray *slots;		/* struct slot */
	/* LANE_LOST: the last, extensible interval; none if @to_ns < @from_ns */
	int64_t from_ns;
	int64_t to_ns;
};

/* execution time in the current LANES_BUSY_NS of an engine or queue */
struct busy {
	struct lane_counter *counter;
	int64_t nr;			/* its number, from the beginning of the window */
	int64_t sum_ns;
	double told;			/* last reported value; NAN: none yet */
};

/* a queue's length */
struct length {
	struct lane_counter *counter;
	int64_t value;
	const struct workload *off;	/* preempted; NULL: none */
	GArray *held;			/* changes since then, until it is back or ended; or NULL */
};

/* the last samples of a GPU's energy, and of i915's counters; power.c */
struct power {
	struct energy_counter counter;	/* of the last sample; its unit is 0 if there is none */
	uint64_t count;
	int64_t at_ns;
	struct energy_gpu gpu;
	int64_t gpu_ns;			/* UNKNOWN: none */
	struct lane_counter *counters[COUNTER_KINDS];	/* NULL: not yet */
};

struct lanes {
	struct follow *follow;
	const struct lanes_ops *ops;
	void *ctx;
	GPtrArray *tracks;		/* struct track, of all kinds */
	GPtrArray *by_queue[LANE_KINDS];	/* struct track by vgpu_engine.index, or NULL */
	GPtrArray *by_engine[LANE_KINDS];	/* by gpu_engine.index */
	GPtrArray *by_line;		/* LANE_VCPU: by vcpu.line */
	unsigned int nr_lanes;
	uint64_t dropped;
	GArray *lives;			/* of workloads by workload.nr; lives.c */
	GPtrArray *hosts;		/* struct vgpu: the host's own work, per GPU */
	GPtrArray *counters;		/* struct lane_counter */
	GPtrArray *left;		/* those of kind COUNTER_LEFT */
	GArray *busy_engines;		/* struct busy by gpu_engine.index; counters.c */
	GArray *busy_queues;		/* by vgpu_engine.index */
	GArray *lengths;		/* struct length by vgpu_engine.index */
	struct power power;
	const struct vcpus *vcpus;	/* NULL: none */
	GArray *wakes;			/* wake-ups of vCPUs, by vcpu.line; marks.c */
};

/* tracks.c: no tracks yet */
GPtrArray *lanes_new_tracks(void);

/**
 * lanes_track - the lanes of an owner
 */
struct track *lanes_track(struct lanes *lanes, const struct lane *owner);

/**
 * lanes_track_of_queue, _of_engine, _of_vcpu - the same, faster
 */
struct track *lanes_track_of_queue(struct lanes *lanes, enum lane_kind kind,
				   const struct vgpu_engine *queue);
struct track *lanes_track_of_engine(struct lanes *lanes, enum lane_kind kind,
				    const struct gpu_engine *engine);
struct track *lanes_track_of_vcpu(struct lanes *lanes, const struct vcpu *vcpu);

/**
 * lanes_hold - reserve the first lane that is free from @from_ns on; NULL: none
 */
struct slot *lanes_hold(struct lanes *lanes, struct track *track, int64_t from_ns);

/**
 * lanes_put - clip an interval to the window and report it
 * @slot: the reserved lane; NULL: the first of @track that is free
 * @interval: modified: its lane is set; UNKNOWN times become those of the ends of the trace
 *
 * Reports empty intervals only of workloads.
 */
void lanes_put(struct lanes *lanes, struct track *track, struct slot *slot,
	       struct lane_interval *interval);

/* lives.c */
GArray *lives_new(void);
void lives_arrived(void *ctx, const struct workload *w, int64_t ts_ns);
void lives_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns);
/* a workload starts: reports its wait before the piece, which may be empty */
void lives_start(struct lanes *lanes, const struct workload *w);
void lives_piece(void *ctx, const struct piece *piece);
void lives_ended(void *ctx, const struct workload *w);

/* marks.c */
GArray *marks_new_wakes(void);
/* only if marks are wanted */
void marks_queued(struct lanes *lanes, const struct event *event);
void marks_wakes(struct lanes *lanes, const struct event *event);
/* did its completion wake up a vCPU? */
bool marks_woke(const struct lanes *lanes, const struct workload *w);
/* reports this wake-up */
void marks_woken(struct lanes *lanes, const struct workload *w);

/* counters.c */
static inline bool counters_wanted(const struct lanes *lanes, enum counter_kind kind)
{
	return lanes->ops->sample && !(lanes->ops->no_counters & 1u << kind);
}

struct lane_counter *counters_new(struct lanes *lanes, enum counter_kind kind, const struct gpu *gpu,
				  const struct gpu_engine *engine, const struct vgpu *vgpu);
void counters_sample(struct lanes *lanes, const struct lane_counter *counter, int64_t at_ns, double value);
GArray *counters_new_lengths(void);
/* only if COUNTER_QUEUE is wanted */
void counters_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta);
void counters_ran(struct lanes *lanes, const struct workload *w, int64_t from_ns, int64_t to_ns);
void counters_left(struct lanes *lanes, const struct event *event);
void counters_finish(struct lanes *lanes);

/* power.c: a mark, which may be a sample of energy */
void power_mark(struct lanes *lanes, const struct event *event);

#endif
