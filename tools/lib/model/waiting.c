// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which workloads wait, and where that is not certain.
 */
#include "model-private.h"

void model_set_waiting(struct model *model, struct workload *w, int64_t ts_ns, bool waiting)
{
	if (w->waiting == waiting)
		return;
	w->waiting = waiting;
	TELL(model, waiting, w, ts_ns, waiting ? 1 : -1);
}

void model_tell_unsure_wait(const struct model *model, const struct vgpu_engine *queue,
			    enum doubt doubt, int64_t from_ns, int64_t ts_ns)
{
	TELL(model, unsure_wait, queue, doubt, from_ns, ts_ns);
}

void model_doubt_waiting(struct model *model, struct workload *w, int64_t ts_ns)
{
	if (w->waiting && w->tainted)
		model_tell_unsure_wait(model, w->queue, DOUBT_COUNTED, w->tainted_ns, ts_ns);
	model_set_waiting(model, w, ts_ns, false);
}
