/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demand of each queue (a vGPU's for an engine), and what means and sums hide of its
 * fate: its pauses, its longest execution without preemption, its longest wait,
 * however it ended, and the resets that discarded its work.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_DEMAND_H
#define GVTTRACE_DEMAND_H

#include <stdint.h>

#include "follow/follow.h"

/* reason in gvt_workload_cancel */
enum cancel_reason {
	CANCEL_ERROR,
	CANCEL_RESET,
	CANCEL_REMOVE,
	CANCEL_REASONS
};

/* how a wait ended */
enum wait_end {
	WAIT_STARTED,			/* the workload started */
	WAIT_CANCELLED,
	WAIT_OPEN,			/* still waiting when the window ended */
};

/* the longest wait of a queue */
struct demand_wait {
	int64_t wait_ns;		/* UNKNOWN: none */
	int64_t from_ns;
	int64_t workload_id;
	enum wait_end end;
	enum wait_class class;		/* reason of most of it */
};

/* of workloads that ended, or were alive, inside the window */
struct demand_row {
	int64_t pauses;			/* times that work arrived at an empty queue */
	int64_t pauses_ns;		/* total length of these pauses */
	int64_t without_ns;		/* total time without any work */
	int64_t longest_piece_ns;	/* longest uninterrupted execution; 0: none */
	int64_t longest_failed_ns;	/* longest failed workload, start to end */
	int64_t longest_exec_ns;	/* of a completed workload; 0: none */
	struct demand_wait worst;
	int64_t cancelled[CANCEL_REASONS];
	int64_t resets;			/* resets that discarded work, not workloads */
	int64_t first_reset_ns;		/* UNKNOWN: none */
	int64_t last_reset_ns;
	int64_t reset_wait_ns;		/* longest wait they discarded; 0: none */
};

struct demand;

/**
 * demand_new - begin to analyse all queues of @follow, which must outlive the demand
 *
 * Adds an analysis to @follow.
 */
struct demand *demand_new(struct follow *follow);

/**
 * demand_free - free the demand
 */
void demand_free(struct demand *demand);

/**
 * demand_finish - complete the rows, after model_finish()
 */
void demand_finish(struct demand *demand);

/**
 * demand_of - the row of a queue by its index, valid until demand_free()
 */
const struct demand_row *demand_of(struct demand *demand, unsigned int index);

#endif
