// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/util.h"
#include "model-private.h"
#include "phase.h"
#include "skew.h"
#include "turns.h"

/*
 * Far more than any host has. Damaged traces may name any number, and the short
 * arrays that hold them are searched from front to back.
 */
#define MAX_VGPUS	1024
#define MAX_ENGINES	256
#define MAX_VGPU_ENGINES 4096

static void free_gpu(void *data)
{
	struct gpu *gpu = data;

	g_ptr_array_free(gpu->engines, TRUE);
	g_ptr_array_free(gpu->queues, TRUE);
	g_free(gpu->address);
	g_free(gpu);
}

static void free_vgpu(void *data)
{
	struct vgpu *vgpu = data;

	g_array_free(vgpu->slices, TRUE);
	g_free(vgpu->type);
	g_free(vgpu->uuid);
	g_free(vgpu->vm);
	g_free(vgpu->label);
	g_free(vgpu);
}

static void free_engine(void *data)
{
	struct gpu_engine *engine = data;

	g_ptr_array_free(engine->queues, TRUE);
	g_queue_clear(&engine->unfinished);
	g_free(engine);
}

static void free_vgpu_engine(void *data)
{
	struct vgpu_engine *queue = data;

	g_array_free(queue->unproven, TRUE);
	g_free(queue);
}

static void free_workload(void *data)
{
	g_slice_free(struct workload, data);
}

static void free_sched_info(void *data)
{
	struct sched_info *info = data;

	g_free((char *)info->policy);
	g_free((char *)info->dispatch);
	g_free(info);
}

struct model *model_new(void)
{
	struct model *model = g_new0(struct model, 1);

	model->workloads = g_hash_table_new_full(workload_key_hash, workload_key_equal, NULL, free_workload);
	model->gpus = g_ptr_array_new_with_free_func(free_gpu);
	model->vgpus = g_ptr_array_new_with_free_func(free_vgpu);
	model->engines = g_ptr_array_new_with_free_func(free_engine);
	model->vgpu_engines = g_ptr_array_new_with_free_func(free_vgpu_engine);
	model->sched_infos = g_ptr_array_new_with_free_func(free_sched_info);
	model->most_spare = MOST_SPARE;
	model->gap_end_ns = UNKNOWN;
	skew_init(&model->skew);
	return model;
}

void model_free(struct model *model)
{
	skew_clear(&model->skew);
	g_hash_table_destroy(model->workloads);
	while (model->nr_spare)
		free_workload(model->spare[--model->nr_spare]);
	g_ptr_array_free(model->vgpu_engines, TRUE);
	g_ptr_array_free(model->engines, TRUE);
	g_ptr_array_free(model->vgpus, TRUE);
	g_ptr_array_free(model->gpus, TRUE);
	g_ptr_array_free(model->sched_infos, TRUE);
	g_free(model);
}

static void append(const struct model_listener **list, const struct model_listener *listener)
{
	while (*list)
		list++;
	*list = listener;
}

void model_listen(struct model *model, const struct model_listener *listener)
{
	struct model_listener *kept;

	g_assert(model->nr_listeners < MAX_LISTENERS);
	kept = &model->listeners[model->nr_listeners++];
	*kept = *listener;
	for (size_t call = 0; call < NR_CALLS; call++)
		if (((void *const *)kept)[call])
			append(model->heard[call], kept);
}

const struct gpu *model_gpu(const struct model *model, int64_t dev)
{
	for (unsigned int nr = 0; nr < model->gpus->len; nr++) {
		const struct gpu *gpu = model->gpus->pdata[nr];

		if (gpu->dev == dev)
			return gpu;
	}
	return NULL;
}

/* there are no more GPUs than vGPUs and engines, whose numbers are bounded */
static struct gpu *get_gpu(struct model *model, int64_t dev)
{
	struct gpu *gpu = (struct gpu *)model_gpu(model, dev);

	if (gpu)
		return gpu;
	gpu = g_new0(struct gpu, 1);
	gpu->dev = dev;
	gpu->first_id = UNKNOWN;
	gpu->last_id = UNKNOWN;		/* less than any */
	gpu->engines = g_ptr_array_new();
	gpu->queues = g_ptr_array_new();
	g_ptr_array_add(model->gpus, gpu);
	return gpu;
}

/*
 * A host has a handful of vGPUs and engines: walking a short array beats
 * hashing a key of three numbers.
 */
const struct vgpu *model_vgpu(const struct model *model, int64_t dev, int64_t id)
{
	for (unsigned int nr = 0; nr < model->vgpus->len; nr++) {
		const struct vgpu *vgpu = model->vgpus->pdata[nr];

		if (vgpu->id == id && vgpu->dev == dev)
			return vgpu;
	}
	return NULL;
}

const char *vgpu_name(const struct vgpu *vgpu)
{
	return vgpu->label + strlen("vGPU ");
}

#define NUMBER_UNKNOWN(member)	.member = UNKNOWN,

static const struct slice unknown_slice = { NULL, UNKNOWN, UNKNOWN, UNKNOWN };

static struct vgpu *get_vgpu(struct model *model, int64_t dev, int64_t id)
{
	struct vgpu *vgpu = (struct vgpu *)model_vgpu(model, dev, id);

	if (vgpu)
		return vgpu;
	if (model->vgpus->len == MAX_VGPUS)
		fatal("the trace names more than %d vGPUs: it is corrupted; record it again",
		      MAX_VGPUS);
	vgpu = g_new0(struct vgpu, 1);
	*vgpu = (struct vgpu) {
		.gpu = get_gpu(model, dev),
		.dev = dev, .id = id, VGPU_NUMBERS(NUMBER_UNKNOWN)
		.set = vgpu_settings_unknown,
		.slices = g_array_new(FALSE, FALSE, sizeof(struct slice)),
		.label = g_strdup_printf("vGPU %" PRId64, id),
	};
	g_array_append_val(vgpu->slices, unknown_slice);
	g_ptr_array_add(model->vgpus, vgpu);
	return vgpu;
}

