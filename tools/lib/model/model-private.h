/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make up the model share.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_MODEL_PRIVATE_H
#define GVTTRACE_MODEL_PRIVATE_H

#include <stddef.h>

#include "inside.h"

#define MAX_LISTENERS	13
#define RECENT_WORKLOADS 16
#define SPARE_WORKLOADS	16
/* with the sanitizer none, as it tells who uses what is gone */
#ifdef __SANITIZE_ADDRESS__
#define MOST_SPARE	0
#else
#define MOST_SPARE	SPARE_WORKLOADS
#endif

/* of a call: its place among those of struct model_listener */
#define NR_CALLS	(offsetof(struct model_listener, ctx) / sizeof(void (*)(void)))
#define CALL(call)	(offsetof(struct model_listener, call) / sizeof(void (*)(void)))

struct model {
	GHashTable *workloads;		/* alive: struct workload_key -> struct workload */
	struct workload *recent[RECENT_WORKLOADS];	/* by id, the last of each place; or NULL */
	struct workload *spare[SPARE_WORKLOADS];	/* that ended: room for those to come */
	unsigned int nr_spare, most_spare;
	GArray *unused;			/* unsigned int: numbers of those that ended and are no spare */
	unsigned int most_alive;	/* all numbers are below */
	GPtrArray *gpus;
	GPtrArray *vgpus;
	GPtrArray *engines;
	GPtrArray *vgpu_engines;
	GPtrArray *sched_infos;
	struct model_listener listeners[MAX_LISTENERS];
	int nr_listeners;
	const struct model_listener *heard[NR_CALLS][MAX_LISTENERS + 1];	/* by call; NULL ends */
	int64_t last_ns;		/* of the last event */
	unsigned int gaps;		/* being open now */
	int64_t gap_begin_ns;		/* of the last one, or of several that overlap */
	int64_t gap_end_ns;
	int64_t first_gap_ns;		/* when the first one began */
	bool had_gap;
	uint64_t strays;
	struct skew skew;
	int64_t until_ns;		/* end of the time that is looked at */
	bool submits;			/* gvt_workload_submit is recorded */
	bool states;			/* so is gvt_workload_state */
	bool runs;			/* so are gvt_workload_start and _stop */
	bool blind;			/* these are not: work has completed without them */
	uint64_t tainted;
};

/* of a GPU: what may have been queued in a gap, and waits unseen */
struct hidden {
	bool any;			/* there may be some */
	int64_t ids_from;		/* of this id on, each workload is counted; or UNKNOWN */
	uint64_t ids_seen;		/* so many */
	bool queued;			/* one was, since the last gap */
	unsigned int nr_vgpus;		/* that were seen */
	bool more_vgpus;		/* others may have been named in a gap before any of the GPU */
	struct ended {
		int64_t id;		/* UNKNOWN: none */
		int64_t end_ns;
		int64_t start_ns;	/* on the engine, if that was told after it; or UNKNOWN */
	} ended[8];			/* last of those whose queueing or execution was not seen */
	unsigned int nr_ended;
	int nr_told;			/* workloads that were told one after the other; < 0: not all */
};

static inline struct workload_key workload_key_of(const struct workload_event *event)
{
	return (struct workload_key) { event->dev, event->workload_id };
}

/* does the scheduler tell of one engine, and not of all of the GPU? */
static inline bool is_one_engine(int64_t class, int64_t instance)
{
	return class >= 0 && instance >= 0;
}

/* objects.c: the one of that number, which is new if it was not seen before */
void model_objects_init(struct model *model);
struct gpu *model_get_gpu(struct model *model, int64_t dev);
struct vgpu *model_get_vgpu(struct model *model, int64_t dev, int64_t id);
struct gpu_engine *model_get_engine(struct model *model, int64_t dev, int64_t class,
				    int64_t instance);
struct vgpu_engine *model_get_queue(struct model *model, const struct workload_event *event);
/* NULL if it was not seen */
struct gpu_engine *model_find_engine(const struct model *model, int64_t dev, int64_t class,
				     int64_t instance);

/* alive.c: a workload from its first event on; its place among those that had one last */
struct workload *alive_new(struct model *model, const struct workload_event *event);
struct workload *alive_get(struct model *model, const struct event *event);
struct workload **alive_recent(struct model *model, struct workload_key key);
/* its end */
void alive_keep(struct model *model, struct workload *w);
void alive_free(void *workload);
/* it joins those that wait for the engine, or leaves them; nothing if it has already */
void model_set_waiting(struct model *model, struct workload *w, int64_t ts_ns, bool waiting);
/* the same for one that may have left already, while events were lost */
void model_doubt_waiting(struct model *model, struct workload *w, int64_t ts_ns);
/* @ts_ns: UNKNOWN at the end of the trace */
void model_tell_unsure_wait(const struct model *model, const struct vgpu_engine *queue,
			    enum doubt doubt, int64_t from_ns, int64_t ts_ns);

