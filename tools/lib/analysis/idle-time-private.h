/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What idle.c and the files beside it share: where the time of each engine went so far.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_IDLE_TIME_PRIVATE_H
#define GVTTRACE_IDLE_TIME_PRIVATE_H

#include <stdbool.h>

#include <glib.h>

#include "idle-private.h"

/* a set of reasons */
#define REASON_BIT(reason)	(1u << (reason))

/*
 * So many are kept until a submission or a switch proves their reasons. Between
 * two of these there are hardly more than a few.
 */
#define PENDING_MAX	256

/* a stretch of idle time */
struct segment {
	int64_t from_ns;
	int64_t to_ns;
	enum idle_reason reason : 16;
	enum idle_turn turn : 16;
	bool several;			/* IDLE_I915: for the sake of more than one workload */
	bool off;			/* IDLE_I915: all of it was taken off the engine unfinished */
	bool alone;			/* an engine has one workload at most that is submitted */
	const struct vgpu_engine *queue;	/* that waited at its beginning, or NULL */
};

/* the time in which one queue waited, by reason and turn */
struct idle_parts {
	int64_t time_ns[IDLE_REASONS][IDLE_TURNS];
};

/* one engine */
struct engine_time {
	struct idle_row row;
	struct idle_parts unclear;	/* something waited, it is not known what */
	struct segment last;		/* accounted, with all like it before */
	struct segment pending[PENDING_MAX];	/* the reason may yet change */
	unsigned int nr_pending;
	unsigned int nr_proved;		/* of these, only what is off the engine may change */
	struct segment now;		/* goes on; its end is not known */
	GArray *doubtful;		/* struct segment: since the last gap, to be accounted when it */
					/* is known whether they are right; NULL: they are */
	bool parked;			/* i915 had nothing but what was off, some of which still is */
	int64_t parked_ns;		/* since when; pending begins there, or before */
	int64_t picked_ns;		/* since when the vGPU just picked could have run */
	int64_t broken_ns;		/* where the accounted time first has a hole; UNKNOWN */
};

struct idle {
	struct follow *follow;
	GPtrArray *engines;		/* struct engine_time, by gpu_engine.index */
	GPtrArray *queues;		/* struct idle_parts, by vgpu_engine.index */
	unsigned int doubted;		/* engines of which something is doubtful */
	const struct gpu_engine *recent;	/* of the last event of a workload; NULL */
	unsigned int nr_picked;		/* engines whose picked_ns is known */
	int64_t lost_ns;		/* since when events may be lost; UNKNOWN: none were */
};

/* --- idle-time.c --- */

/**
 * idle_add_engines - make room for the time of engines up to @index
 */
void idle_add_engines(struct idle *idle, unsigned int index);

/* an engine's time, by gpu_engine.index */
static inline struct engine_time *idle_engine(struct idle *idle, unsigned int index)
{
	if (index >= idle->engines->len)
		idle_add_engines(idle, index);
	return idle->engines->pdata[index];
}

/* May something have waited for the engine? */
static inline bool idle_is_wait(enum idle_reason reason)
{
	return reason != IDLE_BUSY && reason != IDLE_HOST && reason != IDLE_EMPTY;
}

/**
 * idle_close - what has gone on since the last change is over
 *
 * It goes on from @ts_ns with the same reason, until that is changed.
 */
void idle_close(struct idle *idle, struct engine_time *engine, int64_t ts_ns);

/**
 * idle_settle - the reasons of what is pending do not change any more
 */
void idle_settle(const struct idle *idle, struct engine_time *engine);

/**
 * idle_prove_parked - the same while parked: what is off may yet turn out to be over
 */
void idle_prove_parked(const struct idle *idle, struct engine_time *engine);

/* a submission or a switch proves the reasons of what is pending */
static inline void idle_prove(const struct idle *idle, struct engine_time *engine)
{
	if (engine->parked)
		idle_prove_parked(idle, engine);
	else if (engine->nr_pending)
		idle_settle(idle, engine);
}

/**
 * idle_doubt - from now on it may turn out that reasons are wrong
 */
void idle_doubt(struct idle *idle, struct engine_time *engine);

/**
 * idle_trust - no more; what was doubtful is
 * @right: as it was told; or else unknown
 */
void idle_trust(struct idle *idle, struct engine_time *engine, bool right);

/**
 * idle_unpark - nobody will know whether what was taken off was to come back, or over
 */
void idle_unpark(struct engine_time *engine);

/**
 * idle_mislead - what was doubtful is unknown up to now, and doubts remain
 */
void idle_mislead(struct idle *idle, struct engine_time *engine, int64_t ts_ns);

/**
 * idle_convert - what is pending from @from_ns on with one of @reasons was idle for another one
 * @reasons: of REASON_BIT()
 */
void idle_convert(const struct idle *idle, struct engine_time *engine, int64_t from_ns,
		  unsigned int reasons, enum idle_reason to);

/**
 * idle_complete - where i915 had only one workload from @from_ns on, that was over
 */
void idle_complete(struct engine_time *engine, int64_t from_ns);

/**
 * idle_rewrite - what was idle since the trace began with one of @reasons had another one after all
 * @reasons: of REASON_BIT()
 * @vgpu: whose work waited then; NULL: nobody's
 */
void idle_rewrite(struct idle *idle, const struct gpu_engine *of, unsigned int reasons,
		  enum idle_reason to, int64_t ts_ns, const struct vgpu *vgpu);

/* --- idle-reasons.c --- */

/**
 * idle_reason_of - what the engine's time goes to now
 */
enum idle_reason idle_reason_of(const struct gpu_engine *engine);

/**
 * idle_turn_of - whose turn it is while @queue, or NULL: perhaps one, waits for its idle engine
 */
enum idle_turn idle_turn_of(const struct gpu_engine *engine, const struct vgpu_engine *queue);

/**
 * idle_begin - its time goes to @reason from now on
 */
void idle_begin(struct engine_time *time, const struct gpu_engine *engine,
		enum idle_reason reason);

#endif
