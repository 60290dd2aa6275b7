/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the model.
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
/* none with the sanitizer, so that it can detect use after free */
#ifdef __SANITIZE_ADDRESS__
#define MOST_SPARE	0
#else
#define MOST_SPARE	SPARE_WORKLOADS
#endif

/* index of a callback in struct model_listener */
#define NR_CALLS	(offsetof(struct model_listener, ctx) / sizeof(void (*)(void)))
#define CALL(call)	(offsetof(struct model_listener, call) / sizeof(void (*)(void)))

struct model {
	GHashTable *workloads;		/* live ones: struct workload_key -> struct workload */
	struct workload *recent[RECENT_WORKLOADS];	/* cache by id modulo its size; or NULL */
	struct workload *spare[SPARE_WORKLOADS];	/* ended ones, for reuse */
	unsigned int nr_spare, most_spare;
	GArray *unused;			/* free values of workload.nr */
	unsigned int most_alive;	/* upper bound of workload.nr */
	GPtrArray *gpus;
	GPtrArray *vgpus;
	GPtrArray *engines;
	GPtrArray *vgpu_engines;
	GPtrArray *sched_infos;
	struct model_listener listeners[MAX_LISTENERS];
	int nr_listeners;
	const struct model_listener *heard[NR_CALLS][MAX_LISTENERS + 1];	/* by call */
	int64_t last_ns;		/* of the last event */
	unsigned int gaps;		/* number of open gaps */
	int64_t gap_begin_ns;		/* of the last gap, or of overlapping ones */
	int64_t gap_end_ns;
	int64_t first_gap_ns;		/* when the first gap began */
	bool had_gap;
	uint64_t strays;
	struct skew skew;
	int64_t until_ns;		/* end of the window */
	bool submits;			/* gvt_workload_submit is recorded */
	bool states;			/* gvt_workload_state is recorded */
	bool runs;			/* gvt_workload_start and _stop are recorded */
	bool blind;			/* they are not: work completed without them */
	uint64_t tainted;
};

/* value while no report is in progress: reports list vGPUs, then workloads, then the scheduler */
#define NOT_TOLD	(-1)

/* per GPU: work that may have been queued in a gap and waits unseen */
struct hidden {
	bool any;			/* there may be such work */
	int64_t ids_from;		/* all ids from this one on are counted; or UNKNOWN */
	uint64_t ids_seen;		/* ids counted */
	bool queued;			/* a workload was queued after the last gap */
	unsigned int nr_vgpus;		/* vGPUs seen */
	bool more_vgpus;		/* others may have been named in a gap */
	struct ended {
		int64_t id;		/* UNKNOWN: none */
		int64_t end_ns;
		int64_t start_ns;	/* start if traced late; or UNKNOWN */
	} ended[8];			/* last ended ones whose queueing or execution was unseen */
	unsigned int nr_ended;
	int nr_told;			/* gvt_workload_state events in a row; < 0: some missed */
};

/* a wait since a preemption that may have been the workload's end */
struct undecided {
	struct stretch stretch;
	int64_t pending_ns;		/* other work waited, too, from then on; or INT64_MAX */
	enum wait_class by_turn;	/* the reason without the preemption */
	const struct vgpu *current;
};

static inline struct workload_key workload_key_of(const struct workload_event *event)
{
	return (struct workload_key) { event->dev, event->workload_id };
}

/* is a scheduler event for one engine, rather than all of the GPU? */
static inline bool is_one_engine(int64_t class, int64_t instance)
{
	return class >= 0 && instance >= 0;
}

/* objects.c: find an object by its numbers, or create it */
void model_objects_init(struct model *model);
struct gpu *model_get_gpu(struct model *model, int64_t dev);
struct vgpu *model_get_vgpu(struct model *model, int64_t dev, int64_t id);
struct gpu_engine *model_get_engine(struct model *model, int64_t dev, int64_t class,
				    int64_t instance);
struct vgpu_engine *model_get_queue(struct model *model, const struct workload_event *event);
/* NULL if not seen */
struct gpu_engine *model_find_engine(const struct model *model, int64_t dev, int64_t class,
				     int64_t instance);

/* alive.c: a workload from its first event on; its slot in model.recent */
struct workload *alive_new(struct model *model, const struct workload_event *event);
struct workload *alive_get(struct model *model, const struct event *event);
struct workload **alive_recent(struct model *model, struct workload_key key);
/* its end */
void alive_keep(struct model *model, struct workload *w);
void alive_free(void *workload);

