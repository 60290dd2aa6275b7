/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves workloads from phase to phase: accounts the time in each, and keeps
 * the counts of engine and queue.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_PHASE_H
#define GVTTRACE_PHASE_H

#include "model.h"

/**
 * phase_enter - move a workload to another phase
 *
 * A phase whose beginning was not seen begins with the trace.
 */
void phase_enter(struct model *model, struct workload *w, enum phase phase, int64_t ts_ns);

/**
 * phase_release - the end of @w was traced: the next one in its queue can be dispatched
 */
void phase_release(struct workload *w, int64_t ts_ns);

/**
 * phase_doubt - events were lost: the phase of @w is unknown
 */
void phase_doubt(struct workload *w);

#endif
