// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "host-spans.h"
#include "model-private.h"
#include "reasons.h"
#include "skew.h"
#include "stretches.h"
#include "turns.h"

/* Does this reason also apply to work submitted to i915? If not, that work waits for i915. */
static bool holds_submitted(enum wait_class class)
{
	return class == WAIT_OTHER || class == WAIT_THROTTLED || class == WAIT_CAPPED ||
	       class == WAIT_HELD || class == WAIT_UNKNOWN;
}

/* Work preempted without a successor lost its slice or reached its cap. */
static enum wait_class class_of(const struct vgpu_engine *queue)
{
	enum wait_class class = reason_by_turn(queue);

	if (queue->astray)
		return queue->first ? WAIT_UNKNOWN : WAIT_NONE;
	if (queue->preempted)
		return class == WAIT_THROTTLED || class == WAIT_CAPPED ? class : WAIT_PREEMPTED;
	if (queue->first || (queue->ahead && holds_submitted(class)))
		return class;
	return WAIT_NONE;
}

/* account the open wait, with its present class, up to @ts_ns */
static void account_until(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	stretch_account(model, queue, queue->class, queue->culprit, queue->since_ns, ts_ns);
	queue->since_ns = MAX(queue->since_ns, ts_ns);
}

/* set the open wait's class from the current state; keep a known preemptor */
static void classify(struct vgpu_engine *queue)
{
	enum wait_class class = class_of(queue);

	if (class == WAIT_OTHER)
		queue->culprit = queue->engine->turn.current;
	else if (class != WAIT_PREEMPTED || queue->class != WAIT_PREEMPTED)
		queue->culprit = NULL;
	queue->class = class;
}

/* With clock skew, a late event may be from time already accounted. */
static void begin(struct vgpu_engine *queue, int64_t ts_ns)
{
	classify(queue);
	queue->since_ns = MAX(queue->since_ns, ts_ns);
}

/* after a change: end the open wait and begin a new one, if the class differs */
static void renew(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	enum wait_class class = class_of(queue);

	if (class == queue->class &&
	    (class != WAIT_OTHER || queue->culprit == queue->engine->turn.current))
		return;
	account_until(model, queue, ts_ns);
	begin(queue, ts_ns);
}

void turns_join(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	queue->vgpu->pending++;
	w->prev = queue->last;
	w->next = NULL;
	if (queue->last)
		queue->last->next = w;
	else
		queue->first = w;
	queue->last = w;
	for (int class = 0; class < WAIT_CLASSES; class++)
		w->waits_ns[class] = queue->spent_ns[class];
	if (!model->gaps)
		queue->certain_ns = MIN(queue->certain_ns, ts_ns);
	if (queue->class == WAIT_NONE) {
		account_until(model, queue, ts_ns);
		begin(queue, ts_ns);
	}
}

static void unlink_workload(struct workload *w)
{
	struct vgpu_engine *queue = w->queue;

	queue->vgpu->pending--;
	if (w->prev)
		w->prev->next = w->next;
	else
		queue->first = w->next;
	if (w->next)
		w->next->prev = w->prev;
	else
		queue->last = w->prev;
}

static void forget_waits(struct model *model, struct workload *w, int64_t ts_ns)
{
	unlink_workload(w);
	model_doubt_waiting(model, w, ts_ns);
	w->phase = PHASE_NONE;
	w->phase_ns = UNKNOWN;
}

/* Until now, another workload was ahead of them. */
static void forget_dispatch(struct vgpu_engine *queue)
{
	for (struct workload *w = queue->first; w; w = w->tainted ? w->next : NULL)
		w->dispatch_ns = w->sure_dispatch_ns = 0;
}

/* When the workloads ahead of it left in the gap is unknown: up to its end, all is doubtful. */
static void doubt_dispatch(struct workload *w)
{
	int64_t doubt_ns = w->dispatch_ns - w->sure_dispatch_ns;

	w->waits_ns[WAIT_CURRENT] -= doubt_ns;
	w->waits_ns[WAIT_UNKNOWN] += doubt_ns;
	w->dispatch_ns = w->sure_dispatch_ns;
}

