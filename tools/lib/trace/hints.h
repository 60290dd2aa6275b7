/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tells which events of the scheduler there must be in a trace, and whether all work is.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HINTS_H
#define GVTTRACE_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/* whose work was submitted last, to a GPU or an engine of it (else UNKNOWN) */
struct submitter {
	int64_t dev, class, instance;
	int64_t vgpu_id;
};

/* more are not looked at */
#define SUBMITTERS	16

/* which workloads of a GPU were seen when they were queued; each one's id is one higher */
struct queued {
	int64_t dev;
	int64_t first, last;
	uint64_t count;
};

/* so many of the last ones that were submitted are known */
#define SUBMITTED	16

/* what the host has executed on an engine, as it was told first */
struct host_told {
	int64_t dev, class, instance;
	int64_t exec_ns;
};

/* more engines are not looked at */
#define HOST_ENGINES	16

/* more GPUs are not looked at */
#define QUEUED_GPUS	8

struct hints {
	bool sliced;			/* a policy with slices was in force at some time */
	bool exclusive;			/* told last: one vGPU at a time has all engines */
	bool switched;			/* it was another vGPU's turn at some time, by what was submitted */
	bool started;			/* there is a gvt_workload_start */
	uint64_t executed;		/* workloads that completed without an error before any */
	uint64_t executed_whole;	/* of these, those that had been submitted in the trace */
	struct { int64_t dev, id; } submitted[SUBMITTED];	/* the last ones, by id */
	int nr_submitters;
	struct submitter submitters[SUBMITTERS];
	int nr_queued;
	struct queued queued[QUEUED_GPUS];
	bool host_ran;			/* it has executed more than it had when the trace began */
	int nr_hosts;
	struct host_told hosts[HOST_ENGINES];
};

/**
 * hints_note - an event that was recorded, in the order of time
 */
void hints_note(struct hints *hints, const struct event *event);

#endif
