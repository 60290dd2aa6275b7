/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_ENGINE_TYPES_H_
#define _GVT_SIM_ENGINE_TYPES_H_

#include <linux/interrupt.h>
#include <linux/spinlock.h>

/* The engines that Gen9 has */
enum intel_engine_id {
	RCS0,
	BCS0,
	VCS0,
	VCS1,
	VECS0,
	I915_NUM_ENGINES
};

typedef u32 intel_engine_mask_t;

#define ALL_ENGINES ((intel_engine_mask_t)BIT(I915_NUM_ENGINES) - 1)
#define I915_ENGINE_CLASS_INVALID (-1)
#define I915_ENGINE_CLASS_INVALID_NONE (-1)

struct i915_request;
struct intel_gt;

struct i915_sched_attr {
	int priority;
};

struct i915_sched_engine {
	struct tasklet_struct tasklet;
	spinlock_t lock;
	struct list_head hold;
	void (*schedule)(struct i915_request *rq, const struct i915_sched_attr *attr);
};

/*
 * What the engine executes; it is given one request at a time, and starts it at once. Only the
 * host's is seen to be with it before: behind what goes first, if anything does.
 */
struct intel_engine_execlists {
	struct i915_request *inflight[2];
	struct i915_request *const *active;
	struct i915_request *pending[3];
};

#define execlists_active(execlists) (*(execlists)->active)

struct intel_engine_cs {
	enum intel_engine_id id;
	const char *name;
	u16 uabi_class;
	u16 uabi_instance;
	struct i915_sched_engine *sched_engine;
	struct intel_engine_execlists execlists;
	struct {
		unsigned long preempt_timeout_ms;
	} props;
	int (*emit_init_breadcrumb)(struct i915_request *rq);
};

struct intel_gt {
	struct intel_engine_cs *engine[I915_NUM_ENGINES];
};

#define intel_engine_has_preemption(engine) ((void)(engine), true)

#define for_each_engine(engine, gt, id)					\
	for ((id) = 0; (id) < I915_NUM_ENGINES; (id)++)			\
		for_each_if((engine) = (gt)->engine[id])

#define for_each_engine_masked(e, gt, mask, tmp)			\
	for ((tmp) = (mask) & ALL_ENGINES; (tmp); (tmp) &= (tmp) - 1)	\
		for_each_if((e) = (gt)->engine[__builtin_ctz(tmp)])

#endif