void turns_leave(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	account_until(model, queue, ts_ns);
	for (int class = 0; class < WAIT_CLASSES; class++)
		w->waits_ns[class] = queue->spent_ns[class] - w->waits_ns[class];
	stretches_leave(queue, w);
	stretches_prove(model, queue, w);
	if (w == queue->last)
		queue->certain_ns = UNKNOWN;
	/* the end of those ahead of it was lost */
	if (queue->first != w && queue->first->tainted)
		doubt_dispatch(w);
	while (queue->first != w && queue->first->tainted)
		forget_waits(model, queue->first, ts_ns);
	unlink_workload(w);
	if (w->tainted)
		forget_dispatch(queue);
	if (!queue->first)
		begin(queue, ts_ns);
}

/* Until turns_ahead_end(), waits_ns lacks the queue's spent_ns. */
void turns_ahead(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	if (!queue->vgpu->gpu->per_engine || w->ahead)
		return;
	w->ahead = true;
	queue->ahead++;
	account_until(model, queue, ts_ns);
	begin(queue, ts_ns);
	for (int class = 0; class < WAIT_CLASSES; class++) {
		if (!holds_submitted(class))
			continue;
		w->ahead_ns -= w->waits_ns[class];
		w->waits_ns[class] -= queue->spent_ns[class];
	}
}

void turns_ahead_end(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	if (!w->ahead)
		return;
	account_until(model, queue, ts_ns);
	for (int class = 0; class < WAIT_CLASSES; class++) {
		if (!holds_submitted(class))
			continue;
		w->waits_ns[class] += queue->spent_ns[class];
		w->ahead_ns += w->waits_ns[class];
	}
	w->ahead = false;
	queue->ahead--;
	if (!queue->first)
		begin(queue, ts_ns);
}

void turns_until(struct model *model, const struct gpu_engine *engine, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < engine->queues->len; nr++)
		account_until(model, engine->queues->pdata[nr], ts_ns);
}

/*
 * The host's part of the waits until now. The stop of the host's current execution may still report
 * another beginning and end: charge the waits with its present extent.
 */
static int64_t host_until(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	if (queue->class == WAIT_NONE || queue->ahead || host_open(queue->engine))
		account_until(model, queue, ts_ns);
	return queue->host_ns + host_between(queue->engine, queue->since_ns, ts_ns);
}

void turns_expose(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	w->exposed_ns = host_until(model, queue, ts_ns);
	w->exposed = true;
	queue->exposed++;
}

/* Work that was preempted and does not resume has not waited. */
void turns_expose_end(struct model *model, struct workload *w, enum phase phase, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	if (!w->exposed)
		return;
	if (w->phase == PHASE_SUBMITTED || phase == PHASE_RUNNING)
		w->kept_ns[w->phase] += host_until(model, queue, ts_ns) - w->exposed_ns;
	queue->exposed--;
	w->exposed = false;
}

void turns_preempt(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	if (queue->preempted) {
		queue->preempted++;
		return;
	}
	account_until(model, queue, ts_ns);
	queue->preempted++;
	begin(queue, ts_ns);
	/* i915 reports the next start before the preempted workload's stop */
	if (queue->class == WAIT_PREEMPTED && queue->engine->running &&
	    queue->engine->started != queue->vgpu)
		queue->culprit = queue->engine->started;
}

void turns_resume(struct model *model, struct workload *w, bool back, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	if (back && queue->preempted == 1)
		account_until(model, queue, ts_ns);
	if (--queue->preempted)
		return;
	if (back) {
		stretches_tell(model, queue);
		begin(queue, ts_ns);
		return;
	}
	/* it ended without having waited, but later arrivals did wait */
	if (model)
		stretches_redo(model, queue);
	classify(queue);
	if (model && queue->first)
		queue->since_ns = MAX(queue->since_ns, queue->first->queue_ns);
}

/* A slice reported now says nothing about the slice's earlier state. */
static int64_t known_since(const struct vgpu_engine *queue)
{
	const struct slice *slice = vgpu_slice(queue->vgpu, queue->engine);
	bool counts = !queue->engine->turn.current && !queue->vgpu->gpu->lends;

	return counts ? MAX(queue->since_ns, slice->told_ns) : queue->since_ns;
}

/* only now is it known whose turn the open waits were for */
static void resolve(struct model *model, struct gpu_engine *engine, struct vgpu *current)
{
	engine->turn = (struct turn) { .known = true, .current = current };
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->class != WAIT_UNKNOWN)
			continue;
		account_until(model, queue, known_since(queue));
		begin(queue, queue->since_ns);
	}
}

