// SPDX-License-Identifier: GPL-2.0-or-later
#include "stretches.h"
#include "trace/util.h"
#include "host-spans.h"
#include "model-private.h"
#include "reasons.h"
#include "turns.h"

/*
 * If no vGPU has the turn although work may run, the scheduler has yet to look:
 * within a tick under the strict policy, within a thread's wake-up time under the
 * others. A vGPU with a cap that waits longer waits for its cap.
 */
#define SWITCH_STRICT_NS	NSEC_PER_MSEC
#define SWITCH_NS		(NSEC_PER_MSEC / 10)
/* no scheduler is this slow; if caps are unknown, so is the reason */
#define SWITCH_MAX_NS		(10 * NSEC_PER_MSEC)

/* the reason in hindsight of a wait that lasted for @length_ns */
static enum wait_class judge(const struct model *model, const struct vgpu *vgpu,
			     enum wait_class class, int64_t length_ns)
{
	int64_t most_ns = vgpu->gpu->lends ? SWITCH_NS : SWITCH_STRICT_NS;

	if (class == WAIT_CAPPED && length_ns <= most_ns)
		return WAIT_SWITCHING;
	/* a kernel that reports no cap has none, but the report may have been lost */
	if (!model->had_gap)
		most_ns = SWITCH_MAX_NS;
	if (class == WAIT_SWITCHING && !known(vgpu->set.cap) && length_ns > most_ns)
		return WAIT_UNKNOWN;
	return class;
}

/*
 * Nothing of the vGPU is in flight on the engine: the queue's head is being dispatched. Those that
 * were queued in a gap may have left in it: the head may then be the one behind them.
 */
static void add_dispatch(struct vgpu_engine *queue, int64_t from_ns, int64_t to_ns)
{
	if (queue->in_flight)
		return;
	from_ns = MAX(from_ns, queue->free_ns);
	for (struct workload *w = queue->first; w; w = w->tainted ? w->next : NULL) {
		int64_t ns = MAX(to_ns - MAX(from_ns, w->queue_ns), 0);

		w->dispatch_ns += ns;
		w->sure_dispatch_ns += ns;
	}
}

/* Maximum number of waits kept until proven. */
#define UNPROVEN_MAX	256

/*
 * While work is preempted, each execution of the host and each switch adds a part: this suffices
 * for some seconds, in half a megabyte.
 */
#define UNDECIDED_MAX	8192

/* @known_reason: if false, the reason of these waits, if they were any, is unknown */
static void tell_unproven(struct model *model, struct vgpu_engine *queue, bool known_reason)
{
	for (unsigned int nr = 0; nr < queue->unproven->len; nr++) {
		struct stretch *stretch = &g_array_index(queue->unproven, struct stretch, nr);

		if (!known_reason) {
			stretch->class = WAIT_UNKNOWN;
			stretch->culprit = NULL;
		}
		TELL(model, stretch, stretch);
	}
	g_array_set_size(queue->unproven, 0);
}

static void keep_unproven(struct model *model, struct vgpu_engine *queue,
			  const struct stretch *stretch)
{
	if (queue->unproven->len == UNPROVEN_MAX)
		tell_unproven(model, queue, false);
	g_array_append_val(queue->unproven, *stretch);
}

/* Work that was queued when a gap ended may have left in the gap. */
static inline void tell_stretch(struct model *model, struct vgpu_engine *queue,
				const struct stretch *stretch)
{
	struct stretch part = *stretch;

	if (part.from_ns < queue->certain_ns) {
		part.to_ns = MIN(part.to_ns, queue->certain_ns);
		keep_unproven(model, queue, &part);
		part.from_ns = part.to_ns;
		part.to_ns = stretch->to_ns;
	}
	if (part.to_ns > part.from_ns)
		TELL(model, stretch, &part);
}

/*
 * charge - add a wait to the queue's spent_ns, or subtract it again
 * @sign: 1 or -1
 *
 * Workloads that arrived during it have not waited for all of it.
 */
static inline void charge(struct vgpu_engine *queue, const struct stretch *stretch, int sign)
{
	queue->spent_ns[stretch->class] += sign * (stretch->to_ns - stretch->from_ns);
	for (struct workload *w = queue->last; w && w->queue_ns > stretch->from_ns; w = w->prev)
		w->waits_ns[stretch->class] +=
			sign * (MIN(w->queue_ns, stretch->to_ns) - stretch->from_ns);
}

/* It was preempted indeed: the waits are real. */
void stretches_tell(struct model *model, struct vgpu_engine *queue)
{
	for (unsigned int nr = 0; nr < queue->undecided->len; ) {
		struct stretch stretch = g_array_index(queue->undecided, struct undecided, nr).stretch;

		while (++nr < queue->undecided->len) {
			const struct stretch *next =
				&g_array_index(queue->undecided, struct undecided, nr).stretch;

			if (next->class != stretch.class || next->culprit != stretch.culprit ||
			    next->behind != stretch.behind)
				break;
			stretch.to_ns = next->to_ns;
		}
		tell_stretch(model, queue, &stretch);
	}
	g_array_set_size(queue->undecided, 0);
}

/* Whether it waited stays unknown. */
static void doubt_undecided(struct model *model, struct vgpu_engine *queue)
{
	for (unsigned int nr = 0; nr < queue->undecided->len; nr++) {
		struct undecided *wait = &g_array_index(queue->undecided, struct undecided, nr);

		charge(queue, &wait->stretch, -1);
		wait->stretch.class = WAIT_UNKNOWN;
		wait->stretch.culprit = NULL;
		charge(queue, &wait->stretch, 1);
	}
	stretches_tell(model, queue);
}

