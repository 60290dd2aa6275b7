// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "model-private.h"
#include "phase.h"
#include "skew.h"
#include "turns.h"

static void end_life(struct model *model, const struct workload *w)
{
	if (!w->tainted && !known(w->queue->parts_ns) && !workload_parts_agree(w))
		w->queue->parts_ns = model->last_ns;
	model->tainted += w->tainted;
	TELL(model, ended, w);
}

/*
 * After a gap, every stop is traced again: work that was running shows by its
 * stop, and without any stop, nothing was running.
 */
static void show_engine(struct gpu_engine *engine)
{
	engine->evident = true;
}

void life_show_idle_now(struct model *model, struct gpu_engine *engine)
{
	if (model->gaps || engine->gpu->per_engine)
		return;
	show_engine(engine);
	engine->doubtful = false;
	/* work in flight when events were lost has left */
	for (unsigned int nr = 0; nr < engine->queues->len; nr++)
		turns_found(model, engine->queues->pdata[nr], model->last_ns);
}

static void retire(struct model *model, struct workload *w)
{
	if (w->phase != PHASE_NONE)
		phase_doubt(w);
	if (w->queue->astray == w)
		turns_found(model, w->queue, model->last_ns);
	if (w->queue->engine->latest == w)
		w->queue->engine->latest = NULL;
	engine_tell_lost_stop(model, w);
	end_life(model, w);
	*alive_recent(model, w->key) = NULL;
	g_hash_table_steal(model->workloads, &w->key);
	alive_keep(model, w);
}

/*
 * The stop of a completed workload may be traced after its completion, as they
 * come from different CPUs. But if another one has begun and ended on the
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

void life_queue(struct model *model, const struct event *event)
{
	const struct workload_event *fields = &event->workload;
	struct workload_key key = workload_key_of(fields);
	struct gpu *gpu = model_get_gpu(model, fields->dev);
	struct workload *w;

	/* ids grow in the order of queueing: a lookup is rarely needed */
	if (key.id <= gpu->last_id && g_hash_table_contains(model->workloads, &key)) {
		model->strays++;
		return;
	}
	if (model->had_gap && hidden_late(model, gpu, event))
		return;
	if (!known(gpu->first_id) || key.id < gpu->first_id)
		gpu->first_id = key.id;
	w = alive_new(model, fields);
	w->queue_ns = event->ts_ns;
	w->guest_lrca = fields->guest_lrca;
	hidden_queued(model, gpu, key.id);
	phase_enter(model, w, PHASE_PENDING, event->ts_ns);
	TELL(model, arrived, w, event->ts_ns);
	model_set_waiting(model, w, event->ts_ns, true);
}

/* By the clock of another CPU, which is behind, it has already started. */
static void submit_late(struct model *model, struct workload *w, const struct event *event)
{
	skew_note(&model->skew, w->start_ns, event->ts_ns);
	w->submit_ns = w->start_ns;
}

void life_submit(struct model *model, struct workload *w, const struct event *event)
{
	w->submit_ns = event->ts_ns;
	/* it may start and stop unseen */
	w->exec_unknown |= model->gaps > 0;
	/* queues are served in order: all earlier work has left */
	if (model->had_gap && !model->gaps && known(w->queue_ns) && !w->tainted &&
	    !w->queue->evident) {
		w->queue->evident = true;
		hidden_gone(model, w->queue);
	}
	life_show_idle(model, w->queue->engine);
	turns_show_current(model, w->queue);
	phase_enter(model, w, PHASE_SUBMITTED, event->ts_ns);
	w->ctx = event->workload.ctx;
	w->seqno = event->workload.seqno;
	host_not_own(w->queue->engine, w->ctx);
}

/* The switch to its vGPU may come from a CPU whose clock is ahead. */
static void on_submit(struct model *model, struct workload *w, const struct event *event)
{
	model->submits = true;
	/* a clock that is ahead had put its submission before the trace */
	if (w->submitted_before)
		return;
	if (known(w->start_ns))
		submit_late(model, w, event);
	else if (w->running || w->pieces)
		model->strays++;
	else if (turns_contradict(model, w->queue))
		skew_keep(&model->skew, event);
	else
		life_submit(model, w, event);
}