const struct slice *vgpu_slice(const struct vgpu *vgpu, const struct gpu_engine *engine)
{
	const struct slice *slices = (const struct slice *)vgpu->slices->data;

	for (unsigned int nr = 1; nr < vgpu->slices->len; nr++)
		if (slices[nr].engine == engine)
			return &slices[nr];
	return &slices[0];
}

static struct gpu_engine *find_engine(const struct model *model, int64_t dev, int64_t class,
				      int64_t instance)
{
	for (unsigned int nr = 0; nr < model->engines->len; nr++) {
		struct gpu_engine *engine = model->engines->pdata[nr];

		if (engine->class == class && engine->instance == instance && engine->dev == dev)
			return engine;
	}
	return NULL;
}

/* does the scheduler tell of one engine, and not of all of the GPU? */
static bool is_one_engine(int64_t class, int64_t instance)
{
	return class >= 0 && instance >= 0;
}

/* Workloads of damaged traces may be on engines with the numbers that stand for all. */
const struct gpu_engine *model_engine(const struct model *model, int64_t dev, int64_t class,
				      int64_t instance)
{
	return is_one_engine(class, instance) ? find_engine(model, dev, class, instance) : NULL;
}

const struct gpu_engine *model_engine_of(const struct model *model, const struct event *event)
{
	const struct workload_event *told = &event->workload;

	return event->id > EVENT_WORKLOAD_CANCEL ? NULL :
	       find_engine(model, told->dev, told->class, told->instance);
}

/* One that is seen first in the middle of an exclusive turn has the same turn. */
static struct gpu_engine *get_engine(struct model *model, int64_t dev, int64_t class,
				     int64_t instance)
{
	struct gpu_engine *engine = find_engine(model, dev, class, instance);

	if (engine)
		return engine;
	if (model->engines->len == MAX_ENGINES)
		fatal("the trace names more than %d engines: it is corrupted; record it again",
		      MAX_ENGINES);
	engine = g_new0(struct gpu_engine, 1);
	engine->gpu = get_gpu(model, dev);
	engine->turn = engine->gpu->turn;
	engine->queues = g_ptr_array_new();
	engine->dev = dev;
	engine->class = class;
	engine->instance = instance;
	engine->index = model->engines->len;
	engine->ran_ns = UNKNOWN;
	engine->overlap_ns = UNKNOWN;
	g_ptr_array_add(engine->gpu->engines, engine);
	g_ptr_array_add(model->engines, engine);
	return engine;
}

static struct vgpu_engine *new_vgpu_engine(struct model *model,
					   const struct workload_event *event)
{
	struct vgpu_engine *queue;

	if (model->vgpu_engines->len == MAX_VGPU_ENGINES)
		fatal("the trace names more than %d engines of vGPUs: it is corrupted; record it again",
		      MAX_VGPU_ENGINES);
	queue = g_new0(struct vgpu_engine, 1);
	queue->vgpu = get_vgpu(model, event->dev, event->vgpu_id);
	queue->engine = get_engine(model, event->dev, event->class, event->instance);
	queue->index = model->vgpu_engines->len;
	queue->free_ns = UNKNOWN;
	queue->parts_ns = UNKNOWN;
	queue->certain_ns = UNKNOWN;
	queue->unproven = g_array_new(FALSE, FALSE, sizeof(struct stretch));
	g_ptr_array_add(queue->engine->queues, queue);
	g_ptr_array_add(queue->vgpu->gpu->queues, queue);
	g_ptr_array_add(model->vgpu_engines, queue);
	return queue;
}

static struct vgpu_engine *get_vgpu_engine(struct model *model,
					   const struct workload_event *event)
{
	for (unsigned int nr = 0; nr < model->vgpu_engines->len; nr++) {
		struct vgpu_engine *queue = model->vgpu_engines->pdata[nr];

		if (queue->vgpu->id == event->vgpu_id && queue->vgpu->dev == event->dev &&
		    queue->engine->class == event->class &&
		    queue->engine->instance == event->instance)
			return queue;
	}
	return new_vgpu_engine(model, event);
}

static const struct workload unknown_workload = {
	.guest_lrca = UNKNOWN, .ctx = UNKNOWN, .seqno = UNKNOWN, .lrca = UNKNOWN,
	.queue_ns = UNKNOWN, .submit_ns = UNKNOWN, .start_ns = UNKNOWN, .stop_ns = UNKNOWN,
	.end_ns = UNKNOWN, .end_tid = UNKNOWN, .piece_ns = UNKNOWN, .status = UNKNOWN,
	.phase_ns = UNKNOWN, .superseded_ns = UNKNOWN,
};

/* Its events often come one after the other, or among those of few others. */
static struct workload **recent_place(struct model *model, struct workload_key key)
{
	return &model->recent[(uint64_t)key.id % RECENT_WORKLOADS];
}

/* To allocate each, and free it, cost a twentieth of the reading of a trace. */
static struct workload *take_spare(struct model *model)
{
	return model->nr_spare ? model->spare[--model->nr_spare] : g_slice_new(struct workload);
}

static void keep_spare(struct model *model, struct workload *w)
{
	if (model->nr_spare < model->most_spare)
		model->spare[model->nr_spare++] = w;
	else
		free_workload(w);
}

static struct workload *new_workload(struct model *model, const struct workload_event *event)
{
	struct workload *w = take_spare(model);
	struct gpu *gpu = get_gpu(model, event->dev);

	*w = unknown_workload;
	w->dev = event->dev;
	w->id = event->workload_id;
	w->queue = get_vgpu_engine(model, event);
	w->tainted = model->gaps;
	w->tainted_ns = model->gap_begin_ns;
	g_hash_table_insert(model->workloads, &w->key, w);
	*recent_place(model, w->key) = w;
	gpu->last_id = MAX(gpu->last_id, w->id);
	return w;
}

void model_set_waiting(struct model *model, struct workload *w, int64_t ts_ns, bool waiting)
{
	if (w->waiting == waiting)
		return;
	w->waiting = waiting;
	TELL(model, waiting, w, ts_ns, waiting ? 1 : -1);
}

