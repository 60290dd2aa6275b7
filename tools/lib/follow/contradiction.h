/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums that must hold in every trace: an engine executes one workload at a time, its times
 * are those of the window, who waits for others is in a queue, and the parts of a workload's
 * time make the whole. Where one does not hold, the trace contradicts itself, or what is
 * concluded from it is wrong; then what depends on it is not shown as a number.
 *
 * What events that were lost can explain is no contradiction.
 */
#ifndef GVTTRACE_CONTRADICTION_H
#define GVTTRACE_CONTRADICTION_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/model.h"

struct follow;

/* what does not hold */
enum sum {
	SUM_EXECUTION,			/* one workload at a time is on the engine */
	SUM_ENGINE,			/* busy and idle times sum to the window */
	SUM_WAITS,			/* waits are times in which there is a queue */
	SUM_PARTS,			/* the parts of a workload's time sum to the whole */
	SUMS
};

/* where and when a sum did not hold, for the first time */
struct contradiction {
	enum sum sum;
	const struct gpu_engine *engine;
	const struct vgpu *vgpu;	/* NULL: it is about the engine */
	int64_t at_ns;
};

/**
 * contradiction_add - a sum did not hold
 *
 * Later ones of the same sum at the same place are ignored.
 */
void contradiction_add(struct follow *follow, const struct contradiction *contradiction);

/**
 * contradiction_at - when did a sum not hold at this place? UNKNOWN: it did
 * @vgpu: NULL: it is about the engine
 *
 * The model is finished.
 */
int64_t contradiction_at(const struct follow *follow, enum sum sum,
			 const struct gpu_engine *engine, const struct vgpu *vgpu);

/**
 * contradictions_all - all of struct contradiction, by time; the caller frees
 */
GArray *contradictions_all(const struct follow *follow);

/**
 * contradiction_name - the name of a sum, for programs: "execution"
 */
const char *contradiction_name(enum sum sum);

/**
 * contradiction_text - what does not hold where and when, for people; the caller frees
 */
char *contradiction_text(const struct contradiction *contradiction);

#endif
