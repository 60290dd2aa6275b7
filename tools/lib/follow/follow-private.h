/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of this room: the selection, and a look ahead at the beginning of the
 * trace for work queued before it, so that the model knows of such work from the start.
 *
 * Kernels with gvt_workload_state report it shortly after the recording began. With others, such
 * work shows only when it leaves its queue; finding who waited for how long then requires reading
 * the whole trace.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_FOLLOW_PRIVATE_H
#define GVTTRACE_FOLLOW_PRIVATE_H

#include <stdbool.h>

#include "follow.h"
#include "trace/reader.h"

/**
 * selection_names_known - has the model seen all that is selected by UUID or address?
 */
bool selection_names_known(const struct selection *selection, const struct model *model);

/**
 * selection_window - the selected window of a trace that is about to be read
 *
 * Its end is not final: without --time it is INT64_MAX. Ends the program if
 * the trace is empty or the window lies before it.
 */
struct window selection_window(const struct selection *selection, const struct trace_info *trace);

/**
 * selection_check_window - end the program if the window lies after the trace
 * @trace: read to its end
 */
void selection_check_window(struct window window, const struct trace_info *trace);

/**
 * prologue_new, prologue_free - read the beginning of a trace
 * @opened: the trace
 * @all: read to the end if the kernel did not report the queued work
 */
struct prologue *prologue_new(const struct reader *opened, bool all);
void prologue_free(struct prologue *prologue);

/**
 * prologue_ids - give the model each GPU's first id that was queued in the trace
 */
void prologue_ids(const struct prologue *prologue, struct model *model);

/**
 * prologue_first_id - a GPU's lowest id that was queued in the trace
 * @ts_ns: of a workload whose queueing was not seen; events that clock skew puts after it count
 *
 * Continues where the last call stopped, so that all calls together read the trace at most once.
 * UNKNOWN: none was queued until then.
 */
int64_t prologue_first_id(struct prologue *prologue, int64_t dev, int64_t ts_ns);

/**
 * prologue_older - add the workloads from before the trace to the model
 * @start_ns: of the trace
 *
 * Call after all listeners are registered.
 */
void prologue_older(struct prologue *prologue, struct model *model, int64_t start_ns);

#endif