static void keep_undecided(struct model *model, struct vgpu_engine *queue,
			   const struct stretch *stretch)
{
	struct undecided wait = {
		*stretch, INT64_MAX, reason_by_turn(queue), queue->engine->turn.current
	};

	if (queue->undecided->len == UNDECIDED_MAX)
		doubt_undecided(model, queue);
	if (queue->first)
		wait.pending_ns = MAX(queue->first->queue_ns, stretch->from_ns);
	g_array_append_val(queue->undecided, wait);
}

static void account(struct model *model, struct vgpu_engine *queue, const struct stretch *stretch)
{
	charge(queue, stretch, 1);
	if (stretch->class == WAIT_CURRENT)
		add_dispatch(queue, stretch->from_ns, stretch->to_ns);
	if (queue->preempted)
		keep_undecided(model, queue, stretch);
	else
		tell_stretch(model, queue, stretch);
}

/* WAIT_UNKNOWN: the host may have run; lowers @to_ns to the end of the part with this answer */
static enum wait_class host_class(const struct gpu_engine *engine, int64_t from_ns, int64_t *to_ns)
{
	if (host_at(engine, from_ns, to_ns))
		return WAIT_HOST;
	return host_may(engine, from_ns, to_ns) ? WAIT_UNKNOWN : WAIT_NONE;
}

/* close a part of the open wait; work that may run waits for the host while the host's own runs */
void stretch_account(struct model *model, struct vgpu_engine *queue, enum wait_class class,
		     const struct vgpu *culprit, int64_t from_ns, int64_t to_ns)
{
	struct stretch part;
	bool may_run;

	if (class != WAIT_NONE)
		class = judge(model, queue->vgpu, class, to_ns - from_ns);
	else if (!queue->exposed)
		return;
	may_run = reason_may_run(queue->vgpu, class);
	for (int64_t at_ns = from_ns; at_ns < to_ns; at_ns = part.to_ns) {
		enum wait_class host;

		part = (struct stretch) {
			.queue = queue, .class = class, .culprit = culprit, .from_ns = at_ns, .to_ns = to_ns,
		};
		host = host_class(queue->engine, at_ns, &part.to_ns);
		if (host != WAIT_NONE) {
			/* else it is among the waits of the work that was submitted ahead of its turn */
			if (!queue->ahead || (may_run && host == WAIT_HOST))
				queue->host_ns += part.to_ns - at_ns;
			part.class = host;
			part.behind = culprit;
			part.culprit = NULL;
		}
		if (may_run && part.class != WAIT_NONE)
			account(model, queue, &part);
	}
	if (!may_run && from_ns < to_ns)
		account(model, queue, &(struct stretch) {
			.queue = queue, .class = class, .from_ns = from_ns, .to_ns = to_ns,
		});
}

/* The preempted work had in fact ended and did not wait, but work behind it did. */
void stretches_redo(struct model *model, struct vgpu_engine *queue)
{
	for (unsigned int nr = 0; nr < queue->undecided->len; nr++) {
		struct undecided *wait = &g_array_index(queue->undecided, struct undecided, nr);
		struct stretch stretch = wait->stretch;

		charge(queue, &stretch, -1);
		stretch.from_ns = wait->pending_ns;
		if (stretch.from_ns >= stretch.to_ns)
			continue;
		if (stretch.class == WAIT_PREEMPTED) {
			stretch.class = wait->by_turn;
			stretch.culprit = wait->by_turn == WAIT_OTHER ? wait->current : NULL;
		}
		charge(queue, &stretch, 1);
		tell_stretch(model, queue, &stretch);
	}
	g_array_set_size(queue->undecided, 0);
}

/* Queues are served in order: a doubtful workload that leaves now proves that it has waited. */
void stretches_prove(struct model *model, struct vgpu_engine *queue, const struct workload *w)
{
	bool waited = known(w->submit_ns) || w->cancelled || (w->completed && w->status);
	bool doubted = queue->doubted;

	queue->doubted = false;
	if (w->tainted && waited) {
		tell_unproven(model, queue, true);
		return;
	}
	g_array_set_size(queue->unproven, 0);
	if (doubted)
		TELL(model, misled, queue->engine, model->last_ns);
}

/* Whether @w waited for the preempted work is unknown when @w leaves. */
void stretches_leave(const struct vgpu_engine *queue, struct workload *w)
{
	for (unsigned int nr = 0; nr < queue->undecided->len; nr++) {
		const struct stretch *stretch =
			&g_array_index(queue->undecided, struct undecided, nr).stretch;
		int64_t ns = stretch->to_ns - MAX(stretch->from_ns, w->queue_ns);

		if (ns <= 0)
			continue;
		w->waits_ns[stretch->class] -= ns;
		w->waits_ns[WAIT_UNKNOWN] += ns;
	}
}

void stretches_lost(struct model *model, struct vgpu_engine *queue)
{
	doubt_undecided(model, queue);
	tell_unproven(model, queue, false);
}

void stretches_end(struct model *model, struct vgpu_engine *queue)
{
	/* preempted work may have ended since, unseen */
	if (model->gaps)
		doubt_undecided(model, queue);
	stretches_tell(model, queue);
	tell_unproven(model, queue, false);
}
