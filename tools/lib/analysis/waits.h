/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What threads and engines did and who woke whom, as rows for path.h.
 *
 * A thread of kvmgt that waits for the workload it submitted is woken up by the
 * engine, whatever interrupt brought the news. Other wake-ups are by the thread
 * that was running, or, in an interrupt or timer handler, by nobody.
 *
 * The detail of PATH_EXECUTES is the workload, and the vGPU is whose that is; that of
 * PATH_TIMER, in the thread that switches vGPUs, is whose turn it was, else 0. Of which GPU
 * they are, the worker tells.
 */
#ifndef GVTTRACE_WAITS_H
#define GVTTRACE_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "trace/engine.h"
#include "path.h"

/* who a row is of */
struct wait_worker {
	int64_t tid;			/* UNKNOWN: an engine */
	int64_t dev;			/* its GPU, or whose vGPUs it switches; or UNKNOWN */
	char name[ENGINE_NAME_LEN];	/* command of the thread, or of the engine */
};

/* the life of the workload that is looked for, as far as it was seen */
struct wait_workload {
	int64_t id;			/* UNKNOWN: none is looked for */
	int64_t dev;
	int64_t other_dev;		/* another GPU with such a workload; UNKNOWN: none */
	int64_t vgpu_id;
	int64_t queue_ns;
	int64_t end_ns;
	int64_t tid;			/* of the thread that completed it */
};

struct waits;

/**
 * waits_new, waits_free - nothing seen yet
 * @follow: opened; its window is what rows are kept of
 * @workload_id: rows are kept from its queueing to its completion; UNKNOWN. Several GPUs
 *  may have it: it is that of those that are selected
 */
struct waits *waits_new(const struct follow *follow, int64_t workload_id);
void waits_free(struct waits *waits);

/**
 * waits_analysis - to be added to the followers of the trace
 */
struct analysis waits_analysis(struct waits *waits);

/* @segment: of a path, in their order; neighbours may be alike */
typedef void (*path_fn)(void *ctx, const struct path_segment *segment);

/**
 * waits_tell - tell the path of a thread through the window, while the trace is read
 * @tid: of the thread
 *
 * What the path went through is forgotten then: rows are not for path_find() any more, and
 * memory grows only with the longest time that the thread does the same, or waits.
 */
void waits_tell(struct waits *waits, int64_t tid, path_fn tell, void *ctx);

/**
 * waits_finish - the trace is read: close all rows at @to_ns, and tell the path up to there
 */
void waits_finish(struct waits *waits, int64_t to_ns);

/**
 * waits_workload - what became of the workload that was asked for
 * waits_rows - rows for path_find()
 * waits_worker - who a row is of, by the number of the row
 * waits_thread - number of a thread's row, PATH_NOBODY if it was not seen
 */
const struct wait_workload *waits_workload(const struct waits *waits);
const GPtrArray *waits_rows(const struct waits *waits);
const struct wait_worker *waits_worker(const struct waits *waits, int worker);
int waits_thread(const struct waits *waits, int64_t tid);

#endif
