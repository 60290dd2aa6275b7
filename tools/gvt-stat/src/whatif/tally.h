/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each queue of a vGPU did in each of several windows of one length.
 */
#ifndef GVT_STAT_TALLY_H
#define GVT_STAT_TALLY_H

#include <stdint.h>

#include "analysis/series.h"
#include "analysis/streams.h"
#include "model/model.h"
#include "trace/timespan.h"

/* one queue in one window, or in all */
struct tally_cell {
	int64_t exec_ns;		/* on the engine, cut to the window */
	int64_t completed;		/* with status 0, in the window */
	int64_t taken_off;		/* times that a workload was taken off the engine in the window */
	struct series *latency;		/* of these */
};

struct tally;

/**
 * tally_new - begin to count
 * @model: to listen to
 * @window: the first one; the others follow it
 * @windows: how many
 * @gap_ns: between two of them
 *
 * tally_free() frees.
 */
struct tally *tally_new(struct model *model, struct window window, unsigned int windows,
			int64_t gap_ns);
void tally_free(struct tally *tally);

/**
 * tally_of - what a queue did in a window, from 0 on; in all windows for the number of these
 * @index: of the queue in the model
 *
 * Valid until the next call.
 */
const struct tally_cell *tally_of(struct tally *tally, unsigned int index, unsigned int window);

/**
 * tally_host - what the host did itself on an engine, as tally_of(), for all windows at once
 * @holder: 0: its execution, and as latency how long each piece of it waited; else for how long it
 *	    waited for the vGPU with that id, as execution
 *
 * Returns the cell of the first window, behind which those of the others and of all are.
 */
const struct tally_cell *tally_host(struct tally *tally, const struct gpu_engine *engine,
				    int64_t holder);

/**
 * tally_note_idle - note what tally_idle_ns() takes, which grows with the number of workloads
 */
void tally_note_idle(struct tally *tally);

/**
 * tally_idle_ns - for how long an engine executed nothing while a workload was queued for it and not
 *		   complete; of a window, or of all
 *
 * The time that it takes to submit and to complete counts as well.
 */
int64_t tally_idle_ns(struct tally *tally, const struct gpu_engine *engine, unsigned int window);

/**
 * tally_as_streams - do not count what is no part of these streams: idle work of guests' drivers
 * @streams: of the same model
 */
void tally_as_streams(struct tally *tally, const struct streams *streams);

#endif