/* Would a change of turn be traced as a switch? */
static bool switches_tell(const struct model *model, const struct gpu *gpu)
{
	return !model->gaps && gpu->traced && !gpu->unswitched;
}

/* A switch in between was not traced: the reasons of open waits are unknown. */
static void doubt(struct gpu_engine *engine)
{
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->class == WAIT_NONE || queue->class == WAIT_PREEMPTED)
			continue;
		queue->class = WAIT_UNKNOWN;
		queue->culprit = NULL;
	}
	engine->turn.known = false;
}

/*
 * Where each engine has its own turn, an engine used by a single vGPU may have no switch:
 * a start there shows that this vGPU has had the turn since before the trace.
 */
static void show_only(struct model *model, struct gpu_engine *engine, struct vgpu *vgpu)
{
	const struct gpu *gpu = engine->gpu;

	if (gpu->per_engine && switches_tell(model, gpu) && engine->queues->len == 1)
		resolve(model, engine, vgpu);
}

/* The first vGPU to run preempted the work; later ones continue to block it. */
void turns_start(struct model *model, const struct workload *w, int64_t ts_ns)
{
	struct gpu_engine *engine = w->queue->engine;

	engine->started = w->queue->vgpu;
	if (!engine->turn.known)
		show_only(model, engine, w->queue->vgpu);
	for (unsigned int nr = 0; engine->preempted && nr < engine->queues->len; nr++) {
		struct vgpu_engine *queue = engine->queues->pdata[nr];

		if (queue->class != WAIT_PREEMPTED || queue == w->queue ||
		    queue->culprit == w->queue->vgpu)
			continue;
		if (queue->culprit)
			account_until(model, queue, ts_ns);
		queue->culprit = w->queue->vgpu;
	}
}

static bool in_scope(const struct gpu_engine *scope, const struct gpu_engine *engine)
{
	return !scope || scope == engine;
}

static void show_current(struct model *model, struct gpu_engine *engine, struct vgpu *vgpu)
{
	if (!engine->turn.known)
		resolve(model, engine, vgpu);
	else if (engine->turn.current != vgpu)
		doubt(engine);
}

/*
 * Without a switch before it, or another sign that the scheduler is traced, a
 * submission proves nothing about the time before: switches may not be
 * recorded at all. Nor does it where each engine has its own turn: work may be
 * submitted ahead of its turn, and stay submitted after the turn.
 */
void turns_found(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	if (!queue->astray)
		return;
	account_until(model, queue, ts_ns);
	/* astray may have been with i915, or gone: then its successor waited for the CPU */
	if (queue->engine->gpu->per_engine)
		TELL(model, misled, queue->engine, model->last_ns);
	queue->astray = NULL;
	begin(queue, ts_ns);
}

/*
 * A vGPU submits work out of its turn, and there has been no switch at all: switches are not
 * recorded, and no turn is known, on any engine. If the work was only submitted ahead of its
 * turn, the first switch will show it.
 */
static void miss_switches(struct gpu *gpu)
{
	gpu->unswitched = true;
	gpu->turn.known = false;
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		doubt(gpu->engines->pdata[nr]);
}

static bool is_anothers(const struct turn *turn, const struct vgpu *vgpu)
{
	return turn->known && turn->current != vgpu;
}

/* Does a submission show whose turn it is? */
static bool submissions_tell(const struct model *model, const struct gpu *gpu)
{
	return switches_tell(model, gpu) && !gpu->per_engine;
}

/* It had the turn until just now: a clock that is ahead may have put the event after the switch. */
static bool was_just_before(const struct model *model, const struct turn *turn,
			    const struct vgpu *vgpu)
{
	return turn->before == vgpu && model->last_ns - turn->since_ns <= skew_bound(&model->skew);
}

bool turns_contradict(const struct model *model, const struct vgpu_engine *queue)
{
	const struct turn *turn = &queue->engine->turn;

	return submissions_tell(model, queue->vgpu->gpu) && is_anothers(turn, queue->vgpu) &&
	       !was_just_before(model, turn, queue->vgpu);
}

