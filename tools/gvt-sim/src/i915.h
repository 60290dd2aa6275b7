/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * i915's queue for each engine: submits the request with the highest priority, and preempts the
 * running request, at its next preemption point, for one with a higher priority
 */
#ifndef GVT_SIM_I915_H
#define GVT_SIM_I915_H

#include "gvt.h"

/**
 * i915_init - create the engines
 * @gt: receives the engines of GVT-g, except the second video engine, which few GPUs have
 */
void i915_init(struct intel_gt *gt);

/**
 * i915_engine_id - the id of an engine; also before i915_init()
 */
enum intel_engine_id i915_engine_id(const struct intel_engine_cs *engine);

/**
 * i915_needs - include this engine; call before i915_init()
 */
void i915_needs(const struct intel_engine_cs *engine);

/**
 * i915_engine - the engine with this name; NULL: none
 */
struct intel_engine_cs *i915_engine(const char *name);

/**
 * i915_engine_of_class - the engine with these numbers of trace events; NULL: none
 */
struct intel_engine_cs *i915_engine_of_class(s64 class, s64 instance);

/**
 * i915_follow - stop simulating the engines, for a replay
 */
void i915_follow(void);

/* GVT-g's own context on an engine */
struct intel_context *sim_own_context(enum intel_engine_id engine);

/* The driver's notifier of context status */
void sim_context_in(struct i915_request *rq);
void sim_context_out(struct i915_request *rq);

#endif
