/* SPDX-License-Identifier: GPL-2.0-only */
/* i915 as far as GVT-g's scheduling knows it; src/i915.c does what is only declared here */
#ifndef _GVT_SIM_I915_DRV_H_
#define _GVT_SIM_I915_DRV_H_

#include <linux/dma-fence.h>

#include "gt/intel_engine_types.h"

#define I915_PRIORITY_MIN (-1023)
#define I915_PRIORITY_NORMAL 0
#define I915_FENCE_FLAG_SENTINEL 0
#define I915_FENCE_FLAG_PQUEUE 1
#define I915_FENCE_FLAG_HOLD 2
#define I915_GTT_PAGE_SHIFT 12
#define MAX_SCHEDULE_TIMEOUT 0

struct i915_request;
struct intel_context;

struct intel_context_ops {
	void (*cancel_request)(struct intel_context *ce, struct i915_request *rq);
};

struct intel_context {
	struct list_head made;	/* of all contexts */
	struct intel_engine_cs *engine;
	const struct intel_context_ops *ops;
	struct {
		u64 desc;
	} lrc;
	int inflight;		/* how many of its requests the engine has */
	bool host;		/* it is the host's own: neither a vGPU's nor GVT-g's */
};

struct intel_vgpu_workload;
struct sim_stream;

/**
 * struct i915_request - what an engine executes
 * @made: of all requests
 * @workload: whose it is, NULL for a barrier and for the host's
 * @host: the stream of the host's that it is of, or NULL
 * @infix: where its guest's commands begin in the ring; here it has none
 * @postfix: where they end
 * @order: of those with the same priority
 * @rest_ns: what is left to execute
 * @piece_ns: distance of the points at which it can be preempted; 0 for none
 */
struct i915_request {
	struct list_head made;
	struct dma_fence fence;
	struct intel_engine_cs *engine;
	struct intel_context *context;
	struct {
		struct list_head link;
		struct i915_sched_attr attr;
	} sched;
	struct intel_vgpu_workload *workload;
	struct sim_stream *host;
	u32 infix, postfix;
	u64 order;
	u64 rest_ns;
	u64 piece_ns;
};

struct intel_context *intel_context_create(struct intel_engine_cs *engine);
void i915_context_free(struct intel_context *ce);
struct i915_request *i915_request_create(struct intel_context *ce);
struct i915_request *i915_request_get(struct i915_request *rq);
void i915_request_put(struct i915_request *rq);
void i915_request_add(struct i915_request *rq);

#define intel_context_pin(ce) ((void)(ce), 0)
#define intel_context_unpin(ce) ((void)(ce))
#define intel_context_put(ce) i915_context_free(ce)
#define intel_context_force_single_submission(ce) (!(ce)->host)
#define intel_context_inflight_count(ce) ((ce)->inflight)
#define intel_context_inflight(ce) ((ce)->inflight)
#define i915_request_is_active(rq) ((rq)->context->inflight)
#define i915_request_completed(rq) ((rq)->fence.signaled)
#define i915_request_in_priority_queue(rq) test_bit(I915_FENCE_FLAG_PQUEUE, &(rq)->fence.flags)
#define i915_request_on_hold(rq) test_bit(I915_FENCE_FLAG_HOLD, &(rq)->fence.flags)
#define i915_request_set_hold(rq) set_bit(I915_FENCE_FLAG_HOLD, &(rq)->fence.flags)
#define i915_request_clear_hold(rq) clear_bit(I915_FENCE_FLAG_HOLD, &(rq)->fence.flags)
#define i915_request_wait(rq, flags, timeout) ((void)(rq))

#endif
