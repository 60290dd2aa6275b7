/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The critical path through workers that wake each other up.
 *
 * A worker is a thread or an engine; its time is a row of intervals. The path of
 * a worker follows its own intervals, but where it was blocked, the intervals
 * of the worker that ended the blocking, and so on: the method of
 * "Wait analysis" in F. Giraldeau and M. Dagenais, IEEE Trans. Parallel Distrib.
 * Syst. 27 (2016), with the path clipped to the time to explain, so that its
 * segments tile that time exactly.
 */
#ifndef GVTTRACE_PATH_H
#define GVTTRACE_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* state of a worker */
enum path_label {
	PATH_UNKNOWN,			/* unknown state of a worker */
	PATH_RUNS,			/* a thread on a CPU */
	PATH_GUEST,			/* a vCPU thread in its guest */
	PATH_PREEMPTED,			/* a thread that lost the CPU */
	PATH_RUNNABLE,			/* a thread woken up that waits for a CPU */
	PATH_BLOCKED,			/* resolved if the waker is known, else unexplained */
	PATH_TIMER,			/* blocked until a timer expired */
	PATH_INTERRUPT,			/* blocked until an interrupt came */
	PATH_EXECUTES,			/* an engine */
	PATH_IDLE,			/* an idle engine that a worker waits for */
	PATH_LABELS
};

#define PATH_NOBODY	(-1)

/* a part of the critical path */
struct path_segment {
	int64_t from_ns;
	int64_t to_ns;
	int worker;
	enum path_label label;
	int64_t detail;
	int64_t vgpu_id;
};

/**
 * path_find - the critical path of a worker between two times
 * @rows: waits_rows()
 *
 * Returns an array of struct path_segment that tile @from_ns to @to_ns; adjacent
 * ones differ. The caller frees. NULL if the path reaches an undecided interval.
 */
GArray *path_find(const GPtrArray *rows, int worker, int64_t from_ns, int64_t to_ns);

/**
 * path_join - extend the last segment by the next one, if they are alike
 *
 * Returns false if they differ.
 */
bool path_join(struct path_segment *last, const struct path_segment *segment);

#endif
