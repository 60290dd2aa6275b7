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
/* such a part of the times may be others than pieces explain */
#define STRAY_PART	0.01

/* one workload that was seen from its queueing to its completion */
struct life {
	int64_t queue_ns;
	int64_t end_ns;
	int64_t exec_ns;
	int64_t guest_lrca;
	unsigned int holes;		/* before it: times in which one may have come that is not known */
};

/* of one vGPU on one engine */
struct queue {
	const struct vgpu_engine *queue;
	GArray *lives;			/* struct life */
	int64_t last_queue_ns;		/* of these */
	bool hole;			/* one ended since, of which too little is known */
	unsigned int holes;		/* until the last of these */
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

/* was everything seen from the one that is @back before it on? */
static inline bool is_seen_whole(const GArray *lives, guint nr, guint back)
{
	return nr >= back && life_at(lives, nr)->holes == life_at(lives, nr - back)->holes;
}

/* --- streams.c --- */

/* one without work; stream_clear() frees all but the struct */
struct stream *stream_of_context(const struct vgpu *vgpu, const struct gpu_engine *engine);
/* without work, other contexts and other kinds again */
void stream_clear(struct stream *stream);

/* --- streams-numbers.c: of arrays of int64_t --- */

GArray *numbers_new(void);
/* for g_array_sort() */
gint numbers_compare(gconstpointer a, gconstpointer b);
/* a quantile; @part: 0 to 1 */
int64_t numbers_at(const GArray *sorted, double part);
/* sorts */
int64_t numbers_median(GArray *numbers);
/*
 * How many bits it takes to tell them, to the nanosecond, to who knows how they are distributed: the
 * density at each is that of its three nearest neighbours (D. Loftsgaarden and C. Quesenberry, 1965), or of
 * those that are as good as equal. That also holds for several clusters. Sorts.
 */
double numbers_bits(GArray *numbers);
/* how many bits it takes to tell of each of @all whether it is one of @some */
double numbers_choice_bits(double some, double all);

/* --- streams-fit.c: which kind of guest would have queued when this one did? --- */

enum fit_kind {
	FIT_LOOP,			/* each waits for the completion of the one so many before */
	FIT_CHAIN,			/* each waits for what happened last: a barrier, a frame of several */
	FIT_TIMETABLE,			/* each is due at its time, and late if the queue was full */
	FIT_RANDOM,			/* they come at random, whatever becomes of the others */
	FIT_KINDS
};

/* a kind of guest, replayed against what completed when */
struct fit {
	enum fit_kind kind;
	bool possible;			/* there is such a guest at all */
	double bits;			/* it takes to tell when they were queued, to who knows the kind */
	unsigned int depth;
	double first_ns, period_ns;	/* of a timetable */
	bool skips;			/* a timetable leaves out some of its times */
};

/* what is to be fitted */
struct fitting {
	const GArray *lives;		/* struct life, by the times at which they were queued; at least two */
	const GArray *ends;		/* int64_t: when they completed, sorted */
	double *numbers;		/* of a timetable that leaves out none of its times: which each was due at */
	unsigned int most;		/* in flight at once */
	double full;			/* part of the workloads that were queued when all but one of these were */
	unsigned int depth;		/* that is told; 0: nothing is */
	double period_ns;		/* the same */
};

void fitting_init(struct fitting *fitting, const GArray *lives, const struct stream_told *told);
void fitting_clear(struct fitting *fitting);
/* fills one of each kind */
void fit_all(const struct fitting *fitting, struct fit fits[FIT_KINDS]);
/* which of a timetable's times it is that a workload was due at */
double fit_due_ns(const struct fitting *fitting, const struct fit *fit, guint nr);

/* --- streams-pieces.c: where work can be taken off --- */

/* sets piece_ns and doubts of the stream; sorts queue->stays */
void pieces_guess(const struct queue *queue, struct stream *stream, bool preemptive);

/* --- streams-work.c: what each workload waited for --- */

/*
 * fills the stream: its work, that of other contexts, and what else it may be; from at least one life
 * @told: what is known of it
 */
void work_infer(const GArray *lives, struct stream *stream, struct window window,
		const struct stream_told *told);

#endif
