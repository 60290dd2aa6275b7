/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_HOSTS_H
#define RIG_TRUTH_HOSTS_H

#include "piece.h"

/* The host's own work in the trace */
struct traced_host {
	char engine[8];
	int64_t start_ns, stop_ns;
};

/* The host's own work on all engines, as traced and by the device */
struct hosts {
	bool recorded;
	unsigned int stays;		/* traced, and completely in the window */
	double traced_ms, truth_ms;	/* within the window, with parts of stays that the window cuts */
	double worst_ns;		/* the largest error of an end of a stay, or the longest */
					/* time in a stay in which no context of the host executed; */
					/* short stays of i915's heartbeats alone are not compared */
	double unseen_ns;		/* the longest work that is not traced */
};

/**
 * hosts_compare - measure how well trace and truth agree about the host's own work
 * @truth: after match_pieces(): pieces of the host belong to no vGPU and execute batches
 * @traced: struct traced_host, or NULL if the trace lacks the host's work
 * @window: the time that the trace covers
 */
void hosts_compare(struct hosts *h, const GArray *truth, const GArray *traced,
		   const struct covered *window);

#endif