/* @ts_ns: UNKNOWN at the end of the trace */
static void tell_unsure_wait(const struct model *model, const struct vgpu_engine *queue,
			     enum doubt doubt, int64_t from_ns, int64_t ts_ns)
{
	TELL(model, unsure_wait, queue, doubt, from_ns, ts_ns);
}

void model_doubt_waiting(struct model *model, struct workload *w, int64_t ts_ns)
{
	if (w->waiting && w->tainted)
		tell_unsure_wait(model, w->queue, DOUBT_COUNTED, w->tainted_ns, ts_ns);
	model_set_waiting(model, w, ts_ns, false);
}

/*
 * Ids grow in the order of queueing, so a workload whose queue event was not
 * seen is from before the trace exactly if its id is below the first one seen.
 * Above it, the event was lost, or this one comes after the workload's end.
 */
static bool is_from_before(const struct gpu *gpu, int64_t id)
{
	return !known(gpu->first_id) || id < gpu->first_id;
}

/* where a workload has been before its event */
static enum phase phase_before(enum event_id id)
{
	static const enum phase phases[] = {
		[EVENT_WORKLOAD_SUBMIT] = PHASE_PENDING,
		[EVENT_WORKLOAD_START] = PHASE_SUBMITTED,
		[EVENT_WORKLOAD_STOP] = PHASE_RUNNING,
		[EVENT_WORKLOAD_COMPLETE] = PHASE_FINISHING,
		[EVENT_WORKLOAD_CANCEL] = PHASE_PENDING,
	};

	return phases[id];
}

/*
 * adopt - begin to follow a workload in the middle of its life
 *
 * What it did before is known from where it is now: on the way to the engine
 * it has been waiting, at a stop it has been running.
 */
static struct workload *adopt(struct model *model, const struct event *event)
{
	bool from_before = is_from_before(get_gpu(model, event->workload.dev),
					  event->workload.workload_id);
	struct workload *w;

	if (!from_before && !model->had_gap) {
		skew_keep(&model->skew, event);
		return NULL;
	}
	w = new_workload(model, &event->workload);
	w->from_before = from_before;
	/* alive since before the trace, or since its queueing was lost */
	w->tainted = model->had_gap;
	w->tainted_ns = model->gap_begin_ns;
	/* without its submit, pieces before the first one seen are possible */
	w->exec_unknown = event->id != EVENT_WORKLOAD_SUBMIT &&
			  event->id != EVENT_WORKLOAD_CANCEL;
	if (event->id == EVENT_WORKLOAD_STOP)
		w->running = from_before;
	else if (event->id != EVENT_WORKLOAD_COMPLETE)
		model_set_waiting(model, w, from_before ? UNKNOWN : event->ts_ns, true);
	if (!from_before)
		tell_unsure_wait(model, w->queue, DOUBT_MISSED, model->gap_begin_ns, event->ts_ns);
	if (from_before) {
		turns_older(model, w->queue, event->ts_ns);
		TELL(model, older, w, phase_before(event->id), event->ts_ns);
	}
	return w;
}

/* where it was when the trace began; gvt_workload_state tells it */
static enum phase phase_at_start(const struct event *event)
{
	static const enum phase phases[] = { PHASE_PENDING, PHASE_SUBMITTED, PHASE_RUNNING };
	int64_t state = event->workload.state;

	/* other errors than that of a hang are of those that were not submitted */
	if (event->id == EVENT_WORKLOAD_COMPLETE && event->workload.status &&
	    event->workload.status != -EIO)
		return PHASE_PENDING;
	if (event->id != EVENT_WORKLOAD_STATE)
		return phase_before(event->id);
	/* it has been on the engine, and is not there */
	if (state == 1 && event->workload.exec_ns > 0)
		return PHASE_PREEMPTED;
	return state >= 0 && state <= 2 ? phases[state] : PHASE_PENDING;
}

/* It is submitted, and has not been on the engine. */
static bool is_fresh(const struct event *event, enum phase phase)
{
	return event->id == EVENT_WORKLOAD_STATE && phase == PHASE_SUBMITTED &&
	       event->workload.exec_ns == 0;
}

void model_first_id(struct model *model, int64_t dev, int64_t id)
{
	get_gpu(model, dev)->first_id = id;
}

void model_older(struct model *model, const struct event *event, int64_t queue_ns,
		 int64_t start_ns)
{
	enum phase phase = phase_at_start(event);
	struct workload *w = new_workload(model, &event->workload);

	w->from_before = true;
	w->queue_ns = MIN(queue_ns, start_ns);
	w->exec_unknown = phase != PHASE_PENDING && !is_fresh(event, phase);
	w->running = phase == PHASE_RUNNING;
	if (phase == PHASE_PENDING || phase == PHASE_SUBMITTED || phase == PHASE_PREEMPTED)
		model_set_waiting(model, w, UNKNOWN, true);
	phase_enter(model, w, phase, start_ns);
	/* submitted, or taken off the engine unfinished */
	if (event->id == EVENT_WORKLOAD_START)
		w->queue->astray = w;
	/* for whom it waited before the trace is not known */
	if (phase == PHASE_PENDING && known(w->queue_ns))
		w->waits_ns[WAIT_UNKNOWN] -= start_ns - w->queue_ns;
	TELL(model, older, w, phase, start_ns);
}

static struct workload_key key_of(const struct workload_event *event)
{
	return (struct workload_key) { event->dev, event->workload_id };
}

static struct workload *get_workload(struct model *model, const struct event *event)
{
	struct workload_key key = key_of(&event->workload);
	struct workload **recent = recent_place(model, key);

	if (!*recent || (*recent)->id != key.id || (*recent)->dev != key.dev)
		*recent = g_hash_table_lookup(model->workloads, &key);
	return *recent ? *recent : adopt(model, event);
}

static void end_life(struct model *model, const struct workload *w)
{
	if (!w->tainted && !known(w->queue->parts_ns) && !workload_parts_agree(w))
		w->queue->parts_ns = model->last_ns;
	model->tainted += w->tainted;
	TELL(model, ended, w);
}

