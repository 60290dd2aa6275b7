/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What guests submit, as far as a trace tells: streams of workloads with their execution times and
 * what each waited for before it was queued. From these, other settings can be simulated.
 * A stream is closed if its workloads wait for earlier ones, and open if they come whatever became of
 * the others. Which it is, replay decides: what would a guest of each kind have queued when, with the
 * completions that were recorded? Kinds that explain the recording about as well are all kept.
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
	STREAM_AMBIGUOUS,		/* it may be of several kinds: see its others */
	STREAM_BACKLOGGED,		/* told to be open, and its guest's queue was always full */
	STREAM_UNLIMITED,		/* open, and how many its guest can queue was not seen */
	STREAM_SHORT,			/* few workloads whose begin and end were seen */
	STREAM_UNSEEN,			/* none: it cannot be simulated */
	STREAM_GUESSED_PIECES,		/* where its workloads can be taken off is not known */
	STREAM_NEVER_TAKEN_OFF,		/* none was, under preemptive dispatch: it is taken that none can be */
	STREAM_IDLE_WORK,		/* its guest's driver has a context for idle times: that is left out */
	STREAM_CUT,			/* there were more workloads than were looked at */
	STREAM_PART,			/* closed, and at work in a part of the window only */
	STREAM_CHANGED,			/* settings were changed; for who knows that to say */
	STREAM_HOST,			/* the host's own work used its engine */
	STREAM_DOUBTS
};

#define STREAM_NO_LIMIT	1000	/* more workloads in flight than any guest has */
#define STREAM_CONTEXTS	8	/* of a vGPU on an engine are looked at one by one */
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

/* when a guest queues */
enum stream_kind {
	STREAM_LOOP,			/* after what completed, or was queued, before */
	STREAM_TIMETABLE,		/* at its times, whatever becomes of the others */
	STREAM_RANDOM,			/* at any time, whatever becomes of the others */
	STREAM_SERVED,			/* at a rate that is unknown, and no lower than what was served */
};

/* what one context of a vGPU, or several that depend on each other, does on one engine */
struct stream {
	const struct vgpu *vgpu;
	const struct gpu_engine *engine;
	enum stream_kind kind;
	bool open;			/* no loop */
	unsigned int depth;		/* workloads in flight at most; open: that its guest can have */
	unsigned int least_depth;	/* open: the least that this may be */
	double period_ns;		/* of a timetable */
	unsigned int contexts;		/* of the guest */
	int64_t piece_ns;		/* how far apart workloads can be taken off; 0: they cannot */
	bool always;			/* they were, where dispatch is not preemptive: for the host */
	double full;			/* part of the workloads that found the guest's queue full */
	GArray *work;			/* struct stream_work */
	unsigned int doubts;		/* bits of enum stream_doubt; of the first context: of all */
	GPtrArray *others;		/* struct stream: what it may be as well, with work and no more */
	struct stream *also;		/* the next context on this engine; NULL: there is none */
};

/* whether workloads come by themselves, or wait for others of it */
enum stream_arrivals { STREAM_ANY, STREAM_OPEN, STREAM_CLOSED };

/* what somebody knows of a vGPU's streams */
struct stream_told {
	enum stream_arrivals arrivals;
	int64_t period_ns;		/* of a timetable; 0: not told */
	unsigned int depth;		/* 0: not told */
};

struct streams;
/**
 * streams_new - begin to collect what the model tells; streams_free() frees
 */
struct streams *streams_new(struct model *model);
void streams_free(struct streams *streams);

/**
 * stream_become - what it may be as well
 * @nr: of its others, or the last one; its work is used, too, and stays the other's
 */
void stream_become(struct stream *stream, unsigned int nr);

/**
 * streams_keep - look at no more than so many workloads of all streams; before the first event
 */
void streams_keep(struct streams *streams, unsigned int most);

/**
 * streams_tell - what is known of a vGPU; before streams_infer()
 */
void streams_tell(struct streams *streams, int64_t vgpu_id, const struct stream_told *told);

/**
 * streams_infer - conclude what the guests do, after model_finish()
 * @window: workloads that were queued in it count
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
 * stream_kind_name - one word, for programs
 */
const char *stream_kind_name(enum stream_kind kind);
/**
 * stream_doubt_text - what is doubtful about a stream, in words; the caller frees
 */
char *stream_doubt_text(const struct stream *stream, enum stream_doubt doubt);

#endif
