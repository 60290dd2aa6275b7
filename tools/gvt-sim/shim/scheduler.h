/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_SCHEDULER_H_
#define _GVT_SIM_SCHEDULER_H_

#include "i915_drv.h"

struct intel_vgpu;
struct sim_stream;

/* An engine's thread */
typedef struct {
	enum intel_engine_id engine;
} wait_queue_head_t;

void wake_up(wait_queue_head_t *waitq);

/* See the driver's scheduler.h: the members its files use, plus the simulation's */
struct intel_vgpu_workload {
	u64 id;
	u64 queued_ns;
	struct intel_vgpu *vgpu;
	const struct intel_engine_cs *engine;
	struct i915_request *req;
	bool dispatched;
	bool shared;
	bool cancelled;
	int status;
	struct list_head list;
	struct {
		u32 lrca;
	} ctx_desc;
	int shadow_ctx_active;
	wait_queue_head_t shadow_ctx_status_wq;

	struct sim_stream *stream;
	u64 exec_ns;
	u64 piece_ns;
};

enum gvt_cancel_reason {
	GVT_CANCEL_ERROR = 0,
	GVT_CANCEL_RESET = 1,
	GVT_CANCEL_REMOVE = 2,
};

#define workload_q_head(vgpu, e) (&(vgpu)->submission.workload_q_head[(e)->id])

#endif