static void note_request(struct workload *w, const struct workload_event *fields)
{
	w->ctx = known(fields->ctx) ? fields->ctx : w->ctx;
	w->seqno = known(fields->seqno) ? fields->seqno : w->seqno;
	w->lrca = known(fields->lrca) ? fields->lrca : w->lrca;
}

/* The next start on the engine ends the current piece, in case its stop is lost. */
static void supersede(struct model *model, struct workload *w, int64_t ts_ns)
{
	struct gpu_engine *engine = w->queue->engine;
	struct workload *before = engine->latest;

	if (before && before != w && before->running && !known(before->superseded_ns))
		before->superseded_ns = ts_ns;
	engine->latest = w;
	w->superseded_ns = UNKNOWN;
	life_show_idle(model, engine);
	if (!model->gaps) {
		show_engine(engine);
		host_beside(model, engine, ts_ns);
	}
}

void life_start(struct model *model, struct workload *w, const struct event *event)
{
	model->runs = true;
	if (w->running) {
		/* its stop was lost: length of that piece and start of the next wait are unknown */
		w->exec_unknown = true;
		if (w->tainted)
			model_tell_unsure_wait(model, w->queue, DOUBT_MISSED,
					       MAX(w->tainted_ns, w->piece_ns), event->ts_ns);
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
		life_start(model, w, event);
}

/*
 * Its start is missing, and so is anything earlier on the engine: it may have run since before
 * the trace, also until the first gap, which gaps_tell_certain() could not know.
 */
static void doubt_begin(const struct model *model, const struct workload *w)
{
	if (w->from_before && !known(w->piece_ns) && model->had_gap &&
	    !known(w->queue->engine->ran_ns))
		TELL(model, unsure, w->queue->engine, UNKNOWN, model->first_gap_ns);
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
	doubt_begin(model, w);
	if (!model->gaps) {
		show_engine(w->queue->engine);
		host_beside(model, w->queue->engine, event->ts_ns);
		if (w->running || known(model->gap_end_ns))
			engine_tell_ran(model, w, w->piece_ns, event->ts_ns);
		host_met(w->queue->engine, w->queue->vgpu, w->piece_ns, event->ts_ns);
	}
	w->superseded_ns = UNKNOWN;
	/* in a gap it may continue unseen */
	w->stop_unsure = model->gaps && !event->workload.completed;
	w->finished = event->workload.completed;
	w->pieces++;
	w->running = false;
	w->stop_ns = event->ts_ns;
	TELL(model, piece, &piece);
}

/*
 * It was alive when events were lost, and its end is among them: a later workload of its queue,
 * which is served in order, has left the queue, or reached i915, which has one per queue at a time.
 */
static bool is_overtaken(const struct workload *w)
{
	bool may_be_queued = w->phase == PHASE_PENDING || w->phase == PHASE_NONE;

	return w->tainted && w->id < (may_be_queued ? w->queue->left_id : w->queue->submitted_id);
}

static enum phase phase_after_stop(const struct workload *w, const struct event *event)
{
	if (w->completed || w->cancelled || is_overtaken(w))
		return PHASE_NONE;
	return event->workload.completed ? PHASE_FINISHING : PHASE_PREEMPTED;
}

void life_stop(struct model *model, struct workload *w, const struct event *event)
{
	struct gpu_engine *engine = w->queue->engine;

	model->runs = true;
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
	if (!event->workload.completed && w->phase == PHASE_PREEMPTED)
		model_set_waiting(model, w, event->ts_ns, true);
}

/* Its start may come from a CPU whose clock is ahead. */
static void on_stop(struct model *model, struct workload *w, const struct event *event)
{
	if (!w->running && !w->exec_unknown && !w->tainted && !model->had_gap)
		skew_keep(&model->skew, event);
	else
		life_stop(model, w, event);
}

static void end_workload(struct model *model, struct workload *w, const struct event *event)
{
	if (!known(w->queue_ns) || !w->finished)
		hidden_ended(model, w);
	w->end_ns = event->ts_ns;
	w->end_tid = event->pid;
	model_set_waiting(model, w, event->ts_ns, false);
	phase_release(w, event->ts_ns);
	/* it was in flight until now, running or not */
	if (w->queue->astray == w)
		turns_found(model, w->queue, event->ts_ns);
	/* it was not really preempted: since its stop it has only waited for its completion */
	if (w->phase == PHASE_PREEMPTED)
		phase_enter(model, w, PHASE_FINISHING, w->phase_ns);
	if (!w->running)
		phase_enter(model, w, PHASE_NONE, event->ts_ns);
	if (w->running)
		g_queue_push_tail(&w->queue->engine->unfinished, w);
	else
		retire(model, w);
}

/* An UNKNOWN stop was before the trace. */
static void note_never_back(const struct model *model, struct workload *w)
{
	w->never_back = !model->gaps && (!known(model->gap_end_ns) || w->stop_ns >= model->gap_end_ns);
	/* it may have run again in a gap */
	if (!w->never_back && w->waiting)
		model_tell_unsure_wait(model, w->queue, DOUBT_COUNTED, w->stop_ns, w->tainted_ns);
}

void life_complete(struct model *model, struct workload *w, const struct event *event)
{
	w->completed = true;
	w->status = event->workload.status;
	/* if starts are not recorded, failed work may have run, too */
	model->blind |= !model->runs && !w->status && (known(w->queue_ns) || known(w->submit_ns));
	w->exec_unknown |= model->blind && !w->pieces && known(w->submit_ns);
	if (w->phase == PHASE_PREEMPTED)
		note_never_back(model, w);
	if (w->phase != PHASE_PENDING || !w->status)
		model_doubt_waiting(model, w, event->ts_ns);
	life_show_idle(model, w->queue->engine);
	retire_unfinished(model, w->queue->engine, w);
	end_workload(model, w, event);
}

/* It failed before it was submitted, in its vGPU's turn, but the switch comes from another CPU. */
static void on_complete(struct model *model, struct workload *w, const struct event *event)
{
	if (w->phase == PHASE_PENDING && event->workload.status && turns_contradict(model, w->queue))
		skew_keep(&model->skew, event);
	else
		life_complete(model, w, event);
}

static void on_cancel(struct model *model, struct workload *w, const struct event *event)
{
	w->cancelled = true;
	end_workload(model, w, event);
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

/* After its end, only a workload's last stop may follow. */
static bool contradicts(const struct workload *w, const struct event *event)
{
	return (w->completed || w->cancelled) && event->id != EVENT_WORKLOAD_STOP;
}

void life_move(struct model *model, const struct event *event)
{
	struct workload *w = alive_get(model, event);

	if (!w)
		return;
	if (contradicts(w, event))
		model->strays++;
	else
		transitions[event->id](model, w, event);
}

/* If its last event came just after the gap, a slow clock may have put the next into the gap. */
static bool seen_since_gap(const struct model *model, const struct workload *w)
{
	return !model->gaps && w->phase_ns >= model->gap_end_ns &&
	       w->phase_ns - model->gap_end_ns >= model->skew.max_ns;
}

/* It was alive when events were lost, and not seen since: its end may be among them. */
static void note_unseen_end(const struct model *model, struct workload *w)
{
	bool overtaken = is_overtaken(w);

	if (!w->tainted || w->completed || w->cancelled || (!overtaken && seen_since_gap(model, w)))
		return;
	w->seen_ns = MAX(w->tainted_ns, w->phase_ns);
	if (overtaken)
		w->gone_ns = MAX(w->seen_ns, model->gaps ? model->last_ns : model->gap_end_ns);
}

void life_finish(struct model *model, struct workload *w)
{
	/* if it has ended, only its stop was lost: it does not run */
	if (w->running && !w->completed && !w->cancelled && !known(w->superseded_ns)) {
		struct piece piece = {
			.workload = w,
			.start_ns = w->piece_ns,
			.stop_ns = UNKNOWN,
			.completed = UNKNOWN,
		};

		TELL(model, piece, &piece);
	}
	engine_tell_lost_stop(model, w);
	if (w->waiting && w->tainted)
		model_tell_unsure_wait(model, w->queue, DOUBT_COUNTED, w->tainted_ns, UNKNOWN);
	note_unseen_end(model, w);
	end_life(model, w);
}
