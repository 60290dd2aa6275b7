/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this room share: owners of lanes, and how intervals get onto them.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_LANES_PRIVATE_H
#define GVTTRACE_LANES_PRIVATE_H

#include <glib.h>

#include "lanes.h"

/* a lane, and until when it is taken */
struct slot {
	struct lane lane;
	int64_t until_ns;
	bool held;			/* by a workload that is alive */
};

/* all lanes of one kind and owner */
struct track {
	struct lane owner;		/* its index and slot mean nothing */
	GPtrArray *slots;		/* struct slot */
	/* LANE_LOST: what was told last, and may go on; none if it ends before it begins */
	int64_t from_ns;
	int64_t to_ns;
};

/* time on an engine in the LANES_BUSY_NS that are being summed up */
struct busy {
	struct lane_counter *counter;
	int64_t nr;			/* of them, from the window's beginning on */
	int64_t sum_ns;
	double told;			/* last value; NAN: none yet */
};

/* a queue's length */
struct length {
	struct lane_counter *counter;
	int64_t value;
	const struct workload *off;	/* taken off the engine; NULL: none is */
	GArray *held;			/* since then, until it is back or has ended there; or NULL */
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
	GPtrArray *hosts;		/* struct vgpu: for the host's own work, one of each GPU */
	GPtrArray *counters;		/* struct lane_counter */
	GPtrArray *left;		/* those of COUNTER_LEFT */
	GArray *busy_engines;		/* struct busy by gpu_engine.index; counters.c */
	GArray *busy_queues;		/* by vgpu_engine.index */
	GArray *lengths;		/* struct length by vgpu_engine.index */
	const struct vcpus *vcpus;	/* NULL: there are none */
	GArray *wakes;			/* of these by vcpu.line; marks.c */
};

/**
 * lanes_track - the lanes of an owner
 */
struct track *lanes_track(struct lanes *lanes, const struct lane *owner);

/**
 * lanes_track_of_queue - the same, quicker
 */
struct track *lanes_track_of_queue(struct lanes *lanes, enum lane_kind kind,
				   const struct vgpu_engine *queue);

/**
 * lanes_hold - take the first lane that is free from @from_ns on; NULL: there is none
 */
struct slot *lanes_hold(struct lanes *lanes, struct track *track, int64_t from_ns);

/**
 * lanes_put - clip an interval to the window and tell it
 * @slot: that is held; NULL: the first of @track that is free then
 * @interval: is changed: its lane is filled in; a time that is UNKNOWN is that of the trace's end
 *
 * One without length is told only if it is of a workload.
 */
void lanes_put(struct lanes *lanes, struct track *track, struct slot *slot,
	       struct lane_interval *interval);

/* lives.c */
GArray *lives_new(void);
void lives_arrived(void *ctx, const struct workload *w, int64_t ts_ns);
void lives_older(void *ctx, const struct workload *w, enum phase phase, int64_t ts_ns);
/* it came onto the engine: its wait is told before what it did there, as it may be without length */
void lives_start(struct lanes *lanes, const struct workload *w);
void lives_piece(void *ctx, const struct piece *piece);
void lives_ended(void *ctx, const struct workload *w);

/* marks.c */
GArray *marks_new_wakes(void);
/* only if marks are told */
void marks_queued(struct lanes *lanes, const struct event *event);
void marks_wakes(struct lanes *lanes, const struct event *event);
/* was a vCPU woken up when it was complete? */
bool marks_woke(const struct lanes *lanes, const struct workload *w);
/* tells that */
void marks_woken(struct lanes *lanes, const struct workload *w);

/* counters.c */
static inline bool counters_wanted(const struct lanes *lanes, enum counter_kind kind)
{
	return lanes->ops->sample && !(lanes->ops->no_counters & 1u << kind);
}

GArray *counters_new_lengths(void);
/* only if COUNTER_QUEUE is wanted */
void counters_waiting(void *ctx, const struct workload *w, int64_t ts_ns, int delta);
void counters_ran(struct lanes *lanes, const struct workload *w, int64_t from_ns, int64_t to_ns);
void counters_left(struct lanes *lanes, const struct event *event);
void counters_finish(struct lanes *lanes);

#endif