/*
 * Once a gap is over, every stop is seen again: what is on the engine then shows in the
 * end, and if nothing does, nothing was.
 */
static void show_engine(struct gpu_engine *engine)
{
	engine->evident = true;
}

/* With exclusive dispatch an engine has one workload at most, and none at a switch. */
static void show_idle(const struct model *model, struct gpu_engine *engine)
{
	if (!model->gaps && !engine->gpu->per_engine)
		show_engine(engine);
}

/* Is the workload on the engine, or may it have left it in a gap? */
static bool still_runs(const struct model *model, const struct workload *w)
{
	if (!w->running || w->completed || w->cancelled || known(w->superseded_ns))
		return false;
	return !known(model->gap_end_ns) || (known(w->piece_ns) && w->piece_ns >= model->gap_end_ns);
}

/*
 * Clocks differ, and i915 tells of a workload that takes the engine before the one that
 * makes way for it: that is no contradiction.
 */
static bool overlaps(const struct gpu_engine *engine, int64_t from_ns, int64_t until_ns)
{
	int64_t end_ns = known(until_ns) ? MIN(until_ns, engine->ran_ns) : engine->ran_ns;

	return known(from_ns) && known(engine->ran_ns) && end_ns - from_ns > SKEW_MAX_NS;
}

/* @until_ns: UNKNOWN if it still runs at the end of the trace */
static void tell_ran(const struct model *model, const struct workload *w, int64_t from_ns,
		     int64_t until_ns)
{
	struct gpu_engine *engine = w->queue->engine;

	if (known(model->gap_end_ns))
		from_ns = MAX(from_ns, model->gap_end_ns);	/* UNKNOWN is less than any */
	if (!known(engine->overlap_ns) && !model->had_gap && overlaps(engine, from_ns, until_ns))
		engine->overlap_ns = from_ns;
	from_ns = MAX(from_ns, engine->ran_ns);
	/* one of 0 ns is told, too, if none before it reaches over it */
	if (known(until_ns) && (until_ns < from_ns ||
				(until_ns == from_ns && from_ns != w->piece_ns)))
		return;
	engine->ran_ns = MAX(engine->ran_ns, until_ns);
	TELL(model, ran, w, from_ns, until_ns);
}

/*
 * Its stop was not seen before its completion, or before another one started: it has
 * executed until then at most.
 */
static void tell_lost_stop(const struct model *model, const struct workload *w)
{
	int64_t until_ns = w->end_ns;

	if (!w->running || !known(w->piece_ns))
		return;
	if (known(w->superseded_ns) && (!known(until_ns) || w->superseded_ns < until_ns))
		until_ns = w->superseded_ns;
	if (known(until_ns) && (!known(model->gap_end_ns) || w->piece_ns >= model->gap_end_ns))
		TELL(model, unsure, w->queue->engine, w->piece_ns, until_ns);
}

static void retire(struct model *model, struct workload *w)
{
	if (w->phase != PHASE_NONE)
		phase_doubt(w);
	if (w->queue->astray == w)
		turns_found(model, w->queue, model->last_ns);
	if (w->queue->engine->latest == w)
		w->queue->engine->latest = NULL;
	tell_lost_stop(model, w);
	end_life(model, w);
	*recent_place(model, w->key) = NULL;
	g_hash_table_steal(model->workloads, &w->key);
	keep_spare(model, w);
}

/*
 * The stop of a completed workload may be traced after its completion: they
 * come from different CPUs. But when another one has begun and ended on the
 * engine since, the stop was lost.
 */
static void retire_unfinished(struct model *model, struct gpu_engine *engine,
			      const struct workload *than)
{
	struct workload *w;

	while ((w = g_queue_peek_head(&engine->unfinished)) && w != than &&
	       known(than->piece_ns) && w->end_ns < than->piece_ns) {
		g_queue_pop_head(&engine->unfinished);
		retire(model, w);
	}
}

static void on_queue(struct model *model, const struct event *event)
{
	const struct workload_event *fields = &event->workload;
	struct workload_key key = key_of(fields);
	struct gpu *gpu = get_gpu(model, fields->dev);
	struct workload *w;

	/* ids grow in the order of queueing: mostly there is nothing to look for */
	if (key.id <= gpu->last_id && g_hash_table_contains(model->workloads, &key)) {
		model->strays++;
		return;
	}
	if (!known(gpu->first_id) || key.id < gpu->first_id)
		gpu->first_id = key.id;
	w = new_workload(model, fields);
	w->queue_ns = event->ts_ns;
	w->guest_lrca = fields->guest_lrca;
	phase_enter(model, w, PHASE_PENDING, event->ts_ns);
	TELL(model, arrived, w, event->ts_ns);
	model_set_waiting(model, w, event->ts_ns, true);
}

/* On another CPU, whose clock is behind, it has started already. */
static void submit_late(struct model *model, struct workload *w, const struct event *event)
{
	skew_note(&model->skew, w->start_ns, event->ts_ns);
	w->submit_ns = w->start_ns;
}

static void submit(struct model *model, struct workload *w, const struct event *event)
{
	w->submit_ns = event->ts_ns;
	/* a queue is served in order: whatever was before it has left */
	if (!model->gaps && known(w->queue_ns) && !w->tainted)
		w->queue->evident = true;
	show_idle(model, w->queue->engine);
	turns_show_current(model, w->queue);
	phase_enter(model, w, PHASE_SUBMITTED, event->ts_ns);
	w->ctx = event->workload.ctx;
	w->seqno = event->workload.seqno;
}

/* The switch to its vGPU may come from a CPU whose clock is ahead. */
static void on_submit(struct model *model, struct workload *w, const struct event *event)
{
	model->submits = true;
	if (known(w->start_ns))
		submit_late(model, w, event);
	else if (w->running || w->pieces)
		model->strays++;
	else if (turns_contradict(model, w->queue))
		skew_keep(&model->skew, event);
	else
		submit(model, w, event);
}

