/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by idle.c and its companions: the use of each engine's time so far.
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
 * Maximum number of segments kept until a submission or a switch proves their
 * reasons. Between two of these there are rarely more than a few.
 */
#define PENDING_MAX	256

/* maximum number of segments kept because the host may prove to have begun in them */
#define RECENT_MAX	16

/* a stretch of idle time */
struct segment {
	int64_t from_ns;
	int64_t to_ns;
	enum idle_reason reason : 16;
	enum idle_turn turn : 16;
	bool several;			/* IDLE_I915: for more than one workload */
	bool off;			/* IDLE_I915: all of the work was preempted */
	bool alone;			/* exclusive dispatch: at most one submitted workload */
	const struct vgpu_engine *queue;	/* that waited at the beginning, or NULL */
};

/* the time that one queue waited, by reason and turn */
struct idle_parts {
	int64_t time_ns[IDLE_REASONS][IDLE_TURNS];
};

/* one engine */
struct engine_time {
	struct idle_row row;
	struct idle_parts unclear;	/* work of an unknown queue waited */
	struct segment last;		/* last accounted segment, merged with equal ones */
	struct segment recent[RECENT_MAX];	/* segments that only the host's work may change: none */
	unsigned int nr_recent;			/* is before the last execution of a vGPU's or the host's */
	struct segment pending[PENDING_MAX];	/* segments whose reason may yet change */
	unsigned int nr_pending;
	unsigned int nr_proved;		/* of these, only preempted work may change them */
	struct segment now;		/* the current segment */
	GArray *doubtful;		/* struct segment since the last gap, accounted when */
					/* known to be right or wrong; NULL: all are right */
	bool parked;			/* i915 had only preempted work, and still has some */
	int64_t parked_ns;		/* since when; @pending starts there, or earlier */
	int64_t picked_ns;		/* since when the vGPU just picked was eligible */
	int64_t broken_ns;		/* first hole in the accounted time; UNKNOWN */
};

struct idle {
	struct follow *follow;
	GPtrArray *engines;		/* struct engine_time, by gpu_engine.index */
	GPtrArray *queues;		/* struct idle_parts, by vgpu_engine.index */
	unsigned int doubted;		/* number of engines with doubtful segments */
	const struct gpu_engine *recent;	/* of the last workload event; or NULL */
	unsigned int nr_picked;		/* number of engines with known picked_ns */
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

/* May work have waited for the engine? */
static inline bool idle_is_wait(enum idle_reason reason)
{
	return reason != IDLE_BUSY && reason != IDLE_HOST && reason != IDLE_EMPTY;
}

/**
 * idle_close - end the current segment
 *
 * A new one begins at @ts_ns with the same reason, until the reason is changed.
 */
void idle_close(struct idle *idle, struct engine_time *engine, int64_t ts_ns);

/**
 * idle_settle - the reasons of pending segments are final: account them
 */
void idle_settle(const struct idle *idle, struct engine_time *engine);

/**
 * idle_prove_parked - the same while parked: the preempted work may yet prove to have ended
 */
void idle_prove_parked(const struct idle *idle, struct engine_time *engine);

/* a submission or a switch proves the reasons of pending segments */
static inline void idle_prove(const struct idle *idle, struct engine_time *engine)
{
	if (engine->parked)
		idle_prove_parked(idle, engine);
	else if (engine->nr_pending)
		idle_settle(idle, engine);
}

/**
 * idle_doubt - from now on, reasons may later prove wrong
 */
void idle_doubt(struct idle *idle, struct engine_time *engine);

/**
 * idle_trust - end such doubts
 * @right: the doubtful segments are right; if false, their reasons are unknown
 */
void idle_trust(struct idle *idle, struct engine_time *engine, bool right);

/**
 * idle_unpark - whether preempted work was to resume, or had ended, stays unknown
 */
void idle_unpark(struct engine_time *engine);

/**
 * idle_mislead - doubtful segments up to now are unknown, and doubts remain
 */
void idle_mislead(struct idle *idle, struct engine_time *engine, int64_t ts_ns);

/**
 * idle_convert - change the reason of segments pending from @from_ns on with one of @reasons
 * @reasons: of REASON_BIT()
 */
void idle_convert(const struct idle *idle, struct engine_time *engine, int64_t from_ns,
		  unsigned int reasons, enum idle_reason to);

/**
 * idle_give_to_host - the host's own work has executed from @from_ns to @to_ns, as its stop shows
 *
 * Its start may have been seen late, or lost.
 */
void idle_give_to_host(struct idle *idle, struct engine_time *engine, int64_t from_ns, int64_t to_ns);

/**
 * idle_account_recent - nothing of the host's is to come that would change what is accounted
 */
void idle_account_recent(const struct idle *idle, struct engine_time *engine);

/**
 * idle_complete - the only workload that i915 had from @from_ns on had already ended
 */
void idle_complete(struct engine_time *engine, int64_t from_ns);

/**
 * idle_rewrite - change the reason of all idle time since the trace began with one of @reasons
 * @reasons: of REASON_BIT()
 * @vgpu: whose work waited then; NULL: none
 */
void idle_rewrite(struct idle *idle, const struct gpu_engine *of, unsigned int reasons,
		  enum idle_reason to, int64_t ts_ns, const struct vgpu *vgpu);

/* --- idle-reasons.c --- */

/**
 * idle_reason_of - the present use of the engine's time
 */
enum idle_reason idle_reason_of(const struct gpu_engine *engine);

/**
 * idle_turn_of - whose turn it is while @queue (NULL: unknown) waits for its idle engine
 */
enum idle_turn idle_turn_of(const struct gpu_engine *engine, const struct vgpu_engine *queue);

/**
 * idle_begin - the engine's time has @reason from now on
 */
void idle_begin(struct engine_time *time, const struct gpu_engine *engine,
		enum idle_reason reason);

#endif
