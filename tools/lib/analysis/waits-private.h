/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What waits.c and the files beside it share: threads and engines with their rows of
 * intervals, and what is on each CPU.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_WAITS_PRIVATE_H
#define GVTTRACE_WAITS_PRIVATE_H

#include "model/inside.h"
#include "path-private.h"
#include "waits.h"

/* so many intervals are held in memory, of 48 bytes each */
#define MAX_INTERVALS	(32 * 1024 * 1024)
/* and so many before it is worth the while to see whether a path needs them still */
#define MANY_INTERVALS	4096
#define MAX_CPUS	8192

/* a workload, and when something of it was told too late or too early; id UNKNOWN: none */
struct late {
	int64_t id;
	int64_t ns;
};

/* an engine or a thread, and its interval that has not ended yet */
struct worker {
	struct wait_worker told;
	GArray *row;
	int nr;
	int64_t since_ns;
	enum path_label label;
	int64_t detail;
	int64_t vgpu_id;
	int waker;			/* while runnable: of the blocked interval before */
	struct workload_key submitted;	/* the workload it waits for; id UNKNOWN: none */
	int engine;			/* that executes it */
	bool schedules;			/* vGPUs: it traced gvt_sched_switch */
	/*
	 * Clocks of CPUs differ: what one tells may come after what follows it on another one.
	 * Of a thread: it is on so many CPUs by what they have told, and on which it came last.
	 */
	int nr_cpus;
	int cpu;
	enum path_label left;		/* one of several: as what; PATH_UNKNOWN: none yet */
	int64_t left_ns;
	int64_t unwoken_ns;		/* slept and ran before its waking was told; or UNKNOWN */
	int64_t woken_ns;		/* told while it did not sleep; or UNKNOWN */
	bool woken;			/* sleeps, and that may be of this sleep */
	struct workload_key ended;	/* before it was submitted, perhaps */
	/* of an engine: workloads of which the stop is to come, and of which it came too early */
	struct late late;
	struct late early;
};

/* who is on a CPU, and how deep it is in handlers */
struct cpu {
	struct worker *worker;		/* NULL: nobody, or not known */
	enum path_label label;		/* PATH_RUNS or PATH_GUEST */
	int irqs;
	int softirqs;
	int timers;
	bool switched;			/* since events were lost: they are all */
};

struct waits {
	const struct follow *follow;
	struct wait_workload workload;
	GPtrArray *workers;		/* of struct worker */
	GPtrArray *rows;		/* of their GArray */
	GHashTable *threads;		/* tid -> struct worker */
	GHashTable *engines;		/* dev, class, instance -> struct worker */
	struct cpu cpus[MAX_CPUS];
	int nr_cpus;			/* of which there are events */
	uint64_t intervals;		/* in rows */
	int gaps;
	bool lossy;			/* there was one */
	bool wakings;			/* sched_waking is recorded */
	bool skewed;			/* the clocks of CPUs differ */
	/* of whom the path is told as it goes, if it is wanted */
	int64_t tid;
	path_fn tell;
	void *ctx;
	int64_t told_ns;		/* up to here */
	uint64_t enough;		/* so many intervals are looked through again */
};

/* May it be of an event that was told at @other_ns in another order? */
static inline bool waits_is_near(int64_t ts_ns, int64_t other_ns)
{
	return known(other_ns) && ts_ns - other_ns <= SKEW_MAX_NS;
}

/* --- waits.c --- */

/**
 * waits_get_thread, waits_get_engine - the one that an event names, made at its first
 *
 * No thread (NULL) is the idle task: it does nothing and wakes nobody up.
 */
struct worker *waits_get_thread(struct waits *waits, int64_t tid);
struct worker *waits_get_engine(struct waits *waits, const struct workload_event *event);

/* --- waits-rows.c --- */

/**
 * waits_change - end an interval of a worker, and begin another
 * @detail: a workload, of an engine that executes
 */
void waits_change(struct waits *waits, struct worker *worker, int64_t ts_ns, enum path_label label,
		  int64_t detail);

/**
 * waits_tell_until - tell the path of a worker, as far as it is in the window
 *
 * Returns false if what it was about is not decided yet.
 */
bool waits_tell_until(struct waits *waits, int worker, int64_t to_ns);

/* --- waits-threads.c --- */

/**
 * waits_on_task_switch, waits_on_wakeup, waits_on_entry, waits_on_exit, waits_on_handler - what
 * an event tells of threads, and of the CPU that it is from
 */
void waits_on_task_switch(struct waits *waits, const struct event *event);
void waits_on_wakeup(struct waits *waits, const struct event *event);
void waits_on_entry(struct waits *waits, const struct event *event);
void waits_on_exit(struct waits *waits, const struct event *event);
void waits_on_handler(struct waits *waits, const struct event *event);

/* --- waits-engines.c --- */

/**
 * waits_on_submit, waits_on_start, waits_on_stop, waits_on_end - what an event tells of an
 * engine, and of the thread that waits for it
 */
void waits_on_submit(struct waits *waits, const struct event *event);
void waits_on_start(struct waits *waits, const struct event *event);
void waits_on_stop(struct waits *waits, const struct event *event);
void waits_on_end(struct waits *waits, const struct event *event);

#endif