/* life.c: what becomes of a workload; life_move() is each step after the first one */
void life_queue(struct model *model, const struct event *event);
void life_move(struct model *model, const struct event *event);
void life_submit(struct model *model, struct workload *w, const struct event *event);
void life_start(struct model *model, struct workload *w, const struct event *event);
void life_stop(struct model *model, struct workload *w, const struct event *event);
void life_complete(struct model *model, struct workload *w, const struct event *event);
/* the trace ends, and it is still alive */
void life_finish(struct model *model, struct workload *w);
/* with exclusive dispatch an engine has one workload at most, and none at a switch */
void life_show_idle_now(struct model *model, struct gpu_engine *engine);

/* that tells something only after events were lost */
static inline void life_show_idle(struct model *model, struct gpu_engine *engine)
{
	if (model->had_gap)
		life_show_idle_now(model, engine);
}

/* is it on the engine, or may it have left it in a gap? */
bool life_still_runs(const struct model *model, const struct workload *w);
/* it has ended, or another one has started, and its stop was not seen */
void life_tell_lost_stop(const struct model *model, const struct workload *w);
/* @until_ns: UNKNOWN if it still runs at the end of the trace */
void life_tell_ran(const struct model *model, const struct workload *w, int64_t from_ns,
		   int64_t until_ns);

/* the same of whatever is on the engine: cut @from_ns to what is certain and nobody else's */
/* @empty_ns: a begin of which 0 ns are told, too; or UNKNOWN. Returns false if nothing is left */
bool life_claim(const struct model *model, struct gpu_engine *engine, int64_t *from_ns,
		int64_t until_ns, int64_t empty_ns);

/* host.c: the host's own work on a new engine; host_free() */
struct host *host_new(const struct model *model, const struct gpu *gpu);
void host_free(struct host *host);
void host_event(struct model *model, const struct event *event);
/* i915 has another request, the host's or a vGPU's */
void host_request(struct model *model, const struct event *event);
/* one of the requests that it had is a vGPU's */
void host_not_own(struct gpu_engine *engine, int64_t ctx);
/* a vGPU's work was on the engine, which the host may have waited for */
void host_met(struct gpu_engine *engine, const struct vgpu *vgpu, int64_t from_ns, int64_t to_ns);
/* a vGPU's work is on the engine, and so the host's is not */
void host_beside(struct model *model, struct gpu_engine *engine, int64_t ts_ns);
/* events are lost from now on, until now, or the trace is over */
void host_gap_begin(struct model *model, int64_t ts_ns);
void host_gap_end(struct model *model, int64_t ts_ns);
void host_finish(struct model *model);
/* is it on the engine at @from_ns? @to_ns: changed to until when that is so, if sooner */
bool host_at(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns);
/* for how long it is on the engine between the two times, as far as it is known */
int64_t host_between(const struct gpu_engine *engine, int64_t from_ns, int64_t to_ns);
/* is it on the engine, or may it be, so that its end is yet to be told? */
bool host_open(const struct gpu_engine *engine);
/* may it be, for all that is known now? */
bool host_may(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns);

/* told.c: what the scheduler tells */
void told_init(struct model *model);
void told_event(struct model *model, const struct event *event);

/* early.c: a step of a workload now, or when what it follows has come */
void early_move(struct model *model, const struct event *event);
/* this event has come: what came too early may follow it */
void early_retry(struct model *model, const struct event *event);
/* what has been kept for too long is taken as what it is; @ts_ns: UNKNOWN: all */
void early_drop(struct model *model, int64_t ts_ns);

/* hidden.c: of a new GPU; g_free() */
struct hidden *hidden_new(const struct model *model);
/* a gap ends; a workload was queued; one whose queueing or execution was not seen has ended, or */
/* is found */
void hidden_gap_end(struct model *model);
void hidden_queued(const struct model *model, struct gpu *gpu, int64_t id);
void hidden_ended(const struct model *model, const struct workload *w);
/* the workload, if the event comes after its end, by a clock that is ahead; else NULL */
struct ended *hidden_late(struct model *model, const struct gpu *gpu, const struct event *event);
void hidden_found(const struct model *model, const struct workload *w);
/* the queue is served in order: nothing is hidden in it any more */
void hidden_gone(const struct model *model, const struct vgpu_engine *queue);
/* the kernel tells what is there */
void hidden_told(struct model *model, const struct event *event);

/* gaps.c: what is certain of the engines ends here, @ts_ns UNKNOWN: with the trace */
void gaps_tell_certain(struct model *model, int64_t ts_ns);

#define TELL(model, call, ...)						\
	for (const struct model_listener *const *_l = (model)->heard[CALL(call)]; *_l; _l++) \
		(*_l)->call((*_l)->ctx, __VA_ARGS__);

#endif
