// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "trace/util.h"
#include "model-private.h"
#include "phase.h"
#include "skew.h"
#include "turns.h"

static const struct workload unknown_workload = {
	.guest_lrca = UNKNOWN, .ctx = UNKNOWN, .seqno = UNKNOWN, .lrca = UNKNOWN,
	.queue_ns = UNKNOWN, .submit_ns = UNKNOWN, .start_ns = UNKNOWN, .stop_ns = UNKNOWN,
	.end_ns = UNKNOWN, .end_tid = UNKNOWN, .piece_ns = UNKNOWN, .status = UNKNOWN,
	.phase_ns = UNKNOWN, .superseded_ns = UNKNOWN, .seen_ns = UNKNOWN, .gone_ns = UNKNOWN,
};

/* A workload's events often come in a row, or mixed with those of few others. */
struct workload **alive_recent(struct model *model, struct workload_key key)
{
	return &model->recent[(uint64_t)key.id % RECENT_WORKLOADS];
}

static unsigned int take_number(struct model *model)
{
	GArray *unused = model->unused;
	unsigned int nr;

	if (!unused->len)
		return model->most_alive++;
	nr = g_array_index(unused, unsigned int, unused->len - 1);
	g_array_set_size(unused, unused->len - 1);
	return nr;
}

/* Allocating and freeing each one took 5 % of the time to read a trace. */
static struct workload *take_spare(struct model *model)
{
	struct workload *w;

	if (model->nr_spare)
		return model->spare[--model->nr_spare];
	w = g_slice_new(struct workload);
	w->nr = take_number(model);
	return w;
}

void alive_free(void *data)
{
	g_slice_free(struct workload, data);
}

void alive_keep(struct model *model, struct workload *w)
{
	if (model->nr_spare < model->most_spare) {
		model->spare[model->nr_spare++] = w;
		return;
	}
	g_array_append_val(model->unused, w->nr);
	alive_free(w);
}

struct workload *alive_new(struct model *model, const struct workload_event *event)
{
	struct workload *w = take_spare(model);
	struct gpu *gpu = model_get_gpu(model, event->dev);
	unsigned int nr = w->nr;

	*w = unknown_workload;
	w->nr = nr;
	w->dev = event->dev;
	w->id = event->workload_id;
	w->queue = model_get_queue(model, event);
	w->tainted = model->gaps;
	w->tainted_ns = model->gap_begin_ns;
	g_hash_table_insert(model->workloads, &w->key, w);
	*alive_recent(model, w->key) = w;
	gpu->last_id = MAX(gpu->last_id, w->id);
	return w;
}

/*
 * Ids grow in the order of queueing, so a workload whose queue event is missing
 * is from before the trace exactly if its id is below the first one seen. If not,
 * its queue event was lost, or the current event came after the workload's end.
 */
static bool is_from_before(const struct gpu *gpu, int64_t id)
{
	return !known(gpu->first_id) || id < gpu->first_id;
}

/* the phase that a workload's event ends */
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

/* its phase when the trace began, which gvt_workload_state reports */
static enum phase phase_at_start(const struct event *event)
{
	static const enum phase phases[] = { PHASE_PENDING, PHASE_SUBMITTED, PHASE_RUNNING };
	int64_t state = event->workload.state;

	/* only work that was never submitted fails with other errors than -EIO */
	if (event->id == EVENT_WORKLOAD_COMPLETE && event->workload.status &&
	    event->workload.status != -EIO)
		return PHASE_PENDING;
	if (event->id != EVENT_WORKLOAD_STATE)
		return phase_before(event->id);
	/* it has run, but is not running */
	if (state == 1 && event->workload.exec_ns > 0)
		return PHASE_PREEMPTED;
	return state >= 0 && state <= 2 ? phases[state] : PHASE_PENDING;
}

/* It ended in a reset, running or not. */
static bool is_hang(const struct event *event)
{
	return event->id == EVENT_WORKLOAD_COMPLETE && event->workload.status == -EIO;
}

/* A clock that is behind put its end first, but it ran until this stop. */
static void late_stop(struct model *model, const struct event *event, int64_t start_ns)
{
	struct workload w = unknown_workload;

	w.dev = event->workload.dev;
	w.id = event->workload.workload_id;
	w.queue = model_get_queue(model, &event->workload);
	if (!model->gaps)
		engine_tell_ran(model, &w, start_ns, event->ts_ns);
}

/* Events after a workload's end give its time on the engine, or nothing new. */
static bool came_late(struct model *model, const struct gpu *gpu, const struct event *event)
{
	struct ended *ended = event->id <= EVENT_WORKLOAD_STOP ? hidden_late(model, gpu, event) : NULL;

	if (!ended)
		return false;
	if (event->id == EVENT_WORKLOAD_STOP)
		late_stop(model, event, ended->start_ns);
	else if (event->id == EVENT_WORKLOAD_START)
		ended->start_ns = event->ts_ns;
	return true;
}

