/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What guests submit, as far as a trace tells: streams of workloads with their execution times and
 * what each waited for before it was queued. From these, other settings can be simulated.
 * A stream is closed if its workloads wait for earlier ones, of which so many are in flight at once,
 * and open if they come by a clock, whatever became of the others.
 */
#ifndef GVTTRACE_STREAMS_H
#define GVTTRACE_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/model.h"
#include "trace/timespan.h"

/* what may make a simulation of a stream wrong */
enum stream_doubt {
	STREAM_BACKLOGGED,		/* open, and its guest often could queue no more */
	STREAM_UNLIMITED,		/* open, and how many its guest can queue was not seen */
	STREAM_SHORT,			/* few workloads whose begin and end were seen */
	STREAM_UNSEEN,			/* none: it cannot be simulated */
	STREAM_GUESSED_PIECES,		/* where its workloads can be taken off is not known */
	STREAM_NEVER_TAKEN_OFF,		/* none was, under preemptive dispatch: it is taken that none can be */
	STREAM_IDLE_WORK,		/* its guest's driver has a context for idle times: that is left out */
	STREAM_CUT,			/* there were more workloads than were looked at */
	STREAM_PART,			/* closed, and at work in a part of the window only */
	STREAM_CHANGED,			/* settings were changed; for who knows that to say */
	STREAM_DOUBTS
};

#define STREAM_NO_LIMIT	1000	/* taken for no limit of workloads in flight */
/* so many workloads of a stream are looked at; the more streams, the less of each */
#define STREAM_MOST	(1u << 18)

/* one workload; times in ns */
struct stream_work {
	int64_t exec_ns;
	/* open: when it came, from the begin of the window; else how long after what it waited for */
	int64_t at_ns;
	/* it waited for the completion of the one so many before; 0: until that before was queued */
	unsigned int lag;
};

/* what a vGPU does on one engine */
struct stream {
	const struct vgpu *vgpu;
	const struct gpu_engine *engine;
	bool open;
	unsigned int depth;		/* workloads in flight at most; open: that its guest can have */
	unsigned int contexts;		/* of the guest */
	int64_t piece_ns;		/* how far apart workloads can be taken off; 0: they cannot */
	double full;			/* part of the workloads that found the guest's queue full */
	GArray *work;			/* struct stream_work */
	unsigned int doubts;		/* bits of enum stream_doubt */
};

struct streams;
/**
 * streams_new - begin to collect what the model tells; streams_free() frees
 */
struct streams *streams_new(struct model *model);
void streams_free(struct streams *streams);

/**
 * streams_infer - conclude what the guests do, after model_finish()
 * @window: of open streams, workloads that were queued in it count
 *
 * Returns an array of struct stream *, in the order of the model's vgpu_engines, that lives as long
 * as @streams. Those with STREAM_UNSEEN have no work.
 */
const GPtrArray *streams_infer(struct streams *streams, struct window window);

/**
 * streams_is_idle_work - does the guest's driver let it execute as there is nothing else to do?
 */
bool streams_is_idle_work(const struct streams *streams, const struct workload *w);
/**
 * stream_doubt_text - what is doubtful, in words
 */
const char *stream_doubt_text(enum stream_doubt doubt);

#endif
