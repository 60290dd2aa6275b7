/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is on each engine, and so why the work in each queue waits.
 *
 * With exclusive dispatch one vGPU has the turn on all engines of a GPU; otherwise
 * each engine has its own turn. The scope of an event, below, is the engine that it
 * is for, NULL for all engines of the GPU.
 *
 * Some reasons are reported only afterwards: gvt_sched_switch reports for how long
 * the engines had been drained, gvt_sched_hold for how long the GPU had been held
 * idle; a vGPU that is picked without a slice was not waiting for its slice; and
 * only the next start shows which vGPU preempted a workload. So the current wait
 * stays open: when it ends, it is divided and added to the queue's spent_ns, by
 * reason. Every workload saves these sums when it arrives; its own waits are the
 * differences: stretches.h.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_TURNS_H
#define GVTTRACE_TURNS_H

#include "model.h"

/* a workload enters its queue, or leaves it (submitted, cancelled, failed) */
void turns_join(struct model *model, struct workload *w, int64_t ts_ns);
void turns_leave(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_ahead, turns_ahead_end - a workload is submitted; and no longer waits for its
 * engine
 *
 * Where each engine has its own turn, i915 may get work ahead of its turn and
 * keeps it until then: such work waits for the same reasons as before.
 */
void turns_ahead(struct model *model, struct workload *w, int64_t ts_ns);
void turns_ahead_end(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_expose, turns_expose_end - a workload is in flight, but not on its engine: while the
 * host's own work runs there, the workload waits for the host
 * @phase: the workload's next phase
 */
void turns_expose(struct model *model, struct workload *w, int64_t ts_ns);
void turns_expose_end(struct model *model, struct workload *w, enum phase phase, int64_t ts_ns);

/**
 * turns_until - account all open waits for an engine up to @ts_ns, with their present reasons
 */
void turns_until(struct model *model, const struct gpu_engine *engine, int64_t ts_ns);

/**
 * turns_preempt - a workload was preempted
 */
void turns_preempt(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_resume - a preempted workload is back on the engine, or will never be
 * @back: it is back; if false, it had ended there or its fate is unknown; @model may then be
 * NULL and @ts_ns UNKNOWN
 */
void turns_resume(struct model *model, struct workload *w, bool back, int64_t ts_ns);

/**
 * turns_start - a workload starts; preempted ones now wait for its vGPU
 */
void turns_start(struct model *model, const struct workload *w, int64_t ts_ns);

/**
 * turns_found - locate the workload of @queue, if any, that was in flight in a gap
 */
void turns_found(struct model *model, struct vgpu_engine *queue, int64_t ts_ns);

/**
 * turns_contradict - is it certainly not the turn of the queue's vGPU?
 *
 * Only where a vGPU must have the turn to submit work; else false.
 */
bool turns_contradict(const struct model *model, const struct vgpu_engine *queue);

/**
 * turns_show_current - the queue's vGPU submitted work: it has the turn
 */
void turns_show_current(struct model *model, const struct vgpu_engine *queue);

/**
 * turns_older - until now, work from before the trace was ahead of the queue's workloads
 */
void turns_older(struct model *model, struct vgpu_engine *queue, int64_t ts_ns);

/**
 * turns_hidden - until now, work whose queueing was lost was ahead of the queue's workloads
 */
void turns_hidden(struct vgpu_engine *queue, int64_t ts_ns);

/* @prev, @next: NULL for none; in gaps these functions conclude nothing */
void turns_switch(struct model *model, struct gpu *gpu, struct gpu_engine *scope,
		  struct vgpu *prev, struct vgpu *next, const struct event *event);
void turns_balance(struct model *model, struct vgpu *vgpu, const struct gpu_engine *scope,
		   const struct event *event);
void turns_hold(struct model *model, struct gpu *gpu, const struct gpu_engine *scope,
		const struct vgpu *expected, const struct event *event);

/**
 * turns_setting - the policy or a cap has changed
 */
void turns_setting(struct model *model, struct gpu *gpu, int64_t ts_ns);

/**
 * turns_lost - a gap begins or ends at @ts_ns
 */
void turns_lost(struct model *model, struct gpu *gpu, int64_t ts_ns);

/**
 * turns_finish - end of trace: report the open waits
 */
void turns_finish(struct model *model, struct gpu *gpu, int64_t ts_ns);

#endif