static void note_request(struct workload *w, const struct workload_event *fields)
{
	w->ctx = known(fields->ctx) ? fields->ctx : w->ctx;
	w->seqno = known(fields->seqno) ? fields->seqno : w->seqno;
	w->lrca = known(fields->lrca) ? fields->lrca : w->lrca;
}

/* The next start on the engine ends what ran there, should its stop be lost. */
static void supersede(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct gpu_engine *engine = w->queue->engine;
	struct workload *before = engine->latest;

	if (before && before != w && before->running && !known(before->superseded_ns))
		before->superseded_ns = ts_ns;
	engine->latest = w;
	w->superseded_ns = UNKNOWN;
	if (!model->gaps)
		show_engine(engine);
}

static void start(struct model *model, struct workload *w, const struct event *event)
{
	if (w->running) {
		/* its stop was lost: how long that piece was cannot be known */
		w->exec_unknown = true;
		if (!w->tainted && !model->had_gap)
			model->strays++;
	}
	model_set_waiting(model, w, event->ts_ns, false);
	supersede(model, w, event->ts_ns);
	phase_enter(model, w, PHASE_RUNNING, event->ts_ns);
	note_request(w, &event->workload);
	if (w->tainted && !known(w->submit_ns))
		w->exec_unknown = true;
	if (!known(w->start_ns) && !w->exec_unknown)
		w->start_ns = event->ts_ns;
	w->piece_ns = event->ts_ns;
	w->running = true;
}

/* Its submission may come from a CPU whose clock is ahead. */
static void on_start(struct model *model, struct workload *w, const struct event *event)
{
	if (w->phase == PHASE_PENDING && model->submits && !w->tainted && !model->had_gap)
		skew_keep(&model->skew, event);
	else
		start(model, w, event);
}

static void end_piece(struct model *model, struct workload *w, const struct event *event)
{
	struct piece piece = {
		.workload = w,
		.start_ns = w->piece_ns,
		.stop_ns = event->ts_ns,
		.completed = event->workload.completed,
		.from_before = w->running && !known(w->piece_ns),
	};

	if (known(w->piece_ns))
		w->exec_ns += event->ts_ns - w->piece_ns;
	if (!model->gaps) {
		show_engine(w->queue->engine);
		if (w->running || known(model->gap_end_ns))
			tell_ran(model, w, w->piece_ns, event->ts_ns);
	}
	w->superseded_ns = UNKNOWN;
	w->finished = event->workload.completed;
	w->pieces++;
	w->running = false;
	w->stop_ns = event->ts_ns;
	TELL(model, piece, &piece);
}

static enum phase phase_after_stop(const struct workload *w, const struct event *event)
{
	if (w->completed || w->cancelled)
		return PHASE_NONE;
	return event->workload.completed ? PHASE_FINISHING : PHASE_PREEMPTED;
}

static void stop(struct model *model, struct workload *w, const struct event *event)
{
	struct gpu_engine *engine = w->queue->engine;

	note_request(w, &event->workload);
	if (!w->running) {
		/* its start was lost */
		w->exec_unknown = true;
		w->piece_ns = UNKNOWN;
		model_doubt_waiting(model, w, event->ts_ns);
		if (!w->tainted && !model->had_gap)
			model->strays++;
	}
	retire_unfinished(model, engine, w);
	end_piece(model, w, event);
	phase_enter(model, w, phase_after_stop(w, event), event->ts_ns);
	if (w->completed || w->cancelled) {
		g_queue_remove(&engine->unfinished, w);
		retire(model, w);
		return;
	}
	if (!event->workload.completed)
		model_set_waiting(model, w, event->ts_ns, true);
}

/* Its start may come from a CPU whose clock is ahead. */
static void on_stop(struct model *model, struct workload *w, const struct event *event)
{
	if (!w->running && !w->exec_unknown && !w->tainted && !model->had_gap)
		skew_keep(&model->skew, event);
	else
		stop(model, w, event);
}

static void end_workload(struct model *model, struct workload *w, const struct event *event)
{
	w->end_ns = event->ts_ns;
	w->end_tid = event->pid;
	model_set_waiting(model, w, event->ts_ns, false);
	phase_release(w, event->ts_ns);
	/* what was switched out for good has only waited for its completion */
	if (w->phase == PHASE_PREEMPTED)
		phase_enter(model, w, PHASE_FINISHING, w->phase_ns);
	if (!w->running)
		phase_enter(model, w, PHASE_NONE, event->ts_ns);
	if (w->running)
		g_queue_push_tail(&w->queue->engine->unfinished, w);
	else
		retire(model, w);
}

static void on_complete(struct model *model, struct workload *w, const struct event *event)
{
	w->completed = true;
	w->status = event->workload.status;
	if (w->phase != PHASE_PENDING || !w->status)
		model_doubt_waiting(model, w, event->ts_ns);
	show_idle(model, w->queue->engine);
	retire_unfinished(model, w->queue->engine, w);
	end_workload(model, w, event);
}

static void on_cancel(struct model *model, struct workload *w, const struct event *event)
{
	w->cancelled = true;
	end_workload(model, w, event);
}

static void replace_text(char **to, const char *text)
{
	if (!text || g_strcmp0(*to, text) == 0)
		return;
	g_free(*to);
	*to = make_printable(g_strdup(text));
}

static void set_vm(struct vgpu *vgpu, const char *vm)
{
	if (!g_strcmp0(vgpu->vm, vm))
		return;
	replace_text(&vgpu->vm, vm);
	g_free(vgpu->label);
	vgpu->label = g_strdup_printf("vGPU %" PRId64 " (%s)", vgpu->id, vgpu->vm);
}

static void note_cap(struct model *model, struct vgpu *vgpu, int64_t cap, int64_t ts_ns)
{
	if (!known(cap) || cap == vgpu->set.cap)
		return;
	vgpu->set.cap = cap;
	turns_setting(model, vgpu->gpu, ts_ns);
}

