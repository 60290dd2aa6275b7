/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each queue (a vGPU's for an engine) wanted, and what became of the wanting, as
 * far as means and sums hide it: its pauses, its longest stay on the engine, its worst
 * wait, whatever that ended with, and the resets that took its work away.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DEMAND_H
#define GVTTRACE_DEMAND_H

#include <stdint.h>

#include "follow/follow.h"

/* gvt_workload_cancel: why */
enum cancel_reason {
	CANCEL_ERROR,
	CANCEL_RESET,
	CANCEL_REMOVE,
	CANCEL_REASONS
};

/* how a wait ended */
enum wait_end {
	WAIT_STARTED,			/* it got onto the engine */
	WAIT_CANCELLED,
	WAIT_OPEN,			/* it still waited when the window ended */
};

/* the worst wait of a queue */
struct demand_wait {
	int64_t wait_ns;		/* UNKNOWN: there was none */
	int64_t from_ns;
	int64_t workload_id;
	enum wait_end end;
	enum wait_class class;		/* what most of it was */
};

/* of what ended, or was still there, inside the window */
struct demand_row {
	int64_t pauses;			/* times that work came after there was none any more */
	int64_t pauses_ns;		/* these together */
	int64_t without_ns;		/* without any work */
	int64_t longest_piece_ns;	/* on the engine without being taken off; 0: none */
	int64_t longest_failed_ns;	/* from the start of a workload that failed to its end */
	int64_t longest_exec_ns;	/* of a workload that completed; 0: none */
	struct demand_wait worst;
	int64_t cancelled[CANCEL_REASONS];
	int64_t resets;			/* that took work away; several workloads at once are one */
	int64_t first_reset_ns;		/* UNKNOWN: none */
	int64_t last_reset_ns;
	int64_t reset_wait_ns;		/* longest wait of what they took away; 0: nothing waited */
};

struct demand;

/**
 * demand_new - begin to look at all queues of @follow, which must outlive it
 *
 * Adds itself to the followers.
 */
struct demand *demand_new(struct follow *follow);

/**
 * demand_free - free it
 */
void demand_free(struct demand *demand);

/**
 * demand_finish - the trace is over, and the model has told of what was alive
 */
void demand_finish(struct demand *demand);

/**
 * demand_of - the row of a queue by its index, valid until demand_free()
 */
const struct demand_row *demand_of(struct demand *demand, unsigned int index);

#endif
