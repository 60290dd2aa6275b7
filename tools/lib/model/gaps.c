// SPDX-License-Identifier: GPL-2.0-or-later
#include "model-private.h"
#include "phase.h"
#include "turns.h"

static void lose_turns(struct model *model, int64_t ts_ns)
{
	for (unsigned int nr = 0; nr < model->gpus->len; nr++) {
		struct gpu *gpu = model->gpus->pdata[nr];

		gpu->policy_lost |= !model_sched_info(model, gpu->dev)->policy;
		gpu->hidden->more_vgpus |= !gpu->hidden->nr_vgpus;
		turns_lost(model, gpu, ts_ns);
	}
}

/* a live workload may be in any phase now */
static void doubt_workload(struct workload *w, int64_t ts_ns)
{
	if (!w->tainted)
		w->tainted_ns = ts_ns;
	w->tainted = true;
	w->sure_dispatch_ns = 0;
	/* with i915, it may start and stop unseen */
	if (w->phase == PHASE_SUBMITTED || w->phase == PHASE_RUNNING || w->phase == PHASE_PREEMPTED)
		w->exec_unknown = w->stop_unsure = true;
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

/*
 * i915 reports the start of a workload before the stop of the one that it preempts: the latter
 * has run until now. If the two are further apart than clock skew, the stop was lost.
 */
static bool just_superseded(const struct model *model, const struct workload *w, int64_t ts_ns)
{
	return w->running && !w->completed && !w->cancelled && known(w->superseded_ns) &&
	       ts_ns - w->superseded_ns <= SKEW_MAX_NS && known(w->piece_ns) &&
	       w->piece_ns >= model->gap_end_ns;
}

/* report these before the workloads that preempted them, whose intervals are later */
static void tell_superseded(struct model *model, int64_t ts_ns)
{
	GHashTableIter iter;
	void *w;

	g_hash_table_iter_init(&iter, model->workloads);
	while (g_hash_table_iter_next(&iter, NULL, &w))
		if (just_superseded(model, w, ts_ns))
			engine_tell_ran(model, w, ((struct workload *)w)->piece_ns,
				      ((struct workload *)w)->superseded_ns);
}

void gaps_tell_certain(struct model *model, int64_t ts_ns)
{
	const struct workload *w;
	GHashTableIter iter;
	void *value;

	if (known(ts_ns))
		tell_superseded(model, ts_ns);
	g_hash_table_iter_init(&iter, model->workloads);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		w = value;
		/* a piece that begins now has no certain time yet */
		if (engine_still_runs(model, w) && (!known(ts_ns) || w->piece_ns != ts_ns))
			engine_tell_ran(model, w, w->piece_ns, ts_ns);
		/* its stop, which clock skew may put after its end, may be lost now */
		else if (w->completed && known(ts_ns))
			engine_tell_lost_stop(model, w);
	}
	for (unsigned int nr = 0; nr < model->engines->len; nr++) {
		struct gpu_engine *engine = model->engines->pdata[nr];

		if (known(model->gap_end_ns) && !engine->evident)
			TELL(model, unsure, engine, model->gap_end_ns, ts_ns);
		engine->evident = false;
	}
	for (unsigned int nr = 0; nr < model->vgpu_engines->len; nr++) {
		struct vgpu_engine *queue = model->vgpu_engines->pdata[nr];

		if (known(model->gap_end_ns) && !queue->evident && queue->vgpu->gpu->hidden->any)
			model_tell_unsure_wait(model, queue, DOUBT_UNSEEN,
					       queue->seen ? model->gap_end_ns : model->first_gap_ns,
					       ts_ns);
		queue->evident = false;
		queue->seen = true;
	}
}

void model_gap_begin(struct model *model, int64_t ts_ns)
{
	/* their predecessors may be lost now */
	early_drop(model, UNKNOWN);
	if (!model->had_gap)
		model->first_gap_ns = ts_ns;
	model->had_gap = true;
	if (model->gaps++)
		return;
	host_gap_begin(model, ts_ns);
	gaps_tell_certain(model, ts_ns);
	model->gap_begin_ns = ts_ns;
	doubt_all(model, ts_ns);
}

void model_gap_end(struct model *model, int64_t ts_ns)
{
	if (--model->gaps)
		return;
	TELL(model, unsure, NULL, model->gap_begin_ns, ts_ns);
	model->gap_end_ns = ts_ns;
	host_gap_end(model, ts_ns);
	doubt_all(model, ts_ns);
	hidden_gap_end(model);
}
