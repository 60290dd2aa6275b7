// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which times of an engine are certainly, or perhaps, a workload's.
 */
#include "trace/util.h"
#include "model-private.h"
#include "skew.h"

bool engine_still_runs(const struct model *model, const struct workload *w)
{
	if (!w->running || w->completed || w->cancelled || known(w->superseded_ns))
		return false;
	return !known(model->gap_end_ns) || (known(w->piece_ns) && w->piece_ns >= model->gap_end_ns);
}

bool model_on_engine(const struct model *model, const struct gpu_engine *engine,
		     const struct vgpu **vgpu, int64_t *since_ns)
{
	const struct workload *w = engine->latest;
	bool runs = w && engine_still_runs(model, w);

	*vgpu = runs ? w->queue->vgpu : NULL;
	*since_ns = runs ? MAX(w->piece_ns, engine->ran_ns) : UNKNOWN;
	return !model->gaps && (!known(model->gap_end_ns) || engine->evident);
}

/*
 * Clock skew, or i915 reporting a start before the stop of the preempted
 * workload, is no contradiction.
 */
static bool overlaps(const struct gpu_engine *engine, int64_t from_ns, int64_t until_ns)
{
	int64_t end_ns = known(until_ns) ? MIN(until_ns, engine->ran_ns) : engine->ran_ns;

	return known(from_ns) && known(engine->ran_ns) && end_ns - from_ns > SKEW_MAX_NS;
}

bool engine_claim(const struct model *model, struct gpu_engine *engine, int64_t *from_ns,
		int64_t until_ns, int64_t empty_ns)
{
	if (known(model->gap_end_ns))
		*from_ns = MAX(*from_ns, model->gap_end_ns);	/* UNKNOWN is less than any */
	if (!known(engine->overlap_ns) && !model->had_gap && overlaps(engine, *from_ns, until_ns))
		engine->overlap_ns = *from_ns;
	*from_ns = MAX(*from_ns, engine->ran_ns);
	/* an empty one is reported, too, unless an earlier one covers it */
	if (known(until_ns) && (until_ns < *from_ns ||
				(until_ns == *from_ns && *from_ns != empty_ns)))
		return false;
	engine->ran_ns = MAX(engine->ran_ns, until_ns);
	return true;
}

void engine_tell_ran(const struct model *model, const struct workload *w, int64_t from_ns,
		   int64_t until_ns)
{
	if (engine_claim(model, w->queue->engine, &from_ns, until_ns, w->piece_ns))
		TELL(model, ran, w, from_ns, until_ns);
}

/*
 * Its stop was not traced before its completion, or before another one started: it ran
 * until then at most.
 */
void engine_tell_lost_stop(const struct model *model, const struct workload *w)
{
	int64_t until_ns = w->end_ns;

	if (!w->running || !known(w->piece_ns))
		return;
	if (known(w->superseded_ns) && (!known(until_ns) || w->superseded_ns < until_ns))
		until_ns = w->superseded_ns;
	if (known(until_ns) && (!known(model->gap_end_ns) || w->piece_ns >= model->gap_end_ns))
		TELL(model, unsure, w->queue->engine, w->piece_ns, until_ns);
}
