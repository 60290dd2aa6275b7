/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signs of which scheduler events a trace must have, and whether it has all workloads.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_HINTS_H
#define GVTTRACE_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/* the vGPU that last submitted work to a GPU or (else UNKNOWN) one of its engines */
struct submitter {
	int64_t dev, class, instance;
	int64_t vgpu_id;
};

/* more are ignored */
#define SUBMITTERS	16

/* the workloads of a GPU whose queueing was traced; ids are consecutive */
struct queued {
	int64_t dev;
	int64_t first, last;
	uint64_t count;
};

/* number of recent submissions to remember */
#define SUBMITTED	16

/* the host's total execution on an engine, as first reported */
struct host_told {
	int64_t dev, class, instance;
	int64_t exec_ns;
};

/* more engines are ignored */
#define HOST_ENGINES	16

/* more GPUs are ignored */
#define QUEUED_GPUS	8

struct hints {
	bool sliced;			/* a policy with slices was in force at some time */
	bool exclusive;			/* last known dispatch mode is exclusive */
	bool switched;			/* submissions show several vGPUs' turns */
	bool started;			/* gvt_workload_start seen */
	uint64_t executed;		/* completed without error before the first start */
	uint64_t executed_whole;	/* of these, those submitted in the trace */
	struct { int64_t dev, id; } submitted[SUBMITTED];	/* latest, by id */
	int nr_submitters;
	struct submitter submitters[SUBMITTERS];
	int nr_queued;
	struct queued queued[QUEUED_GPUS];
	bool host_ran;			/* the host executed during the trace */
	int nr_hosts;
	struct host_told hosts[HOST_ENGINES];
};

/**
 * hints_note - note a recorded event; in chronological order
 */
void hints_note(struct hints *hints, const struct event *event);

#endif