/* what is not told stays as it was */
static void note_settings(struct model *model, struct vgpu *vgpu, struct vgpu_settings told,
			  int64_t ts_ns)
{
	note_cap(model, vgpu, told.cap, ts_ns);
	for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
		if (known(*vgpu_setting(&told, desc)))
			*vgpu_setting(&vgpu->set, desc) = *vgpu_setting(&told, desc);
}

#define TAKE_NUMBER(member)	vgpu->member = info->member;

/* Its id was given to another one, which has other slices and settings. */
static void reuse(struct vgpu *vgpu)
{
	vgpu->reused = true;
	vgpu->set = vgpu_settings_unknown;
	g_array_set_size(vgpu->slices, 0);
	g_array_append_val(vgpu->slices, unknown_slice);
}

static void on_vgpu_info(struct model *model, const struct event *event)
{
	const struct vgpu_info_event *info = &event->vgpu_info;
	struct vgpu *vgpu = get_vgpu(model, info->dev, info->vgpu_id);

	if (vgpu->uuid && info->uuid && strcmp(vgpu->uuid, info->uuid))
		reuse(vgpu);
	VGPU_NUMBERS(TAKE_NUMBER)
	note_settings(model, vgpu, info->set, event->ts_ns);
	replace_text(&vgpu->type, info->type);
	replace_text(&vgpu->uuid, info->uuid);
	replace_text(&vgpu->gpu->address, info->gpu);
	if (info->vm)
		set_vm(vgpu, info->vm);
}

/* which engine the scheduler tells of; NULL: all of the GPU */
static struct gpu_engine *get_scope(struct model *model, int64_t dev, int64_t class,
				    int64_t instance)
{
	return is_one_engine(class, instance) ? get_engine(model, dev, class, instance) : NULL;
}

static void on_switch(struct model *model, const struct event *event)
{
	const struct switch_event *told = &event->sched_switch;
	struct gpu_engine *scope = get_scope(model, told->dev, told->class, told->instance);
	struct gpu *gpu = get_gpu(model, told->dev);
	struct vgpu *prev = NULL, *next = NULL;

	if (told->prev_vgpu_id)
		prev = get_vgpu(model, told->dev, told->prev_vgpu_id);
	if (told->next_vgpu_id)
		next = get_vgpu(model, told->dev, told->next_vgpu_id);
	gpu->per_engine = scope;
	gpu->had_per_engine |= gpu->per_engine;
	for (unsigned int nr = 0; !scope && told->reason != SWITCH_STOP && nr < gpu->engines->len; nr++)
		show_idle(model, gpu->engines->pdata[nr]);
	turns_switch(model, gpu, scope, prev, next, event);
}

static void on_balance(struct model *model, const struct event *event)
{
	const struct balance_event *balance = &event->balance;
	struct vgpu *vgpu = get_vgpu(model, balance->dev, balance->vgpu_id);

	if (known(balance->weight))
		vgpu->weight = balance->weight;
	turns_balance(model, vgpu, get_scope(model, balance->dev, balance->class,
					     balance->instance), event);
}

static void on_hold(struct model *model, const struct event *event)
{
	const struct hold_event *hold = &event->hold;

	turns_hold(model, get_gpu(model, hold->dev),
		   get_scope(model, hold->dev, hold->class, hold->instance),
		   get_vgpu(model, hold->dev, hold->vgpu_id), event);
}

static struct sched_info *find_sched_info(const struct model *model, int64_t dev)
{
	for (unsigned int nr = 0; nr < model->sched_infos->len; nr++) {
		struct sched_info *info = model->sched_infos->pdata[nr];

		if (info->dev == dev)
			return info;
	}
	return NULL;
}

static void note_policy(struct model *model, struct sched_info *info, const char *policy,
			int64_t ts_ns)
{
	struct gpu *gpu = get_gpu(model, info->dev);

	if (!policy)
		return;
	replace_text((char **)&info->policy, policy);
	if (gpu->lends == sched_policy_lends(policy))
		return;
	gpu->lends = sched_policy_lends(policy);
	turns_setting(model, gpu, ts_ns);
}

/* Engines have turns of their own under every mode but the first one. */
static void note_dispatch(struct model *model, struct sched_info *info, const char *dispatch)
{
	if (!dispatch)
		return;
	replace_text((char **)&info->dispatch, dispatch);
	get_gpu(model, info->dev)->per_engine = *dispatch && strcmp(dispatch, "exclusive");
}

static struct sched_info *get_sched_info(struct model *model, int64_t dev)
{
	struct sched_info *info = find_sched_info(model, dev);

	if (info)
		return info;
	info = g_new(struct sched_info, 1);
	*info = sched_info_unknown;
	info->dev = dev;
	g_ptr_array_add(model->sched_infos, info);
	return info;
}

static void on_sched_info(struct model *model, const struct event *event)
{
	struct sched_info told = event->sched_info;
	struct sched_info *info = get_sched_info(model, told.dev);

	/* these two have consequences, and are kept where the event does not tell them */
	told.policy = info->policy;
	told.dispatch = info->dispatch;
	*info = told;
	get_gpu(model, told.dev)->traced = true;
	note_dispatch(model, info, event->sched_info.dispatch);
	note_policy(model, info, event->sched_info.policy, event->ts_ns);
}

static void on_setting_of_vgpu(struct model *model, const struct event *event)
{
	const struct setting_event *told = &event->setting;
	struct vgpu *vgpu = get_vgpu(model, told->dev, told->vgpu_id);
	struct vgpu_settings set = vgpu_settings_unknown;
	gint64 number;

	if (!g_ascii_string_to_signed(told->new_value, 10, INT32_MIN, INT32_MAX, &number, NULL))
		return;
	for (const struct setting_desc *desc = settings_of_vgpus; desc->name; desc++)
		if (!strcmp(told->setting, desc->name))
			*vgpu_setting(&set, desc) = number;
	note_settings(model, vgpu, set, event->ts_ns);
}

