// SPDX-License-Identifier: GPL-2.0-or-later
#include "model-private.h"
#include "turns.h"
#include "util.h"

/* why work waits while it is nobody's turn */
static enum wait_class idle_class(const struct gpu *gpu, int64_t left_ns)
{
	if (gpu->unsliced)
		return WAIT_SWITCHING;
	if (!known(left_ns))
		return WAIT_UNKNOWN;
	return left_ns > 0 ? WAIT_SWITCHING : WAIT_THROTTLED;
}

/* what the wait that goes on is, as things stand */
static enum wait_class class_of(const struct vgpu_engine *queue)
{
	const struct gpu *gpu = queue->vgpu->gpu;

	if (!queue->first)
		return WAIT_NONE;
	if (!gpu->current_known)
		return WAIT_UNKNOWN;
	if (gpu->current)
		return gpu->current == queue->vgpu ? WAIT_CURRENT : WAIT_OTHER;
	return idle_class(gpu, queue->vgpu->left_ns);
}

/* Nothing else of the vGPU is in flight on the engine: the first one is dispatched. */
static void add_dispatch(struct vgpu_engine *queue, int64_t from_ns, int64_t to_ns)
{
	struct workload *w = queue->first;

	if (queue->in_flight)
		return;
	from_ns = MAX(from_ns, w->queue_ns);
	if (known(queue->free_ns))
		from_ns = MAX(from_ns, queue->free_ns);
	w->dispatch_ns += MAX(to_ns - from_ns, 0);
}

/*
 * account - a part of the open wait is over
 *
 * Those that came during it have not waited for all of it.
 */
static void account(struct model *model, struct vgpu_engine *queue, enum wait_class class,
		    const struct vgpu *culprit, int64_t from_ns, int64_t to_ns)
{
	const struct stretch stretch = { queue, class, culprit, from_ns, to_ns };

	if (to_ns <= from_ns || class == WAIT_NONE)
		return;
	queue->spent_ns[class] += to_ns - from_ns;
	for (struct workload *w = queue->last; w && w->queue_ns > from_ns; w = w->prev)
		w->waits_ns[class] += MIN(w->queue_ns, to_ns) - from_ns;
	if (class == WAIT_CURRENT)
		add_dispatch(queue, from_ns, to_ns);
	TELL(model, stretch, &stretch);
}

/* the open wait, as it was taken to be, is over up to here */
static void account_until(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	account(model, queue, queue->class, queue->culprit, queue->since_ns, ts_ns);
	queue->since_ns = MAX(queue->since_ns, ts_ns);
}

static void begin(struct vgpu_engine *queue, int64_t ts_ns)
{
	queue->class = class_of(queue);
	queue->culprit = queue->class == WAIT_OTHER ? queue->vgpu->gpu->current : NULL;
	queue->since_ns = ts_ns;
}

/* things have changed: end the open wait and begin the next one, if it is another */
static void renew(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	enum wait_class class = class_of(queue);

	if (class == queue->class &&
	    (class != WAIT_OTHER || queue->culprit == queue->vgpu->gpu->current))
		return;
	account_until(model, queue, ts_ns);
	begin(queue, ts_ns);
}

void turns_join(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	(void)model;
	w->prev = queue->last;
	w->next = NULL;
	if (queue->last)
		queue->last->next = w;
	else
		queue->first = w;
	queue->last = w;
	for (int class = 0; class < WAIT_CLASSES; class++)
		w->waits_ns[class] = queue->spent_ns[class];
	if (queue->class == WAIT_NONE)
		begin(queue, ts_ns);
}

static void unlink_workload(struct workload *w)
{
	struct vgpu_engine *queue = w->queue;

	if (w->prev)
		w->prev->next = w->next;
	else
		queue->first = w->next;
	if (w->next)
		w->next->prev = w->prev;
	else
		queue->last = w->prev;
}

static void forget_waits(struct workload *w)
{
	unlink_workload(w);
	w->phase = PHASE_NONE;
	w->phase_ns = UNKNOWN;
}

void turns_leave(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct vgpu_engine *queue = w->queue;

	account_until(model, queue, ts_ns);
	for (int class = 0; class < WAIT_CLASSES; class++)
		w->waits_ns[class] = queue->spent_ns[class] - w->waits_ns[class];
	/* a queue is served in order: the end of those before it was lost */
	while (queue->first != w && queue->first->tainted)
		forget_waits(queue->first);
	unlink_workload(w);
	if (!queue->first)
		begin(queue, ts_ns);
}

/* the open waits were for a turn of which only now is known whose it was */
static void resolve(struct gpu *gpu, struct vgpu *current)
{
	gpu->current_known = true;
	gpu->current = current;
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++) {
		struct vgpu_engine *queue = gpu->queues->pdata[nr];

		if (queue->class == WAIT_UNKNOWN)
			begin(queue, queue->since_ns);
	}
}

