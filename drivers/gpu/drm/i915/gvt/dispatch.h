/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_H_
#define _GVT_DISPATCH_H_

#include <linux/dma-fence.h>
#include <linux/types.h>

#include "workload_exec.h"

struct i915_request;
struct intel_context;
struct intel_engine_cs;
struct intel_gvt;
struct intel_vgpu;
struct intel_vgpu_workload;

/**
 * DOC: workloads at i915
 *
 * With exclusive dispatch i915 has one workload per engine. Otherwise it can have one
 * of each vGPU, and runs that with the highest priority:
 *
 * - the one that executes, or is to, has priority 0, as the host's requests have;
 * - those that wait have different ones, in the order in which they are to run, below
 *   all that the host's requests can have. At equal ones i915 would let them take
 *   turns.
 *
 * i915 tells GVT-g that a context goes onto an engine, and GVT-g loads the vGPU's
 * registers, when the engine is about to be given the context. A workload that takes
 * another one's place directly would change the registers under that one. Therefore
 *
 * - nothing changes priorities while i915 could look at them, and a request that is
 *   added is made to wait before i915 sees it: i915's submission tasklet is
 *   disabled for that moment;
 * - nobody gets a higher priority than the workload that executes, except by a hand-over:
 *   a request of a context of GVT-g's own, the barrier, takes the workload off the
 *   engine, and while it executes nothing that depends on the registers does.
 *
 * After the reset of an engine i915 holds the request that hung back until it has
 * captured the error, and runs others meanwhile. That one's then goes first, lest i915
 * takes it off the engine by itself when it gives the other one back.
 *
 * A barrier cannot be called off. i915 resets an engine that has not switched to it
 * after preempt_timeout_ms, so this is raised for as long as there is one.
 *
 * Locking: the workloads in flight at an engine are changed by the engine's thread
 * alone, under sched_lock and mmio_context_lock, so that each of the three may look at
 * them. The rest is protected by sched_lock. Order: vgpu_lock, sched_lock, the lock
 * of the barrier's timeline, mmio_context_lock.
 */

/**
 * struct intel_gvt_dispatch - an engine, and what vGPUs have there
 * @gvt: the GVT device
 * @workload: what is in flight, by vGPU
 * @in_flight: how many of these there are
 * @held: the one of these that i915 held back when it left the engine, or NULL
 * @barrier_ce: context of the barriers, NULL if the engine cannot preempt
 * @barrier: the barrier of the hand-over under way, or NULL
 * @barrier_cb: tells when it has executed
 * @barrier_since: when it was added
 * @from_id: the id of the vGPU whose workload has to make way
 * @preempt_timeout_ms: what i915's setting was before
 */
struct intel_gvt_dispatch {
	struct intel_gvt *gvt;
	struct intel_vgpu_workload *workload[GVT_EXEC_VGPUS];
	int in_flight;
	const struct intel_vgpu_workload *held;

	struct intel_context *barrier_ce;
	struct i915_request *barrier;
	struct dma_fence_cb barrier_cb;
	u64 barrier_since;
	int from_id;
	unsigned long preempt_timeout_ms;
};

int intel_gvt_dispatch_init(struct intel_gvt *gvt);
void intel_gvt_dispatch_clean(struct intel_gvt *gvt);

void intel_gvt_dispatch_begin(struct intel_vgpu_workload *workload);
void intel_gvt_dispatch_add(struct intel_vgpu_workload *workload);
void intel_gvt_dispatch_end(struct intel_vgpu_workload *workload);

void intel_gvt_dispatch_started(const struct intel_vgpu_workload *workload);
void intel_gvt_dispatch_left(const struct intel_vgpu_workload *workload,
			     const struct i915_request *rq);

struct intel_vgpu_workload *intel_gvt_dispatch_find(struct intel_gvt *gvt,
						    const struct i915_request *rq);
struct intel_vgpu_workload *intel_gvt_dispatch_finished(struct intel_gvt *gvt,
							enum intel_engine_id engine);
bool intel_gvt_dispatch_busy(struct intel_gvt *gvt, enum intel_engine_id engine);
bool intel_gvt_dispatch_is_barrier(struct intel_gvt *gvt, const struct i915_request *rq);

bool intel_gvt_dispatch_can_preempt(struct intel_gvt *gvt, enum intel_engine_id engine);
void intel_gvt_dispatch_arrange(struct intel_gvt *gvt, enum intel_engine_id engine,
				struct intel_vgpu **order, int n);
bool intel_gvt_dispatch_hand_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				  struct intel_vgpu *from, struct intel_vgpu **order,
				  int n);
int intel_gvt_dispatch_handed_over(struct intel_gvt *gvt, enum intel_engine_id engine,
				   u64 *took_ns);

#endif /* _GVT_DISPATCH_H_ */
