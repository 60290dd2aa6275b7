/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the host did itself, as a trace tells it, to be simulated beside vGPUs: pieces of work on
 * each engine that come when they came, whatever the settings are.
 */
#ifndef GVT_STAT_HOST_WORK_H
#define GVT_STAT_HOST_WORK_H

#include "model/model.h"
#include "trace/timespan.h"

/* one stay of the host's on an engine, in the time of the trace */
struct host_piece {
	int64_t came_ns;		/* since then it was to execute */
	int64_t from_ns, to_ns;		/* it did */
};

/* what may make a simulation of it wrong */
enum host_doubt {
	HOST_LOST,			/* for a part of the window, what it did is not known */
	HOST_CUT,			/* there were more pieces than are looked at */
	HOST_BACKLOGGED,		/* most pieces came when the one before was done */
	HOST_DOUBTS
};

/* of one engine */
struct host_work {
	const struct gpu_engine *engine;
	GArray *pieces;			/* struct host_piece, by time, cut to the window */
	struct window window;		/* of these; after it they are repeated */
	unsigned int doubts;		/* bits of enum host_doubt */
	/* while it is collected */
	int64_t waits_ns;		/* since when it waited the last time; */
	int64_t waited_ns;		/* and until when */
};

struct host_works;

/**
 * host_works_new - begin to collect what the model tells; host_works_free() frees
 */
struct host_works *host_works_new(struct model *model);
void host_works_free(struct host_works *works);

/**
 * host_works_of - what was collected of a GPU, after model_finish()
 * @window: what was executed in it counts
 *
 * Returns an array of struct host_work *, only of engines on which the host executed for 0.1 % of
 * @window, or may have, that is valid until the next call.
 */
const GPtrArray *host_works_of(struct host_works *works, int64_t dev, struct window window);

/**
 * typedef host_doubt_fn - told one doubt about the host's work on one engine
 * @what: in words
 */
typedef void (*host_doubt_fn)(const struct host_work *work, const char *what, void *to);

/**
 * host_works_doubts - call @call for each doubt about @works, as host_works_of() returns them
 */
void host_works_doubts(const GPtrArray *works, host_doubt_fn call, void *to);

#endif
