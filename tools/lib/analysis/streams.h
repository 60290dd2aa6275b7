/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guests' submissions, as far as a trace shows them: streams of workloads with their
 * execution times and what each waited for before it was queued. Input to simulations of other
 * settings. A stream is closed if its workloads wait for earlier ones, and open if they arrive
 * regardless of them. Replay decides: what would a guest of each kind have queued when, given the
 * recorded completions? All kinds that explain the recording about equally well are kept.
 */
#ifndef GVTTRACE_STREAMS_H
#define GVTTRACE_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/model.h"
#include "trace/timespan.h"

/* why a simulation of a stream may be wrong */
enum stream_doubt {
	STREAM_AMBIGUOUS,		/* several kinds are possible: see @others */
	STREAM_BACKLOGGED,		/* declared open, but its guest's queue was always full */
	STREAM_UNLIMITED,		/* open, and its guest's queue limit is unknown */
	STREAM_SHORT,			/* few workloads with begin and end seen */
	STREAM_UNSEEN,			/* no such workload: it cannot be simulated */
	STREAM_GUESSED_PIECES,		/* points of preemption in its workloads are unknown */
	STREAM_NEVER_PREEMPTED,		/* never preempted: assumed to be unpreemptible */
	STREAM_IDLE_WORK,		/* guest's driver has an idle-time context: excluded */
	STREAM_CUT,			/* there were more workloads than could be kept */
	STREAM_PART,			/* closed, and active in a part of the window only */
	STREAM_CHANGED,			/* settings changed; set by the caller */
	STREAM_HOST,			/* the host's own work used its engine */
	STREAM_DOUBTS
};

#define STREAM_DEEP	8	/* a guest whose limit is unknown may queue so many */
#define STREAM_NO_LIMIT	1000	/* no limit of workloads in flight: more than any guest has */
#define STREAM_CONTEXTS	8	/* contexts of a vGPU on an engine that are analysed separately */
#define STREAM_MOST	(1u << 18)	/* workloads kept per stream; less if there are many streams */

/* one workload; times in ns */
struct stream_work {
	int64_t exec_ns;
	/* open: arrival, from the start of the window; else: delay after the one it waited for */
	int64_t at_ns;
	/* how many workloads earlier that one was queued; 0: waited for the previous queueing */
	unsigned int lag;
};

/* arrival processes of a guest */
enum stream_kind {
	STREAM_LOOP,			/* after an earlier completion or queueing */
	STREAM_TIMETABLE,		/* periodically, regardless of other workloads */
	STREAM_RANDOM,			/* at random, regardless of other workloads */
	STREAM_SERVED,			/* at an unknown rate, at least the served one */
};

/* the workloads of one context of a vGPU, or of several interdependent ones, on one engine */
struct stream {
	const struct vgpu *vgpu;
	const struct gpu_engine *engine;
	enum stream_kind kind;
	bool open;			/* not STREAM_LOOP */
	unsigned int depth;		/* maximum workloads in flight; open: the guest's limit */
	unsigned int least_depth;	/* open: lower bound of @depth */
	double period_ns;		/* STREAM_TIMETABLE only */
	unsigned int contexts;		/* number of the guest's contexts */
	int64_t piece_ns;		/* distance of preemption points; 0: not preemptible */
	bool always;			/* preemptible in other dispatch modes: for the host */
	double full;			/* share of workloads that found a full guest queue */
	GArray *work;			/* struct stream_work */
	unsigned int doubts;		/* enum stream_doubt bits; the first context has all */
	GPtrArray *others;		/* struct stream: alternatives, kind and work only */
	struct stream *also;		/* next context on this engine; or NULL */
};

/* whether workloads arrive independently (open), or wait for earlier ones */
enum stream_arrivals { STREAM_ANY, STREAM_OPEN, STREAM_CLOSED };

/* external knowledge of a vGPU's streams */
struct stream_told {
	enum stream_arrivals arrivals;
	int64_t period_ns;		/* period; 0: unknown */
	unsigned int depth;		/* 0: unknown */
};

struct streams;
/**
 * streams_new - begin to collect from the model; streams_free() frees
 */
struct streams *streams_new(struct model *model);
void streams_free(struct streams *streams);

/**
 * stream_become - turn a stream into one of its alternatives
 * @nr: index in its others, the last one if out of range; shares the alternative's work
 */
void stream_become(struct stream *stream, unsigned int nr);

/**
 * stream_lacks_limit - is its guest's limit unknown? An alternative has no STREAM_UNLIMITED.
 */
bool stream_lacks_limit(const struct stream *stream);

/**
 * streams_keep - limit the number of workloads kept of all streams; before the first event
 */
void streams_keep(struct streams *streams, unsigned int most);

/**
 * streams_tell - provide knowledge of a vGPU; before streams_infer()
 */
void streams_tell(struct streams *streams, int64_t vgpu_id, const struct stream_told *told);

/**
 * streams_infer - infer the guests' streams, after model_finish()
 * @window: uses workloads that were queued in it
 *
 * Returns an array of struct stream *, in the order of the model's vgpu_engines, that lives as long
 * as @streams. Those with STREAM_UNSEEN have no work.
 */
const GPtrArray *streams_infer(struct streams *streams, struct window window);

/**
 * streams_is_idle_work - does the guest's driver run it only because the engine would be idle?
 */
bool streams_is_idle_work(const struct streams *streams, const struct workload *w);
/**
 * stream_kind_name - one word, for programs
 */
const char *stream_kind_name(enum stream_kind kind);
/**
 * stream_doubt_text - describe a doubt about a stream to users; the caller frees
 */
char *stream_doubt_text(const struct stream *stream, enum stream_doubt doubt);

#endif
