/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by waits.c and its companions: threads and engines with their rows of intervals,
 * and the state of each CPU.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_WAITS_PRIVATE_H
#define GVTTRACE_WAITS_PRIVATE_H

#include "model/inside.h"
#include "path-private.h"
#include "waits.h"

/* maximum number of intervals in memory, of 48 bytes each */
#define MAX_INTERVALS	(32 * 1024 * 1024)
/* from this number on, look for intervals that the path needs no longer */
#define MANY_INTERVALS	4096
#define MAX_CPUS	8192

/* a workload with an event that came late or early, and its time; id UNKNOWN: none */
struct late {
	int64_t id;
	int64_t ns;
};

/* an engine or a thread, and its current interval */
struct worker {
	struct wait_worker told;
	GArray *row;
	int nr;
	int64_t since_ns;
	enum path_label label;
	int64_t detail;
	int64_t vgpu_id;
	int waker;			/* while runnable: ended the previous blocked interval */
	struct workload_key submitted;	/* workload it waits for; id UNKNOWN: none */
	int engine;			/* engine that runs @submitted */
	bool schedules;			/* it switches vGPUs: traced gvt_sched_switch */
	/*
	 * CPU clocks differ: an event may come after events on other CPUs that follow it.
	 * Of a thread: the number of CPUs that it seems to be on, and the last one of these.
	 */
	int nr_cpus;
	int cpu;
	enum path_label left;		/* state on leaving one of several CPUs; or PATH_UNKNOWN */
	int64_t left_ns;
	int64_t unwoken_ns;		/* slept and ran before its wake-up came; or UNKNOWN */
	int64_t woken_ns;		/* wake-up that came while awake; or UNKNOWN */
	bool woken;			/* sleeps; @woken_ns may belong to this sleep */
	struct workload_key ended;	/* possibly ended before its submission came */
	/* of an engine: workloads whose stop is still to come, and whose stop came too early */
	struct late late;
	struct late early;
};

/* the thread on a CPU, and its nesting of handlers */
struct cpu {
	struct worker *worker;		/* NULL: none, or unknown */
	enum path_label label;		/* PATH_RUNS or PATH_GUEST */
	int irqs;
	int softirqs;
	int timers;
	bool switched;			/* it had a sched_switch after the last gap: all is known */
};

struct waits {
	const struct follow *follow;
	struct wait_workload workload;
	GPtrArray *workers;		/* of struct worker */
	GPtrArray *rows;		/* of their GArray */
	GHashTable *threads;		/* tid -> struct worker */
	GHashTable *engines;		/* dev, class, instance -> struct worker */
	struct cpu cpus[MAX_CPUS];
	int nr_cpus;			/* number of CPUs with events */
	uint64_t intervals;		/* in rows */
	int gaps;
	bool lossy;			/* there was a gap */
	bool wakings;			/* sched_waking is recorded */
	bool skewed;			/* the clocks of CPUs differ */
	/* thread whose path is reported while reading, if any */
	int64_t tid;
	path_fn tell;
	void *ctx;
	int64_t told_ns;		/* reported up to here */
	uint64_t enough;		/* number of intervals at which to search again */
};

/* May clock skew have swapped this event with the one at @other_ns? */
static inline bool waits_is_near(int64_t ts_ns, int64_t other_ns)
{
	return known(other_ns) && ts_ns - other_ns <= SKEW_MAX_NS;
}

/* --- waits.c --- */

/* waits-workers.c: no workers yet; free them all */
void waits_workers_init(struct waits *waits);
void waits_workers_clear(struct waits *waits);

/**
 * waits_get_thread, waits_get_engine - find the worker that an event names, or create it
 *
 * The idle task is no thread (NULL): it does nothing and wakes up none.
 */
struct worker *waits_get_thread(struct waits *waits, int64_t tid);
struct worker *waits_get_engine(struct waits *waits, const struct workload_event *event);

/* --- waits-rows.c --- */

/**
 * waits_change - end a worker's interval, and begin another
 * @detail: the workload, for an engine that runs it
 */
void waits_change(struct waits *waits, struct worker *worker, int64_t ts_ns, enum path_label label,
		  int64_t detail);

/**
 * waits_tell_until - report the path of a worker, as far as it is in the window
 *
 * Returns false if the path reaches an undecided interval.
 */
bool waits_tell_until(struct waits *waits, int worker, int64_t to_ns);

/* --- waits-threads.c --- */

/**
 * waits_on_task_switch, waits_on_wakeup, waits_on_entry, waits_on_exit, waits_on_handler -
 * apply an event to threads, and to the event's CPU
 */
void waits_on_task_switch(struct waits *waits, const struct event *event);
void waits_on_wakeup(struct waits *waits, const struct event *event);
void waits_on_entry(struct waits *waits, const struct event *event);
void waits_on_exit(struct waits *waits, const struct event *event);
void waits_on_handler(struct waits *waits, const struct event *event);

/* --- waits-engines.c --- */

/**
 * waits_on_submit, waits_on_start, waits_on_stop, waits_on_end - apply an event to an engine,
 * and to the thread that waits for it
 */
void waits_on_submit(struct waits *waits, const struct event *event);
void waits_on_start(struct waits *waits, const struct event *event);
void waits_on_stop(struct waits *waits, const struct event *event);
void waits_on_end(struct waits *waits, const struct event *event);

#endif