/* waiting.c: a workload starts or stops waiting for the engine; does nothing if it already has */
void model_set_waiting(struct model *model, struct workload *w, int64_t ts_ns, bool waiting);
/* the same for one that may have left in a gap */
void model_doubt_waiting(struct model *model, struct workload *w, int64_t ts_ns);
/* @ts_ns: UNKNOWN at the end of the trace */
void model_tell_unsure_wait(const struct model *model, const struct vgpu_engine *queue,
			    enum doubt doubt, int64_t from_ns, int64_t ts_ns);

/* life.c: the steps of a workload's life; life_move() handles all but the first */
void life_queue(struct model *model, const struct event *event);
void life_move(struct model *model, const struct event *event);
void life_submit(struct model *model, struct workload *w, const struct event *event);
void life_start(struct model *model, struct workload *w, const struct event *event);
void life_stop(struct model *model, struct workload *w, const struct event *event);
void life_complete(struct model *model, struct workload *w, const struct event *event);
/* the trace ends while it is alive */
void life_finish(struct model *model, struct workload *w);
/* with exclusive dispatch an engine has at most one workload, and none at a switch */
void life_show_idle_now(struct model *model, struct gpu_engine *engine);

/* matters only after events were lost */
static inline void life_show_idle(struct model *model, struct gpu_engine *engine)
{
	if (model->had_gap)
		life_show_idle_now(model, engine);
}

/* engine.c: is a workload certainly on the engine, not stopped in a gap? */
bool engine_still_runs(const struct model *model, const struct workload *w);
/* report as unsure the time of a piece whose stop is missing */
void engine_tell_lost_stop(const struct model *model, const struct workload *w);
/* report certain execution; @until_ns: UNKNOWN if it still runs when the trace ends */
void engine_tell_ran(const struct model *model, const struct workload *w, int64_t from_ns,
		   int64_t until_ns);

/* for any work on the engine: move @from_ns up to time that is certain and not yet claimed */
/* @empty_ns: report an empty interval that begins here; or UNKNOWN. Returns: is any left? */
bool engine_claim(const struct model *model, struct gpu_engine *engine, int64_t *from_ns,
		int64_t until_ns, int64_t empty_ns);

/* host.c: the host's own work on an engine */
void host_event(struct model *model, const struct event *event);
/* i915 has a new request, of the host or of a vGPU */
void host_request(struct model *model, const struct event *event);
/* the requests of this context are a vGPU's */
void host_not_own(struct gpu_engine *engine, int64_t ctx);
/* a vGPU's work ran on the engine; the host may have waited for it */
void host_met(struct gpu_engine *engine, const struct vgpu *vgpu, int64_t from_ns, int64_t to_ns);
/* a vGPU's work runs on the engine, so the host's does not */
void host_beside(struct model *model, struct gpu_engine *engine, int64_t ts_ns);
/* a gap begins, a gap ends, the trace ends */
void host_gap_begin(struct model *model, int64_t ts_ns);
void host_gap_end(struct model *model, int64_t ts_ns);
void host_finish(struct model *model);

/* told.c: the scheduler's events */
void told_init(struct model *model);
void told_event(struct model *model, const struct event *event);

/* early.c: apply a step of a workload, or keep it until its predecessor arrives */
void early_move(struct model *model, const struct event *event);
/* apply kept events that this one was the predecessor of */
void early_retry(struct model *model, const struct event *event);
/* apply events kept for too long as they are; @ts_ns: UNKNOWN: all */
void early_drop(struct model *model, int64_t ts_ns);

/* hidden.c: a gap ends; a workload was queued; one with unseen queueing or execution has ended, or */
/* was found */
void hidden_gap_end(struct model *model);
void hidden_queued(const struct model *model, struct gpu *gpu, int64_t id);
void hidden_ended(const struct model *model, const struct workload *w);
/* the ended workload, if a clock that is ahead put its end before the event; else NULL */
struct ended *hidden_late(struct model *model, const struct gpu *gpu, const struct event *event);
void hidden_found(const struct model *model, const struct workload *w);
/* queues are served in order: this one hides nothing any more */
void hidden_gone(const struct model *model, const struct vgpu_engine *queue);
/* gvt_workload_state and the other periodic events */
void hidden_told(struct model *model, const struct event *event);

/* gaps.c: report what is certain up to @ts_ns, UNKNOWN: to the end of the trace */
void gaps_tell_certain(struct model *model, int64_t ts_ns);

#define TELL(model, call, ...)						\
	for (const struct model_listener *const *_l = (model)->heard[CALL(call)]; *_l; _l++) \
		(*_l)->call((*_l)->ctx, __VA_ARGS__);

#endif
