/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload's way through its phases: the time it spends in each, and the
 * counts of its engine and queue.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_PHASE_H
#define GVTTRACE_PHASE_H

#include "model.h"

/**
 * phase_enter - the workload leaves its phase for another one
 *
 * A phase of which the beginning was not seen begins with the trace.
 */
void phase_enter(struct model *model, struct workload *w, enum phase phase, int64_t ts_ns);

/**
 * phase_release - its end was traced: the next one in its queue can be dispatched
 */
void phase_release(struct workload *w, int64_t ts_ns);

/**
 * phase_doubt - events were lost: the workload may be anywhere now
 */
void phase_doubt(struct workload *w);

#endif
