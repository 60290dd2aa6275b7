/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates the recording itself. The error of this simulation indicates the error under other
 * settings, and its result can settle questions that the trace leaves open.
 */
#ifndef GVT_STAT_REHEARSAL_H
#define GVT_STAT_REHEARSAL_H

#include "whatif.h"

/**
 * rehearse - simulate under the recorded settings
 * @whatif: only facts about the workloads and the number of windows are used
 * @mixture: what to simulate, without guests of other traces
 * @recorded: returns the recorded measures of a stream's queue
 *
 * Under preemptive dispatch, a stream may never have been preempted. If the simulation would have
 * preempted the stream, its workloads cannot be preempted: the stream records that. Otherwise the
 * preemption points remain unknown.
 *
 * Drops the alternatives of a stream that contradict the recording.
 *
 * Returns NULL if the recording cannot be simulated; whatif_result_free() frees.
 */
struct whatif_result *rehearse(const struct whatif *whatif, const struct mixture *mixture,
			       const char *simulator,
			       const struct tally_cell *(*recorded)(const void *ctx,
								    const struct stream *stream),
			       const void *ctx);

#endif
