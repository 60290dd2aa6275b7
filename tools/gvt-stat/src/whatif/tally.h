/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts execution and completions of each vGPU queue in each of several windows of equal length.
 */
#ifndef GVT_STAT_TALLY_H
#define GVT_STAT_TALLY_H

#include <stdint.h>

#include "analysis/series.h"
#include "analysis/streams.h"
#include "model/model.h"
#include "trace/timespan.h"

/* one queue in one window, or in all windows */
struct tally_cell {
	int64_t exec_ns;		/* on the engine, in the window */
	int64_t completed;		/* in the window, with status 0 */
	int64_t preempted;		/* preemptions in the window */
	struct series *latency;		/* of the completed workloads */
};

struct tally;

/**
 * tally_new - begin to count
 * @model: source of the events
 * @window: the first one; the others follow it
 * @windows: number of windows
 * @gap_ns: between two windows
 *
 * tally_free() frees.
 */
struct tally *tally_new(struct model *model, struct window window, unsigned int windows,
			int64_t gap_ns);
void tally_free(struct tally *tally);

/**
 * tally_of - the cell of a queue for window @window, or for all windows if that is their number
 * @index: of the queue in the model
 *
 * Valid until the next call.
 */
const struct tally_cell *tally_of(struct tally *tally, unsigned int index, unsigned int window);

/**
 * tally_host - the cells of the host's own work on an engine
 * @holder: 0: the host's execution, with the wait of each piece as latency; a vGPU's id: the
 *	    host's waits for this vGPU, in place of execution
 *
 * Returns an array: one cell for each window, then one for all windows.
 */
const struct tally_cell *tally_host(struct tally *tally, const struct gpu_engine *engine,
				    int64_t holder);

/**
 * tally_note_idle - keep the data for tally_idle_ns(); its size grows with the number of workloads
 */
void tally_note_idle(struct tally *tally);

/**
 * tally_idle_ns - how long an engine executed nothing while workloads for it were in flight, in one
 *		   window, or in all
 *
 * Includes the time to submit and to complete workloads.
 */
int64_t tally_idle_ns(struct tally *tally, const struct gpu_engine *engine, unsigned int window);

/**
 * tally_as_streams - do not count the idle work of guests' drivers, as the streams do not
 * @streams: of the same model
 */
void tally_as_streams(struct tally *tally, const struct streams *streams);

#endif