void turns_show_current(struct model *model, const struct vgpu_engine *queue)
{
	struct gpu *gpu = queue->vgpu->gpu;

	if (!gpu->switched && is_anothers(&queue->engine->turn, queue->vgpu))
		miss_switches(gpu);
	if (!submissions_tell(model, gpu) ||
	    was_just_before(model, &queue->engine->turn, queue->vgpu))
		return;
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		show_current(model, gpu->engines->pdata[nr], queue->vgpu);
	gpu->turn = queue->engine->turn;
}

void turns_older(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	account_until(model, queue, ts_ns);
	turns_hidden(queue, ts_ns);
}

void turns_hidden(struct vgpu_engine *queue, int64_t ts_ns)
{
	queue->free_ns = ts_ns;
	forget_dispatch(queue);
}

static void each_queue(struct model *model, const struct gpu *gpu, const struct gpu_engine *scope,
		       int64_t ts_ns, void (*call)(struct model *, struct vgpu_engine *, int64_t))
{
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++) {
		struct vgpu_engine *queue = gpu->queues->pdata[nr];

		if (in_scope(scope, queue->engine))
			call(model, queue, ts_ns);
	}
}

/*
 * The engines were being drained: once its own work on the engine had ended,
 * the queue's work did not wait for the CPU but for the next turn.
 */
static void account_drain(struct model *model, struct vgpu_engine *queue, struct vgpu *next,
			  const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;
	enum wait_class class = next ? WAIT_OTHER : reason_idle(queue->vgpu, change->prev_left_ns);
	int64_t from_ns = event->ts_ns - (known(change->drain_ns) ? change->drain_ns : 0);

	if (queue->class != WAIT_CURRENT || queue->in_flight)
		return;
	if (known(queue->free_ns))
		from_ns = MAX(from_ns, queue->free_ns);
	from_ns = MAX(MIN(from_ns, event->ts_ns), queue->since_ns);
	account_until(model, queue, from_ns);
	queue->class = class;
	queue->culprit = next;
	queue->since_ns = from_ns;
}

static bool is_nobodys(const struct turn *turn)
{
	return turn->known && !turn->current;
}

/* It was picked without a slice, so it did not wait for one. */
static void account_picked(struct vgpu_engine *queue, int64_t left_ns)
{
	if ((queue->class == WAIT_THROTTLED && known(left_ns) && left_ns <= 0) ||
	    (queue->class == WAIT_UNKNOWN && !queue->astray && is_nobodys(&queue->engine->turn)))
		queue->class = reason_entitled(queue->vgpu);
}

/* one per engine with a report of its own, the first for all other engines */
static struct slice *get_slice(struct vgpu *vgpu, const struct gpu_engine *scope)
{
	struct slice slice = { scope, UNKNOWN, UNKNOWN, UNKNOWN };

	for (unsigned int nr = 0; nr < vgpu->slices->len; nr++)
		if (g_array_index(vgpu->slices, struct slice, nr).engine == scope)
			return &g_array_index(vgpu->slices, struct slice, nr);
	g_array_append_val(vgpu->slices, slice);
	return &g_array_index(vgpu->slices, struct slice, vgpu->slices->len - 1);
}

/* A report for all engines replaces those for single engines. */
static void note_left(struct vgpu *vgpu, const struct gpu_engine *scope, int64_t left_ns,
		      int64_t ts_ns)
{
	struct slice *slice;

	if (!scope)
		g_array_set_size(vgpu->slices, 1);
	slice = get_slice(vgpu, scope);
	slice->left_ns = left_ns;
	slice->told_ns = ts_ns;
}

static void switch_engine(struct model *model, struct gpu_engine *engine, struct vgpu *prev,
			  struct vgpu *next, const struct event *event)
{
	if (!engine->turn.known)
		resolve(model, engine, prev);
	else if (engine->turn.current != prev)
		doubt(engine);
	for (unsigned int nr = 0; nr < engine->queues->len; nr++) {
		struct vgpu_engine *queue = engine->queues->pdata[nr];

		/* work behind a preempted workload may have waited for the turn until here */
		if (queue->class == WAIT_PREEMPTED)
			account_until(model, queue, event->ts_ns);
		if (queue->vgpu == prev)
			account_drain(model, queue, next, event);
		else if (queue->vgpu == next)
			account_picked(queue, event->sched_switch.next_left_ns);
	}
	engine->turn = (struct turn) { true, next, prev, event->ts_ns };
}

