// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "model-private.h"
#include "phase.h"
#include "turns.h"

static int *engine_count(struct gpu_engine *engine, enum phase phase)
{
	switch (phase) {
	case PHASE_SUBMITTED:
	case PHASE_PREEMPTED:
		return &engine->submitted;
	case PHASE_RUNNING:
		return &engine->running;
	case PHASE_FINISHING:
		return &engine->finishing;
	default:
		return NULL;
	}
}

static bool is_preempted(const struct workload *w)
{
	return w->counted && w->phase == PHASE_PREEMPTED;
}

static void count_out(struct workload *w)
{
	int *count = engine_count(w->queue->engine, w->phase);

	if (count && w->counted)
		(*count)--;
	if (is_preempted(w))
		w->queue->engine->preempted--;
	w->counted = false;
}

/* Returns false if the phase has no count in the engine. */
static bool count_in(const struct model *model, struct workload *w)
{
	int *count = engine_count(w->queue->engine, w->phase);

	if (!count)
		return false;
	(*count)++;
	w->counted = true;
	if (is_preempted(w))
		w->queue->engine->preempted++;
	/* a context only starts on an engine that is free of others */
	if (w->phase == PHASE_RUNNING && w->queue->engine->running == 1 && !model->gaps)
		w->queue->engine->doubtful = false;
	return true;
}

static void take_flight(struct workload *w)
{
	if (w->in_flight || w->completed || w->cancelled)
		return;
	w->in_flight = true;
	w->queue->in_flight++;
	w->queue->submitted_id = MAX(w->queue->submitted_id, w->id);
}

void phase_release(struct workload *w, int64_t ts_ns)
{
	if (!w->in_flight)
		return;
	w->in_flight = false;
	w->queue->in_flight--;
	w->queue->free_ns = ts_ns;
}

void phase_enter(struct model *model, struct workload *w, enum phase phase, int64_t ts_ns)
{
	bool was_preempted = is_preempted(w);

	/* a vGPU has at most one workload in flight per engine */
	if (w->queue->astray == w || phase == PHASE_SUBMITTED)
		turns_found(model, w->queue, ts_ns);
	turns_expose_end(model, w, phase, ts_ns);
	if (w->phase == PHASE_PENDING)
		turns_leave(model, w, ts_ns);
	else if (known(w->phase_ns))
		w->phases_ns[w->phase] += ts_ns - w->phase_ns;
	count_out(w);
	if (phase != PHASE_PENDING)
		w->queue->left_id = MAX(w->queue->left_id, w->id);
	w->phase = phase;
	w->phase_ns = ts_ns;
	if (count_in(model, w))
		take_flight(w);
	if (was_preempted)
		turns_resume(model, w, phase == PHASE_RUNNING, ts_ns);
	if (phase == PHASE_SUBMITTED)
		turns_ahead(model, w, ts_ns);
	else
		turns_ahead_end(model, w, ts_ns);
	if (phase == PHASE_PENDING)
		turns_join(model, w, ts_ns);
	else if (phase == PHASE_PREEMPTED)
		turns_preempt(model, w, ts_ns);
	else if (phase == PHASE_RUNNING)
		turns_start(model, w, ts_ns);
	if (phase == PHASE_SUBMITTED || phase == PHASE_PREEMPTED)
		turns_expose(model, w, ts_ns);
}

void phase_doubt(struct workload *w)
{
	if (is_preempted(w))
		turns_resume(NULL, w, false, UNKNOWN);
	if (w->ahead)
		w->queue->ahead--;
	w->ahead = false;
	if (w->exposed)
		w->queue->exposed--;
	w->exposed = false;
	count_out(w);
	if (w->in_flight) {
		w->queue->in_flight--;
		w->queue->astray = w;
	}
	w->in_flight = false;
}
