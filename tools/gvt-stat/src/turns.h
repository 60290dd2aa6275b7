/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is on each GPU, and so why the work in each queue waits.
 *
 * Some reasons are told only when they are over: gvt_sched_switch tells for how
 * long the engines had been drained for it, gvt_sched_hold for how long the GPU
 * had been kept idle, and that a vGPU was picked without slice shows that the
 * lack of one was not what kept it. So the wait that goes on is open: only when it
 * ends, it is divided and added to what the queue has spent for each reason. Every
 * workload remembers these sums from when it came; its own waits are differences.
 */
#ifndef GVT_STAT_TURNS_H
#define GVT_STAT_TURNS_H

#include "model.h"

/* a workload comes into its queue, or leaves it (submitted, cancelled, failed) */
void turns_join(struct model *model, struct workload *w, int64_t ts_ns);
void turns_leave(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_show_current - a vGPU's work was submitted: it is its turn
 */
void turns_show_current(const struct model *model, struct vgpu *vgpu);

/**
 * turns_older - work from before the trace was in front of what is in the queue
 */
void turns_older(struct model *model, struct vgpu_engine *queue, int64_t ts_ns);

/* @prev, @next: NULL for nobody; between lost events, nothing is concluded */
void turns_switch(struct model *model, struct gpu *gpu, struct vgpu *prev, struct vgpu *next,
		  const struct event *event);
void turns_balance(struct model *model, struct vgpu *vgpu, const struct event *event);
void turns_hold(struct model *model, struct gpu *gpu, const struct vgpu *expected,
		const struct event *event);

/**
 * turns_lost - events were lost from @ts_ns on, or until then
 */
void turns_lost(struct model *model, struct gpu *gpu, int64_t ts_ns);

/**
 * turns_finish - the trace is over: tell of the waits that go on
 */
void turns_finish(struct model *model, struct gpu *gpu, int64_t ts_ns);

#endif
