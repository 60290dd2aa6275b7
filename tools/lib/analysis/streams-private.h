/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What streams.c and the files beside it share: the workloads that were kept of a queue, and what
 * follows from their times.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_STREAMS_PRIVATE_H
#define GVTTRACE_STREAMS_PRIVATE_H

#include "streams.h"

/* so long before a completion is traced may the guest know of it */
#define NEGATIVE_NS	200000
/* fewer workloads tell little */
#define FEW		10
/* such a part of the times may be others than a clock, or pieces, explain */
#define STRAY_PART	0.01

/* one workload that was seen from its queueing to its completion */
struct life {
	int64_t queue_ns;
	int64_t end_ns;
	int64_t exec_ns;
	int64_t guest_lrca;
};

/* of one vGPU on one engine */
struct queue {
	const struct vgpu_engine *queue;
	GArray *lives;			/* struct life */
	bool cut;
	GArray *contexts;		/* int64_t: LRCAs of those that executed for longer than idle work */
	GArray *stays;			/* int64_t: how long workloads executed until they were taken off */
	uint64_t taken_off;		/* how often one was */
	struct stream stream;
};

/* the one of that number */
static inline const struct life *life_at(const GArray *lives, guint nr)
{
	return &g_array_index(lives, struct life, nr);
}

/* --- streams-numbers.c: of arrays of int64_t --- */

GArray *numbers_new(void);
/* for g_array_sort() */
gint numbers_compare(gconstpointer a, gconstpointer b);
/* a quantile; @part: 0 to 1 */
int64_t numbers_at(const GArray *sorted, double part);
/* sorts */
int64_t numbers_median(GArray *numbers);
/* from the tenth to the ninetieth per cent; INT64_MAX: there are too few; sorts */
int64_t numbers_spread(GArray *numbers);

/* --- streams-flight.c: how many are in flight --- */

/* when they completed, in that order */
GArray *flight_ends(const GArray *lives);
/* most in flight at once, and how many were queued when all but one of these were */
unsigned int flight_most(const GArray *lives, const GArray *ends, unsigned int *at_most);
/* the pauses, if each workload waited for the completion of the one @depth before */
GArray *flight_pauses(const GArray *lives, unsigned int depth);
/* the depth, up to @most, that makes pauses most alike */
unsigned int flight_depth(const GArray *lives, unsigned int most);

/* --- streams-clock.c: is there a clock? --- */

/*
 * A clock whose guest often could queue no more: those that were held back come late, the others
 * are on the grid that the number of workloads before tells. A loop never comes back to a grid.
 */
struct clock {
	double first_ns;
	double period_ns;
};

/* @depth: that the guest can have in flight at most */
bool clock_find(const GArray *lives, unsigned int depth, struct clock *clock);
/* Do they come whatever becomes of the others? @depth: that makes pauses most alike */
bool clock_is_open(const GArray *lives, unsigned int depth);

/* --- streams-pieces.c: where work can be taken off --- */

/* sets piece_ns and doubts of the stream; sorts queue->stays */
void pieces_guess(const struct queue *queue, struct stream *stream, bool preemptive);

/* --- streams-work.c: what each workload waited for --- */

/* fills the stream's work, from at least one life; @window: of open streams */
void work_infer(const struct queue *queue, struct stream *stream, struct window window);

#endif
