/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Activity and wake-ups of threads and engines, as rows for path.h.
 *
 * A thread of kvmgt that waits for the workload it submitted is woken up by the
 * engine, whichever interrupt reported the end. Other wake-ups are by the thread
 * that was running, or, in an interrupt or timer handler, by PATH_NOBODY.
 *
 * The detail of PATH_EXECUTES is the workload, and vgpu_id its vGPU; the detail of
 * PATH_TIMER, in the thread that switches vGPUs, is the vGPU with the turn, else 0. The
 * worker has the GPU of both.
 */
#ifndef GVTTRACE_WAITS_H
#define GVTTRACE_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"
#include "trace/engine.h"
#include "path.h"

/* the owner of a row */
struct wait_worker {
	int64_t tid;			/* UNKNOWN: an engine */
	int64_t dev;			/* its GPU, or the GPU that it switches; or UNKNOWN */
	char name[ENGINE_NAME_LEN];	/* command of the thread, or name of the engine */
};

/* the life of the wanted workload, as far as it was seen */
struct wait_workload {
	int64_t id;			/* UNKNOWN: none is wanted */
	int64_t dev;
	int64_t other_dev;		/* another GPU with a workload of this id; UNKNOWN: none */
	int64_t vgpu_id;
	int64_t queue_ns;
	int64_t end_ns;
	int64_t tid;			/* of the thread that completed it */
};

struct waits;

/**
 * waits_new, waits_free - begin without rows
 * @follow: opened; rows are kept for its window
 * @workload_id: keep rows only from its queueing to its completion; or UNKNOWN. If several
 *  GPUs have such a workload, a selected GPU is used
 */
struct waits *waits_new(struct follow *follow, int64_t workload_id);
void waits_free(struct waits *waits);

/* callback for a path's segments, in order; adjacent ones may be alike */
typedef void (*path_fn)(void *ctx, const struct path_segment *segment);

/**
 * waits_tell - report the path of a thread through the window, while the trace is read
 * @tid: of the thread
 *
 * Discards the rows that the path has passed: path_find() cannot be used, and memory grows
 * only with the longest time that the thread stays in one state, or waits.
 */
void waits_tell(struct waits *waits, int64_t tid, path_fn tell, void *ctx);

/**
 * waits_finish - the trace was read: close all rows at @to_ns, and report the path up to there
 */
void waits_finish(struct waits *waits, int64_t to_ns);

/**
 * waits_workload - the wanted workload
 * waits_rows - rows for path_find()
 * waits_worker - the owner of a row, by the number of the row
 * waits_thread - number of a thread's row, PATH_NOBODY if the thread was not seen
 */
const struct wait_workload *waits_workload(const struct waits *waits);
const GPtrArray *waits_rows(const struct waits *waits);
const struct wait_worker *waits_worker(const struct waits *waits, int worker);
int waits_thread(const struct waits *waits, int64_t tid);

#endif
