/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is on each engine, and so why the work in each queue waits.
 *
 * With exclusive dispatch one vGPU has its turn on all engines of a GPU; otherwise
 * engines have turns of their own. What is called the scope below is the engine
 * that something is about, NULL for all engines of the GPU.
 *
 * Some reasons are told only when they are over: gvt_sched_switch tells for how
 * long the engines had been drained for it, gvt_sched_hold for how long the GPU
 * had been kept idle, that a vGPU was picked without slice shows that the lack of
 * one was not what kept it, and who preempted a workload is seen when it starts.
 * So the wait that goes on is open: only when it ends, it is divided and added to
 * what the queue has spent for each reason. Every workload remembers these sums
 * from when it came; its own waits are differences: stretches.h.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_TURNS_H
#define GVTTRACE_TURNS_H

#include "model.h"

/**
 * turns_class - for what its queue waits as things stand, but for what was taken off
 */
enum wait_class turns_class(const struct vgpu_engine *queue);

/* a workload comes into its queue, or leaves it (submitted, cancelled, failed) */
void turns_join(struct model *model, struct workload *w, int64_t ts_ns);
void turns_leave(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_ahead, turns_ahead_end - a workload is submitted, and no longer waits for the
 * engine
 *
 * Where engines have turns of their own, i915 may get work ahead of its turn, and
 * keeps it until then: it waits for the same reasons as before.
 */
void turns_ahead(struct model *model, struct workload *w, int64_t ts_ns);
void turns_ahead_end(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_expose, turns_expose_end - a workload is in flight, but not on its engine: while the
 * host's own work is there, it waits for that
 * @phase: the one that comes then
 */
void turns_expose(struct model *model, struct workload *w, int64_t ts_ns);
void turns_expose_end(struct model *model, struct workload *w, enum phase phase, int64_t ts_ns);

/**
 * turns_until - the open waits for an engine, as they are taken to be, are over up to here
 */
void turns_until(struct model *model, const struct gpu_engine *engine, int64_t ts_ns);

/**
 * turns_preempt - a workload was taken off its engine unfinished
 */
void turns_preempt(struct model *model, struct workload *w, int64_t ts_ns);

/**
 * turns_resume - it is back on the engine, or will never be
 * @back: it is; if not, it was not preempted but ended there, or nobody knows, and
 * neither model nor time is needed
 */
void turns_resume(struct model *model, struct workload *w, bool back, int64_t ts_ns);

/**
 * turns_start - a workload is on its engine, so preempted ones wait for its vGPU
 */
void turns_start(struct model *model, const struct workload *w, int64_t ts_ns);

/**
 * turns_found - where the work is that was lost sight of in a gap, if any, is known again
 */
void turns_found(struct model *model, struct vgpu_engine *queue, int64_t ts_ns);

/**
 * turns_contradict - is it another vGPU's turn, as far as is known, or nobody's?
 *
 * Where it is certain that only work of the vGPU whose turn it is can be submitted.
 */
bool turns_contradict(const struct model *model, const struct vgpu_engine *queue);

/**
 * turns_show_current - a vGPU's work was submitted: it is its turn
 */
void turns_show_current(struct model *model, const struct vgpu_engine *queue);

/**
 * turns_older - work from before the trace was in front of what is in the queue
 */
void turns_older(struct model *model, struct vgpu_engine *queue, int64_t ts_ns);

/**
 * turns_hidden - work whose queueing was lost was in front of it until now
 */
void turns_hidden(struct vgpu_engine *queue, int64_t ts_ns);

/* @prev, @next: NULL for nobody; between lost events, nothing is concluded */
void turns_switch(struct model *model, struct gpu *gpu, struct gpu_engine *scope,
		  struct vgpu *prev, struct vgpu *next, const struct event *event);
void turns_balance(struct model *model, struct vgpu *vgpu, const struct gpu_engine *scope,
		   const struct event *event);
void turns_hold(struct model *model, struct gpu *gpu, const struct gpu_engine *scope,
		const struct vgpu *expected, const struct event *event);

/**
 * turns_setting - the policy or a cap is another one now
 */
void turns_setting(struct model *model, struct gpu *gpu, int64_t ts_ns);

/**
 * turns_lost - events were lost from @ts_ns on, or until then
 */
void turns_lost(struct model *model, struct gpu *gpu, int64_t ts_ns);

/**
 * turns_finish - the trace is over: tell of the waits that go on
 */
void turns_finish(struct model *model, struct gpu *gpu, int64_t ts_ns);

#endif