/* gvt_sched_info, which comes once per second, tells the rest soon enough. */
static void on_setting(struct model *model, const struct event *event)
{
	const struct setting_event *told = &event->setting;
	struct sched_info *info = find_sched_info(model, told->dev);

	if (!told->setting || !told->new_value)
		return;
	if (told->vgpu_id)
		on_setting_of_vgpu(model, event);
	else if (info && !strcmp(told->setting, "policy"))
		note_policy(model, info, told->new_value, event->ts_ns);
	else if (info && !strcmp(told->setting, "dispatch"))
		note_dispatch(model, info, told->new_value);
}

/* transitions of a workload that exists */
static void (*const transitions[EVENT_COUNT])(struct model *, struct workload *,
					      const struct event *) = {
	[EVENT_WORKLOAD_SUBMIT] = on_submit,
	[EVENT_WORKLOAD_START] = on_start,
	[EVENT_WORKLOAD_STOP] = on_stop,
	[EVENT_WORKLOAD_COMPLETE] = on_complete,
	[EVENT_WORKLOAD_CANCEL] = on_cancel,
};

static void (*const others[EVENT_COUNT])(struct model *, const struct event *) = {
	[EVENT_WORKLOAD_QUEUE] = on_queue,
	[EVENT_SCHED_SWITCH] = on_switch,
	[EVENT_SCHED_BALANCE] = on_balance,
	[EVENT_SCHED_HOLD] = on_hold,
	[EVENT_SCHED_SETTING] = on_setting,
	[EVENT_VGPU_INFO] = on_vgpu_info,
	[EVENT_SCHED_INFO] = on_sched_info,
};

/* After its end a workload only waits for its last stop. */
static bool contradicts(const struct workload *w, const struct event *event)
{
	return (w->completed || w->cancelled) && event->id != EVENT_WORKLOAD_STOP;
}

static void move_now(struct model *model, const struct event *event)
{
	struct workload *w = get_workload(model, event);

	if (!w)
		return;
	if (contradicts(w, event))
		model->strays++;
	else
		transitions[event->id](model, w, event);
}

/* Has an earlier step of the workload been kept? */
static bool follows_kept(const struct model *model, const struct event *event)
{
	struct workload_key key = key_of(&event->workload);

	for (enum event_id id = EVENT_WORKLOAD_SUBMIT; id <= EVENT_WORKLOAD_START; id++)
		if (event->id > id && skew_has(&model->skew, id, &key))
			return true;
	return false;
}

static void move(struct model *model, const struct event *event)
{
	if (model->skew.kept->len && follows_kept(model, event))
		skew_keep(&model->skew, event);
	else
		move_now(model, event);
}

/* Nothing has come that it follows: it is taken as what it is, after all that was before. */
static void drop_kept(struct model *model, struct event *event)
{
	struct workload_key key = key_of(&event->workload);
	struct workload *w = g_hash_table_lookup(model->workloads, &key);

	event->ts_ns = MAX(event->ts_ns, model->last_ns);
	/* what was kept of it before has started it */
	if (w && event->id == EVENT_WORKLOAD_SUBMIT && (w->running || w->pieces))
		w->submit_ns = w->start_ns;
	else if (w && event->id == EVENT_WORKLOAD_SUBMIT)
		submit(model, w, event);
	else if (w && event->id == EVENT_WORKLOAD_START)
		start(model, w, event);
	else if (w && event->id == EVENT_WORKLOAD_STOP)
		stop(model, w, event);
	else if (w)
		move_now(model, event);
	else
		model->strays++;
}

static void drop_expired(struct model *model, int64_t ts_ns)
{
	struct event event;

	while (skew_expired(&model->skew, ts_ns, &event))
		drop_kept(model, &event);
}

/* One that came too early, now that the time is @ts_ns; it may be kept once more. */
static void retry(struct model *model, struct event *event, int64_t ts_ns)
{
	unsigned int kept = model->skew.kept->len;
	int64_t own_ns = event->ts_ns;

	event->ts_ns = MAX(own_ns, ts_ns);
	move(model, event);
	if (model->skew.kept->len == kept)
		skew_note(&model->skew, own_ns, ts_ns);
	else
		g_array_index(model->skew.kept, struct event, kept).ts_ns = own_ns;
}

/* what came too early of one workload, as long as that is possible now */
static void move_kept_of(struct model *model, struct workload_key key, int64_t ts_ns)
{
	unsigned int before;
	struct event early;

	do {
		before = model->skew.kept->len;
		for (unsigned int nr = 0; nr < before; nr++) {
			if (!skew_take(&model->skew, &key, &early))
				return;
			retry(model, &early, ts_ns);
		}
	} while (model->skew.kept->len < before);
}

/* It is a vGPU's turn: what it submitted too early, on any engine */
static void move_submitted(struct model *model, const struct switch_event *told, int64_t ts_ns)
{
	GArray *keys = g_array_new(FALSE, FALSE, sizeof(struct workload_key));

	for (unsigned int nr = 0; nr < model->skew.kept->len; nr++) {
		const struct event *early = &g_array_index(model->skew.kept, struct event, nr);
		struct workload_key key = key_of(&early->workload);

		if (early->id == EVENT_WORKLOAD_SUBMIT && early->workload.dev == told->dev &&
		    early->workload.vgpu_id == told->next_vgpu_id)
			g_array_append_val(keys, key);
	}
	for (unsigned int nr = 0; nr < keys->len; nr++)
		move_kept_of(model, g_array_index(keys, struct workload_key, nr), ts_ns);
	g_array_free(keys, TRUE);
}

/* What came too early may follow this one. */
static void move_kept(struct model *model, const struct event *event)
{
	if (event->id <= EVENT_WORKLOAD_START)
		move_kept_of(model, key_of(&event->workload), event->ts_ns);
	if (event->id == EVENT_SCHED_SWITCH)
		move_submitted(model, &event->sched_switch, event->ts_ns);
}

void model_event(struct model *model, const struct event *event)
{
	if (model->skew.kept->len)
		drop_expired(model, event->ts_ns);
	model->last_ns = event->ts_ns;
	if (others[event->id])
		others[event->id](model, event);
	if (transitions[event->id])
		move(model, event);
	if (model->skew.kept->len)
		move_kept(model, event);
}