void turns_switch(struct model *model, struct gpu *gpu, struct gpu_engine *scope,
		  struct vgpu *prev, struct vgpu *next, const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;

	if (model->gaps)
		return;
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		if (in_scope(scope, gpu->engines->pdata[nr]))
			switch_engine(model, gpu->engines->pdata[nr], prev, next, event);
	if (prev)
		note_left(prev, scope, change->prev_left_ns, event->ts_ns);
	if (next)
		note_left(next, scope, change->next_left_ns, event->ts_ns);
	gpu->turn = (struct turn) { .known = !scope, .current = scope ? NULL : next };
	gpu->traced = gpu->switched = true;
	gpu->unswitched = false;
	each_queue(model, gpu, scope, event->ts_ns, renew);
}

void turns_balance(struct model *model, struct vgpu *vgpu, const struct gpu_engine *scope,
		   const struct event *event)
{
	note_left(vgpu, scope, event->balance.left_ns, event->ts_ns);
	get_slice(vgpu, scope)->slice_ns = event->balance.slice_ns;
	for (unsigned int nr = 0; nr < vgpu->gpu->queues->len; nr++) {
		struct vgpu_engine *queue = vgpu->gpu->queues->pdata[nr];

		if (queue->vgpu == vgpu && in_scope(scope, queue->engine) &&
		    queue->class != WAIT_OTHER)
			renew(model, queue, event->ts_ns);
	}
}

void turns_hold(struct model *model, struct gpu *gpu, const struct gpu_engine *scope,
		const struct vgpu *expected, const struct event *event)
{
	/* the waiting work may be gone */
	if (model->gaps)
		return;
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++) {
		struct vgpu_engine *queue = gpu->queues->pdata[nr];
		int64_t from_ns = MAX(event->ts_ns - event->hold.held_ns, queue->since_ns);

		if (queue->vgpu == expected || queue->class == WAIT_NONE ||
		    queue->class == WAIT_PREEMPTED || !in_scope(scope, queue->engine))
			continue;
		account_until(model, queue, MIN(from_ns, event->ts_ns));
		stretch_account(model, queue, WAIT_HELD, expected, from_ns, event->ts_ns);
		queue->since_ns = MAX(queue->since_ns, event->ts_ns);
	}
}

void turns_setting(struct model *model, struct gpu *gpu, int64_t ts_ns)
{
	each_queue(model, gpu, NULL, ts_ns, renew);
}

static void account_lost(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	/* preempted work may resume in the gap, or its preemption may have been its end */
	if (queue->class == WAIT_PREEMPTED) {
		queue->class = WAIT_UNKNOWN;
		queue->culprit = NULL;
	}
	account_until(model, queue, ts_ns);
	stretches_lost(model, queue);
	/* doubted stays as it is when a gap begins */
	if (!model->gaps)
		queue->doubted = queue->first;
	queue->certain_ns = queue->first && !model->gaps ? INT64_MAX : UNKNOWN;
	begin(queue, ts_ns);
}

/* Also of vGPUs without work so far. */
static void forget_slices(const struct model *model, const struct gpu *gpu)
{
	for (unsigned int nr = 0; nr < model->vgpus->len; nr++) {
		const struct vgpu *vgpu = model->vgpus->pdata[nr];

		for (unsigned int pos = 0; vgpu->gpu == gpu && pos < vgpu->slices->len; pos++)
			g_array_index(vgpu->slices, struct slice, pos).left_ns = UNKNOWN;
	}
}

void turns_lost(struct model *model, struct gpu *gpu, int64_t ts_ns)
{
	static const struct turn unknown = { .known = false };

	gpu->turn = unknown;
	for (unsigned int nr = 0; nr < gpu->engines->len; nr++)
		((struct gpu_engine *)gpu->engines->pdata[nr])->turn = unknown;
	forget_slices(model, gpu);
	each_queue(model, gpu, NULL, ts_ns, account_lost);
}

static void account_end(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	account_until(model, queue, ts_ns);
	stretches_end(model, queue);
}

void turns_finish(struct model *model, struct gpu *gpu, int64_t ts_ns)
{
	each_queue(model, gpu, NULL, ts_ns, account_end);
}
