/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other rooms tell and ask the model, and no program does.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_MODEL_INSIDE_H
#define GVTTRACE_MODEL_INSIDE_H

#include "model.h"
#include "trace/util.h"

/* Clocks of CPUs that differ by more are broken. */
#define SKEW_MAX_NS	NSEC_PER_MSEC

/**
 * model_first_id - workloads from this id on were queued in the trace, those below before it
 */
void model_first_id(struct model *model, int64_t dev, int64_t id);

/**
 * model_look_until - the window ends then: settings that are told later do not replace those told
 *		      before, and listeners learn of it when the trace is over
 */
void model_look_until(struct model *model, int64_t ts_ns);

/**
 * model_gap_begin - events may be lost from now on: what is alive is tainted
 */
void model_gap_begin(struct model *model, int64_t ts_ns);

/**
 * model_gap_end - until now; pairs may nest
 */
void model_gap_end(struct model *model, int64_t ts_ns);

/**
 * model_engine_of - on which engine the event's workload is; NULL if it is none of a workload
 */
const struct gpu_engine *model_engine_of(const struct model *model, const struct event *event);

/**
 * model_may_hide - may work wait for the engine unseen, or have left it that is told to wait?
 *
 * It may from a gap on, until enough was seen.
 */
bool model_may_hide(const struct gpu_engine *engine);

/**
 * host_runs - does the host's own work execute on the engine, as far as is known?
 * host_unsure - is that not known, although it is recorded?
 * host_told_ns - until when all is known of it
 */
bool host_runs(const struct gpu_engine *engine);
bool host_unsure(const struct gpu_engine *engine);
int64_t host_told_ns(const struct gpu_engine *engine);

/**
 * vgpu_slice - what was told of a vGPU's slice
 * @engine: the slice on it, if one is told for it alone, else that on all; NULL: on all
 */
const struct slice *vgpu_slice(const struct vgpu *vgpu, const struct gpu_engine *engine);

/**
 * workload_key_hash, workload_key_equal - for hash tables with keys of struct workload_key
 */
guint workload_key_hash(gconstpointer key);
gboolean workload_key_equal(gconstpointer a, gconstpointer b);

/**
 * workload_is_partial - it ended, also if it was cancelled, but not all of its life was seen
 */
bool workload_is_partial(const struct workload *w);

/**
 * model_reach - the trace goes on until then, if only with events that are not the model's
 *
 * What still waits has waited until then when model_finish() tells of it.
 */
void model_reach(struct model *model, int64_t ts_ns);

/**
 * model_name_reused - a number has been another vGPU's: until the name of its VM is told, it is
 *		       called by its UUID
 */
void model_name_reused(struct model *model, int64_t dev, int64_t id, const char *uuid);

/**
 * workload_parts_agree - do the parts sum to the whole, or can they not be told?
 */
bool workload_parts_agree(const struct workload *w);

#endif
