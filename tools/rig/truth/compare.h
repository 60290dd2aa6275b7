/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_COMPARE_H
#define RIG_TRUTH_COMPARE_H

#include "piece.h"
#include "energy.h"
#include "hosts.h"
#include "switched.h"

/* Differences in ns, sorted by distribution(). */
struct distribution {
	size_t count;
	double p50, p95, p99, max;	/* ns; of absolute values */
	double mean;
};

/* One vGPU on one engine, as traced and by the device */
struct share {
	uint32_t vgpu_id;
	char engine[8];
	unsigned int traced_done, truth_done;	/* workloads completed in the window */
	unsigned int pieces;			/* matched */
	double traced_util, truth_util;		/* per cent of the window */
	double offset_ns;			/* mean start + stop offset of a piece, and time away */
	double tolerance;			/* percentage points */
};

struct comparison {
	struct covered window;
	unsigned int matched;		/* pieces */
	unsigned int traced_unmatched;	/* traced, but not on the device */
	unsigned int truth_unmatched;	/* on the device within the window, but not traced */
	unsigned int empty;		/* the same, but preempted before a command was executed */
	unsigned int edges;		/* truth pieces cut by the window */
	unsigned int results_differ;	/* finished only in the trace, or only on the device */
	unsigned int in_wait;		/* truth pieces: finished, then preempted in the busy-wait */
	unsigned int resumed;		/* truth pieces: traced as one piece with the previous stay */
	int64_t away_ns;		/* between these and the previous stays */
	unsigned int workloads, workloads_matched;
	struct distribution exec;	/* per workload: traced minus truth */
	double exec_piece_max;		/* ns: the largest difference, divided by the workload's pieces */
	struct distribution reset;	/* the same, of workloads that a reset ended */
	struct distribution start, stop;	/* per piece */
	struct switches switches;	/* switched_count() fills it */
	unsigned long live_limit;	/* limit of switches.live_to_vgpu */
	struct hosts hosts;		/* hosts_compare() fills it */
	struct energy energy;		/* energy_read() and energy_share_out() fill it */
	GArray *shares;			/* struct share by vGPU and engine */
};

/**
 * compare - measure how well trace and truth agree
 * @truth: after match_pieces()
 * @traced: after match_pieces()
 * @window: the time that the trace covers
 * @limit_ns: how long a workload that is not traced may have been on the engine without
 *	      executing a command
 *
 * Utilisation is the time within the window that a vGPU's contexts are on the
 * engine (paper 000, section 4), tolerance 0.1 percentage points plus the mean
 * offset of start and stop times the rate of pieces.
 *
 * A workload that was preempted behind its end, in i915's busy-wait, is finished.
 * Time in which a resumed workload was not on the engine is reported separately, and is
 * in the tolerance of the utilisation, not in the difference of execution.
 *
 * A workload that a reset ended did not stop by itself: the trace shows when the
 * driver had handled the reset, so such workloads are a separate class.
 *
 * Release by comparison_free().
 */
void compare(struct comparison *c, const GArray *truth, const GArray *traced,
	     const struct covered *window, double limit_ns);

void comparison_free(struct comparison *c);

#endif