/* A switch that was not traced lies between: nothing is known of the open waits. */
static void doubt(struct gpu *gpu)
{
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++) {
		struct vgpu_engine *queue = gpu->queues->pdata[nr];

		if (queue->class == WAIT_NONE)
			continue;
		queue->class = WAIT_UNKNOWN;
		queue->culprit = NULL;
	}
}

/*
 * Without a switch before it, or another sign of the scheduler being traced, a
 * submission proves nothing about the time before: switches may not have been
 * recorded at all.
 */
void turns_show_current(const struct model *model, struct vgpu *vgpu)
{
	struct gpu *gpu = vgpu->gpu;

	if (model->gaps || !gpu->traced)
		return;
	if (!gpu->current_known) {
		resolve(gpu, vgpu);
	} else if (gpu->current != vgpu) {
		doubt(gpu);
		gpu->current_known = false;
	}
}

void turns_older(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	account_until(model, queue, ts_ns);
	queue->free_ns = ts_ns;
	if (queue->first)
		queue->first->dispatch_ns = 0;
}

static void each_queue(struct model *model, struct gpu *gpu, int64_t ts_ns,
		       void (*call)(struct model *, struct vgpu_engine *, int64_t))
{
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++)
		call(model, gpu->queues->pdata[nr], ts_ns);
}

/*
 * The engines were being drained: from when its own work on the engine was
 * over, the queue's work did not wait for the CPU but for the next turn.
 */
static void account_drain(struct model *model, struct vgpu_engine *queue, struct vgpu *next,
			  const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;
	enum wait_class class = next ? WAIT_OTHER :
				idle_class(queue->vgpu->gpu, change->prev_left_ns);
	int64_t from_ns = event->ts_ns - (known(change->drain_ns) ? change->drain_ns : 0);

	if (queue->class != WAIT_CURRENT || queue->in_flight)
		return;
	if (known(queue->free_ns))
		from_ns = MAX(from_ns, queue->free_ns);
	from_ns = CLAMP(from_ns, queue->since_ns, event->ts_ns);
	account_until(model, queue, from_ns);
	queue->class = class;
	queue->culprit = next;
	queue->since_ns = from_ns;
}

/* It was picked without a slice: the lack of one was not what kept it. */
static void account_picked(struct vgpu_engine *queue, int64_t left_ns)
{
	const struct gpu *gpu = queue->vgpu->gpu;

	if ((queue->class == WAIT_THROTTLED && known(left_ns) && left_ns <= 0) ||
	    (queue->class == WAIT_UNKNOWN && gpu->current_known))
		queue->class = WAIT_SWITCHING;
}

void turns_switch(struct model *model, struct gpu *gpu, struct vgpu *prev, struct vgpu *next,
		  const struct event *event)
{
	const struct switch_event *change = &event->sched_switch;

	if (model->gaps)
		return;
	if (!gpu->current_known)
		resolve(gpu, prev);
	else if (gpu->current != prev)
		doubt(gpu);
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++) {
		struct vgpu_engine *queue = gpu->queues->pdata[nr];

		if (queue->vgpu == prev)
			account_drain(model, queue, next, event);
		else if (queue->vgpu == next)
			account_picked(queue, change->next_left_ns);
	}
	if (prev)
		prev->left_ns = change->prev_left_ns;
	if (next)
		next->left_ns = change->next_left_ns;
	gpu->current = next;
	gpu->traced = true;
	each_queue(model, gpu, event->ts_ns, renew);
}

void turns_balance(struct model *model, struct vgpu *vgpu, const struct event *event)
{
	vgpu->left_ns = event->balance.left_ns;
	for (unsigned int nr = 0; nr < vgpu->gpu->queues->len; nr++) {
		struct vgpu_engine *queue = vgpu->gpu->queues->pdata[nr];

		if (queue->vgpu == vgpu && queue->class != WAIT_OTHER)
			renew(model, queue, event->ts_ns);
	}
}

void turns_hold(struct model *model, struct gpu *gpu, const struct vgpu *expected,
		const struct event *event)
{
	for (unsigned int nr = 0; nr < gpu->queues->len; nr++) {
		struct vgpu_engine *queue = gpu->queues->pdata[nr];
		int64_t from_ns = MAX(event->ts_ns - event->hold.held_ns, queue->since_ns);

		if (queue->vgpu == expected || queue->class == WAIT_NONE)
			continue;
		account_until(model, queue, MIN(from_ns, event->ts_ns));
		account(model, queue, WAIT_HELD, expected, from_ns, event->ts_ns);
		queue->since_ns = event->ts_ns;
	}
}

static void account_lost(struct model *model, struct vgpu_engine *queue, int64_t ts_ns)
{
	account_until(model, queue, ts_ns);
	queue->vgpu->left_ns = UNKNOWN;
	begin(queue, ts_ns);
}

void turns_lost(struct model *model, struct gpu *gpu, int64_t ts_ns)
{
	gpu->current_known = false;
	gpu->current = NULL;
	each_queue(model, gpu, ts_ns, account_lost);
}

void turns_finish(struct model *model, struct gpu *gpu, int64_t ts_ns)
{
	each_queue(model, gpu, ts_ns, account_until);
}
