/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by streams.c and its companions: the workloads kept of a queue, and conclusions from
 * their times.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_STREAMS_PRIVATE_H
#define GVTTRACE_STREAMS_PRIVATE_H

#include "streams.h"

/* the guest may learn of a completion at most this long before it is traced */
#define NEGATIVE_NS	200000
/* fewer workloads prove little */
#define FEW		10
/* maximum share of times that pieces need not explain */
#define STRAY_PART	0.01

/* a workload traced from its queueing to its completion */
struct life {
	int64_t queue_ns;
	int64_t end_ns;
	int64_t exec_ns;
	int64_t guest_lrca;
	unsigned int holes;		/* times before it in which unseen work may have come */
};

/* one vGPU on one engine */
struct queue {
	const struct vgpu_engine *queue;
	GArray *lives;			/* struct life */
	int64_t last_queue_ns;		/* queueing of the last of these */
	bool hole;			/* since then, a workload ended that is not fully known */
	unsigned int holes;		/* life.holes of the last one */
	bool cut;
	GArray *contexts;		/* LRCAs (int64_t) of contexts busier than idle work */
	GArray *stays;			/* int64_t: run times until preemption */
	uint64_t preempted;		/* number of preemptions */
	struct stream stream;
};

/* the workload at this index */
static inline const struct life *life_at(const GArray *lives, guint nr)
{
	return &g_array_index(lives, struct life, nr);
}

/* is no work missing since the workload @back before this one? */
static inline bool is_seen_whole(const GArray *lives, guint nr, guint back)
{
	return nr >= back && life_at(lives, nr)->holes == life_at(lives, nr - back)->holes;
}

/* --- stream.c --- */

/* a stream without work, in place or of its own; stream_clear() frees all but the struct */
void stream_init(struct stream *stream, const struct vgpu *vgpu, const struct gpu_engine *engine);
struct stream *stream_of_context(const struct vgpu *vgpu, const struct gpu_engine *engine);
/* drop its work, other contexts and alternatives */
void stream_clear(struct stream *stream);

/* --- streams-numbers.c: of arrays of int64_t --- */

GArray *numbers_new(void);
/* for g_array_sort() */
gint numbers_compare(gconstpointer a, gconstpointer b);
/* a quantile; @part: 0 to 1 */
int64_t numbers_at(const GArray *sorted, double part);
/* sorts @numbers */
int64_t numbers_median(GArray *numbers);
/*
 * Bits needed to encode the numbers, to the nanosecond, given their distribution: the density at
 * each is that of its three nearest neighbours (D. Loftsgaarden and C. Quesenberry, 1965), or of
 * practically equal ones. This holds also for several clusters. Sorts @numbers.
 */
double numbers_bits(GArray *numbers);
/* bits needed to encode which of @all are among @some */
double numbers_choice_bits(double some, double all);

/* --- streams-fit.c: which kind of guest would have queued when this one did? --- */

enum fit_kind {
	FIT_LOOP,			/* each waits for the completion of the one @depth before */
	FIT_DEEPER,			/* the same, but fewer than @depth were ever in flight */
	FIT_CHAIN,			/* each waits for the last event: barrier, composed frame */
	FIT_TIMETABLE,			/* each is due at its time, and late if the queue was full */
	FIT_RANDOM,			/* they arrive at random, regardless of the others */
	FIT_KINDS
};

/* a kind of guest, replayed against the recorded completions */
struct fit {
	enum fit_kind kind;
	bool possible;			/* such a guest is possible at all */
	double bits;			/* bits to encode queueing times of this kind */
	unsigned int depth;
	double first_ns, period_ns;	/* FIT_TIMETABLE */
	bool skips;			/* skips some of its times */
};

/* input of a fit */
struct fitting {
	const GArray *lives;		/* struct life, in order of queueing; >= 2 */
	const GArray *ends;		/* int64_t: completion times, sorted */
	double *numbers;		/* timetable without skips: index of due time */
	unsigned int most;		/* maximum in flight */
	unsigned int usual;		/* the same but for strays */
	double met;			/* share of workloads queued with others in flight */
	double full;			/* share of workloads queued with @usual - 1 in flight */
	bool limited;			/* with @usual in flight, workloads were held back */
	unsigned int depth;		/* declared depth; 0: none */
	double period_ns;		/* declared period; 0: none */
};

void fitting_init(struct fitting *fitting, const GArray *lives, const struct stream_told *told);
void fitting_clear(struct fitting *fitting);
/* fills a fit of each kind */
void fit_all(const struct fitting *fitting, struct fit fits[FIT_KINDS]);
/* the timetable's time at which a workload was due */
double fit_due_ns(const struct fitting *fitting, const struct fit *fit, guint nr);

/* --- streams-pieces.c: where work can be preempted --- */

/* sets piece_ns and doubts of the stream; sorts queue->stays */
void pieces_guess(const struct queue *queue, struct stream *stream, bool preemptive);

/* --- streams-work.c: the cause of each queueing --- */

/*
 * fills the stream: its work, that of other contexts, and alternatives; needs at least one life
 * @told: external knowledge of it
 */
void work_infer(const GArray *lives, struct stream *stream, struct window window,
		const struct stream_told *told);

#endif
