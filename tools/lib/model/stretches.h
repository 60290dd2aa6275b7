/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes parts of open waits: adds them to the queue's spent_ns and reports them.
 *
 * Parts that may not be real waits are kept until this is decided: those of work that may have
 * left in a gap; and those since a preemption, which may have been the workload's end.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_STRETCHES_H
#define GVTTRACE_STRETCHES_H

#include "model.h"

/**
 * stretch_account - close a part of the open wait
 */
void stretch_account(struct model *model, struct vgpu_engine *queue, enum wait_class class,
		     const struct vgpu *culprit, int64_t from_ns, int64_t to_ns);

/**
 * stretches_prove - @w leaves its queue: confirm or drop the waits of the workloads before it
 */
void stretches_prove(struct model *model, struct vgpu_engine *queue, const struct workload *w);

/**
 * stretches_leave - @w leaves before it is known whether the preempted workload comes back
 */
void stretches_leave(const struct vgpu_engine *queue, struct workload *w);

/**
 * stretches_tell, stretches_redo - the preempted workload is back, or had ended and did not wait
 */
void stretches_tell(struct model *model, struct vgpu_engine *queue);
void stretches_redo(struct model *model, struct vgpu_engine *queue);

/**
 * stretches_lost, stretches_end - events are lost, or the trace ends: undecided waits stay so
 */
void stretches_lost(struct model *model, struct vgpu_engine *queue);
void stretches_end(struct model *model, struct vgpu_engine *queue);

#endif
