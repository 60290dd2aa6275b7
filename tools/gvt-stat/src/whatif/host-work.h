/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's own work in a trace, to simulate beside vGPUs: pieces of work on each engine that
 * arrive when they were recorded, whatever the settings are.
 */
#ifndef GVT_STAT_HOST_WORK_H
#define GVT_STAT_HOST_WORK_H

#include "model/model.h"
#include "trace/timespan.h"

/* one piece of host work on an engine, in the trace's time */
struct host_piece {
	int64_t came_ns;		/* ready to execute */
	int64_t from_ns, to_ns;		/* executed */
};

/* why a simulation of the host's work may be wrong */
enum host_doubt {
	HOST_LOST,			/* lost events hide a part of the host's work */
	HOST_CUT,			/* the host had more pieces than are analysed */
	HOST_BACKLOGGED,		/* most pieces arrived when the previous one completed */
	HOST_DOUBTS
};

/* the host's work on one engine */
struct host_work {
	const struct gpu_engine *engine;
	GArray *pieces;			/* struct host_piece, by time, cut to the window */
	struct window window;		/* the pieces repeat after its end */
	unsigned int doubts;		/* bits of enum host_doubt */
	/* only while collecting: begin and end of the host's last wait */
	int64_t waits_ns;
	int64_t waited_ns;
};

struct host_works;

/**
 * host_works_new - begin to collect the host's work from the model; host_works_free() frees
 */
struct host_works *host_works_new(struct model *model);
void host_works_free(struct host_works *works);

/**
 * host_works_of - the host's work on a GPU, after model_finish()
 * @window: only execution in it counts
 *
 * Returns an array of struct host_work *, valid until the next call: only of engines on which the
 * host executed, or may have executed, for 0.1 % of @window.
 */
const GPtrArray *host_works_of(struct host_works *works, int64_t dev, struct window window);

/**
 * typedef host_doubt_fn - gets one doubt about the host's work on one engine
 * @what: the doubt in words
 */
typedef void (*host_doubt_fn)(const struct host_work *work, const char *what, void *to);

/**
 * host_works_doubts - call @call for each doubt about @works, an array from host_works_of()
 */
void host_works_doubts(const GPtrArray *works, host_doubt_fn call, void *to);

#endif