static void lose_turns(struct model *model, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < model->gpus->len; nr++)
		turns_lost(model, model->gpus->pdata[nr], ts_ns);
}

/* whatever is alive may be anywhere, on any engine */
static void doubt_workload(struct workload *w, int64_t ts_ns)
{
	if (!w->tainted)
		w->tainted_ns = ts_ns;
	w->tainted = true;
	/* with i915, it may come and go unseen */
	if (w->phase == PHASE_SUBMITTED || w->phase == PHASE_RUNNING || w->phase == PHASE_PREEMPTED)
		w->exec_unknown = true;
	phase_doubt(w);
}

static void doubt_all(struct model *model, int64_t ts_ns)
{
	GHashTableIter iter;
	void *w;

	lose_turns(model, ts_ns);
	for (unsigned int nr = 0; nr < model->engines->len; nr++)
		((struct gpu_engine *)model->engines->pdata[nr])->doubtful = true;
	g_hash_table_iter_init(&iter, model->workloads);
	while (g_hash_table_iter_next(&iter, NULL, &w))
		doubt_workload(w, ts_ns);
}

/* What is certain of the engines ends here, @ts_ns UNKNOWN: with the trace. */
static void tell_certain(struct model *model, int64_t ts_ns)
{
	const struct workload *w;
	GHashTableIter iter;
	void *value;

	g_hash_table_iter_init(&iter, model->workloads);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		w = value;
		/* of what begins just now nothing is certain yet */
		if (still_runs(model, w) && (!known(ts_ns) || w->piece_ns != ts_ns))
			tell_ran(model, w, w->piece_ns, ts_ns);
	}
	for (unsigned int nr = 0; nr < model->engines->len; nr++) {
		struct gpu_engine *engine = model->engines->pdata[nr];

		if (known(model->gap_end_ns) && !engine->evident)
			TELL(model, unsure, engine, model->gap_end_ns, ts_ns);
		engine->evident = false;
	}
	for (unsigned int nr = 0; nr < model->vgpu_engines->len; nr++) {
		struct vgpu_engine *queue = model->vgpu_engines->pdata[nr];

		if (known(model->gap_end_ns) && !queue->evident)
			tell_unsure_wait(model, queue, DOUBT_UNSEEN, model->gap_end_ns, ts_ns);
		queue->evident = false;
	}
}

void model_gap_begin(struct model *model, int64_t ts_ns)
{
	/* what they follow may be lost now */
	drop_expired(model, UNKNOWN);
	model->had_gap = true;
	if (model->gaps++)
		return;
	tell_certain(model, ts_ns);
	model->gap_begin_ns = ts_ns;
	doubt_all(model, ts_ns);
}

void model_gap_end(struct model *model, int64_t ts_ns)
{
	if (--model->gaps)
		return;
	TELL(model, unsure, NULL, model->gap_begin_ns, ts_ns);
	model->gap_end_ns = ts_ns;
	doubt_all(model, ts_ns);
}

static int compare_keys(const void *a, const void *b)
{
	const struct workload *wa = *(struct workload *const *)a;
	const struct workload *wb = *(struct workload *const *)b;

	if (wa->dev != wb->dev)
		return wa->dev < wb->dev ? -1 : 1;
	return (wa->id > wb->id) - (wa->id < wb->id);
}

static void finish_workload(struct model *model, struct workload *w)
{
	/* of one that has ended only the stop was lost: it is not running still */
	if (w->running && !w->completed && !w->cancelled && !known(w->superseded_ns)) {
		struct piece piece = {
			.workload = w,
			.start_ns = w->piece_ns,
			.stop_ns = UNKNOWN,
			.completed = UNKNOWN,
		};

		TELL(model, piece, &piece);
	}
	tell_lost_stop(model, w);
	if (w->waiting && w->tainted)
		tell_unsure_wait(model, w->queue, DOUBT_COUNTED, w->tainted_ns, UNKNOWN);
	end_life(model, w);
}

void model_reach(struct model *model, int64_t ts_ns)
{
	model->last_ns = MAX(model->last_ns, ts_ns);
}

void model_finish(struct model *model)
{
	guint count;
	struct workload **alive;

	drop_expired(model, UNKNOWN);
	alive = (struct workload **)g_hash_table_get_keys_as_array(model->workloads, &count);
	for (guint nr = 0; nr < count; nr++)
		alive[nr] = g_hash_table_lookup(model->workloads, alive[nr]);
	qsort(alive, count, sizeof(*alive), compare_keys);
	if (model->gaps)
		TELL(model, unsure, NULL, model->gap_begin_ns, UNKNOWN)
	else
		tell_certain(model, UNKNOWN);
	for (guint nr = 0; nr < count; nr++)
		finish_workload(model, alive[nr]);
	for (unsigned int nr = 0; nr < model->gpus->len; nr++)
		turns_finish(model, model->gpus->pdata[nr], model->last_ns);
	g_free(alive);
	g_hash_table_remove_all(model->workloads);
}

const GPtrArray *model_gpus(const struct model *model)
{
	return model->gpus;
}

const GPtrArray *model_vgpus(const struct model *model)
{
	return model->vgpus;
}

const GPtrArray *model_engines(const struct model *model)
{
	return model->engines;
}

const GPtrArray *model_vgpu_engines(const struct model *model)
{
	return model->vgpu_engines;
}

const struct sched_info *model_sched_info(const struct model *model, int64_t dev)
{
	const struct sched_info *info = find_sched_info(model, dev);

	return info ? info : &sched_info_unknown;
}

const GPtrArray *model_sched_infos(const struct model *model)
{
	return model->sched_infos;
}

uint64_t model_tainted(const struct model *model)
{
	return model->tainted;
}

uint64_t model_strays(const struct model *model)
{
	return model->strays;
}

const struct skew *model_skew(const struct model *model)
{
	return &model->skew;
}
