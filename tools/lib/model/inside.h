/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model's interface to other rooms that no program needs.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_MODEL_INSIDE_H
#define GVTTRACE_MODEL_INSIDE_H

#include "model.h"
#include "trace/recorded.h"
#include "trace/util.h"

/* larger clock differences between CPUs are damage */
#define SKEW_MAX_NS	NSEC_PER_MSEC

/**
 * model_first_id - workloads with this or a higher id were queued in the trace, others before it
 */
void model_first_id(struct model *model, int64_t dev, int64_t id);

/**
 * model_look_until - set the end of the window: later settings do not replace earlier ones, and
 * 		     listeners learn of the end after the trace
 */
void model_look_until(struct model *model, int64_t ts_ns);

/**
 * model_gap_begin - events may be lost from now on: taint all live workloads
 */
void model_gap_begin(struct model *model, int64_t ts_ns);

/**
 * model_gap_end - no more events are lost; calls of both functions may nest
 */
void model_gap_end(struct model *model, int64_t ts_ns);

/**
 * model_engine_of - the engine of a workload event; NULL for other events
 */
const struct gpu_engine *model_engine_of(const struct model *model, const struct event *event);

/**
 * model_may_hide - may unseen work wait for the engine, or reported work have left it?
 *
 * True from a gap on, until enough events were seen.
 */
bool model_may_hide(const struct gpu_engine *engine);

/**
 * host_runs - does the host's own work run on the engine, as far as known?
 * host_unsure - is this unknown although gvt_host_* events are recorded?
 * host_told_ns - until when the host's times on the engine are known
 */
bool host_runs(const struct gpu_engine *engine);
bool host_unsure(const struct gpu_engine *engine);
int64_t host_told_ns(const struct gpu_engine *engine);

/**
 * vgpu_slice - a vGPU's last reported slice
 * @engine: prefer the slice for this engine to that for all engines; NULL: for all engines
 */
const struct slice *vgpu_slice(const struct vgpu *vgpu, const struct gpu_engine *engine);

/**
 * workload_key_hash, workload_key_equal - for hash tables keyed by struct workload_key
 */
guint workload_key_hash(gconstpointer key);
gboolean workload_key_equal(gconstpointer a, gconstpointer b);

/**
 * workload_is_partial - did it end (or was cancelled) with part of its life unseen?
 */
bool workload_is_partial(const struct workload *w);

/**
 * model_reach - the trace lasts at least until @ts_ns, if only with events the model ignores
 *
 * Workloads that still wait have waited until then when model_finish() reports them.
 */
void model_reach(struct model *model, int64_t ts_ns);

/**
 * model_name_reused - the vGPU's number was another vGPU's before: name it by its UUID until the
 * 		      name of its VM is known
 */
void model_name_reused(struct model *model, int64_t dev, int64_t id, const char *uuid);

/**
 * model_complete_vgpu - fill in what the events lack of the vGPU with this UUID, if there is one
 */
void model_complete_vgpu(struct model *model, const struct recorded_vgpu *told);

/**
 * workload_parts_agree - do the parts sum to the whole, or are they unknown?
 */
bool workload_parts_agree(const struct workload *w);

#endif