/*
 * adopt - begin to follow a workload in the middle of its life
 *
 * The event implies the phase before it: work that is submitted or starts has been
 * waiting, work that stops has been running.
 */
static struct workload *adopt(struct model *model, const struct event *event)
{
	const struct gpu *gpu = model_get_gpu(model, event->workload.dev);
	struct workload *w;
	enum phase phase;
	bool from_before;

	if (came_late(model, gpu, event))
		return NULL;
	/* a listener that can look ahead calls model_first_id() */
	if (!known(gpu->first_id))
		TELL(model, stranger, gpu->dev, event->ts_ns);
	from_before = is_from_before(gpu, event->workload.workload_id);
	/* refused work has waited until now */
	phase = from_before ? phase_at_start(event) : phase_before(event->id);
	if (!from_before && !model->had_gap) {
		skew_keep(&model->skew, event);
		return NULL;
	}
	w = alive_new(model, &event->workload);
	w->from_before = from_before;
	/* alive since before the trace, or since the gap that hid its queueing */
	w->tainted = model->had_gap;
	w->tainted_ns = model->gap_begin_ns;
	/* without its submit event, earlier pieces are possible */
	w->exec_unknown = event->id != EVENT_WORKLOAD_SUBMIT && phase != PHASE_PENDING;
	if (event->id == EVENT_WORKLOAD_STOP)
		w->running = from_before;
	else if (event->id != EVENT_WORKLOAD_COMPLETE || phase == PHASE_PENDING)
		model_set_waiting(model, w, from_before ? UNKNOWN : event->ts_ns, true);
	/* it may have been queued in a gap instead */
	if (from_before && w->waiting && model->had_gap)
		model_tell_unsure_wait(model, w->queue, DOUBT_COUNTED, UNKNOWN,
				       model->gaps ? event->ts_ns : model->gap_end_ns);
	/* or have waited, if its end is its first traced event */
	if (from_before && !w->waiting && (model->had_gap || is_hang(event)))
		model_tell_unsure_wait(model, w->queue, DOUBT_MISSED, UNKNOWN, event->ts_ns);
	if (!from_before) {
		model_tell_unsure_wait(model, w->queue, DOUBT_MISSED,
				       w->queue->seen ? model->gap_begin_ns : model->first_gap_ns,
				       event->ts_ns);
		hidden_found(model, w);
		turns_hidden(w->queue, event->ts_ns);
	}
	if (from_before) {
		turns_older(model, w->queue, event->ts_ns);
		TELL(model, older, w, phase, event->ts_ns);
	}
	return w;
}

/* It is submitted, and has not run yet. */
static bool is_fresh(const struct event *event, enum phase phase)
{
	return event->id == EVENT_WORKLOAD_STATE && phase == PHASE_SUBMITTED &&
	       event->workload.exec_ns == 0;
}

void model_first_id(struct model *model, int64_t dev, int64_t id)
{
	model_get_gpu(model, dev)->first_id = id;
}

void model_older(struct model *model, const struct event *event, int64_t queue_ns,
		 int64_t start_ns)
{
	enum phase phase = phase_at_start(event);
	struct workload *w = alive_new(model, &event->workload);

	w->from_before = true;
	w->queue_ns = MIN(queue_ns, start_ns);
	w->exec_unknown = phase != PHASE_PENDING && !is_fresh(event, phase);
	w->running = phase == PHASE_RUNNING;
	w->submitted_before = phase != PHASE_PENDING;
	if (phase == PHASE_PENDING || phase == PHASE_SUBMITTED || phase == PHASE_PREEMPTED)
		model_set_waiting(model, w, UNKNOWN, true);
	phase_enter(model, w, phase, start_ns);
	if (is_hang(event))
		model_tell_unsure_wait(model, w->queue, DOUBT_MISSED, UNKNOWN, event->ts_ns);
	/* it was submitted or preempted */
	if (event->id == EVENT_WORKLOAD_START)
		w->queue->astray = w;
	/* why it waited before the trace is unknown */
	if (phase == PHASE_PENDING && known(w->queue_ns))
		w->waits_ns[WAIT_UNKNOWN] -= start_ns - w->queue_ns;
	TELL(model, older, w, phase, start_ns);
}

struct workload *alive_get(struct model *model, const struct event *event)
{
	struct workload_key key = workload_key_of(&event->workload);
	struct workload **recent = alive_recent(model, key);

	if (!*recent || (*recent)->id != key.id || (*recent)->dev != key.dev)
		*recent = g_hash_table_lookup(model->workloads, &key);
	return *recent ? *recent : adopt(model, event);
}
