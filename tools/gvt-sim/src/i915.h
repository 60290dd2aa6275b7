/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * i915's queue for each engine: it gives the engine the request with the highest priority, and
 * has it leave what executes for one of a higher one, at the next point at which it can
 */
#ifndef GVT_SIM_I915_H
#define GVT_SIM_I915_H

#include "gvt.h"

/**
 * i915_init - make the engines
 * @gt: receives them: all that GVT-g knows but the second one for video, which few GPUs have
 */
void i915_init(struct intel_gt *gt);

/**
 * i915_engine_id - the id of an engine; also before i915_init()
 */
enum intel_engine_id i915_engine_id(const struct intel_engine_cs *engine);

/**
 * i915_needs - let there be this engine; to be called before i915_init()
 */
void i915_needs(const struct intel_engine_cs *engine);

/**
 * i915_engine - an engine by its name, NULL if there is none
 */
struct intel_engine_cs *i915_engine(const char *name);

/**
 * i915_engine_of_class - an engine by the numbers that trace events have; NULL if there is none
 */
struct intel_engine_cs *i915_engine_of_class(s64 class, s64 instance);

/**
 * i915_follow - from now on no engine executes anything by itself
 */
void i915_follow(void);

/* The context of GVT-g's own on an engine */
struct intel_context *sim_own_context(enum intel_engine_id engine);

/* What the driver's notifier of context status does */
void sim_context_in(struct i915_request *rq);
void sim_context_out(struct i915_request *rq);

#endif
