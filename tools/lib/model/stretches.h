/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of open waits that are over: added to what the queue has spent, and told.
 *
 * Some are kept until it is known whether they were: of what was in a queue when a gap ended,
 * and may have left it then; and of what was taken off the engine, and may have ended there.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_STRETCHES_H
#define GVTTRACE_STRETCHES_H

#include "model.h"

/* room for what may turn out not to have waited */
GArray *stretches_undecided_new(void);

/**
 * stretch_account - a part of the open wait is over
 */
void stretch_account(struct model *model, struct vgpu_engine *queue, enum wait_class class,
		     const struct vgpu *culprit, int64_t from_ns, int64_t to_ns);

/**
 * stretches_prove - @w leaves its queue: whether those before it have waited till now
 */
void stretches_prove(struct model *model, struct vgpu_engine *queue, const struct workload *w);

/**
 * stretches_leave - @w leaves before it is known whether it waited for what was taken off
 */
void stretches_leave(const struct vgpu_engine *queue, struct workload *w);

/**
 * stretches_tell, stretches_redo - what was taken off is back, or has ended and did not wait
 */
void stretches_tell(struct model *model, struct vgpu_engine *queue);
void stretches_redo(struct model *model, struct vgpu_engine *queue);

/**
 * stretches_lost, stretches_end - events are lost, or the trace ends: nothing more will be known
 */
void stretches_lost(struct model *model, struct vgpu_engine *queue);
void stretches_end(struct model *model, struct vgpu_engine *queue);

#endif
