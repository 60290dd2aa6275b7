/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this room share: what was chosen of a trace, and a look ahead at its
 * beginning, at what had been queued before it, so that the model knows that from the start.
 *
 * Kernels that have gvt_workload_state tell shortly after the recording began. For others,
 * work that was queued before is found when it leaves; who waited for how long needs the whole
 * trace to be read for that.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_FOLLOW_PRIVATE_H
#define GVTTRACE_FOLLOW_PRIVATE_H

#include <stdbool.h>

#include "follow.h"
#include "trace/reader.h"

/**
 * selection_names_known - has the model seen what is asked for by UUID or address?
 */
bool selection_names_known(const struct selection *selection, const struct model *model);

/**
 * selection_window - the window to observe in a trace that is about to be read
 *
 * Its end is not known yet: without --time it is the end of time. Ends the
 * program if the trace is empty or the window lies before it.
 */
struct window selection_window(const struct selection *selection, const struct trace_info *trace);

/**
 * selection_check_window - end the program if the window lies behind the trace
 * @trace: read to its end
 */
void selection_check_window(struct window window, const struct trace_info *trace);

/**
 * prologue_new, prologue_free - read the beginning of a trace
 * @opened: the trace
 * @all: read to the end if the kernel did not tell what was queued
 */
struct prologue *prologue_new(const struct reader *opened, bool all);
void prologue_free(struct prologue *prologue);

/**
 * prologue_ids - tell the model from which ids on workloads were queued in the trace
 */
void prologue_ids(const struct prologue *prologue, struct model *model);

/**
 * prologue_first_id - the id from which on a GPU's workloads were queued in the trace
 * @ts_ns: of one that was not seen to be queued: what clocks may tell after it counts, too
 *
 * Reads on from where it was read to last, so that all calls together read the trace once at
 * most. UNKNOWN: none was queued until then.
 */
int64_t prologue_first_id(struct prologue *prologue, int64_t dev, int64_t ts_ns);

/**
 * prologue_older - tell the model of the workloads that were there before
 * @start_ns: of the trace
 *
 * Call when all listen to the model.
 */
void prologue_older(struct prologue *prologue, struct model *model, int64_t start_ns);

#endif
