/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_DISPATCH_TYPES_H_
#define _GVT_DISPATCH_TYPES_H_

#include <linux/bitmap.h>
#include <linux/dma-fence.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "workload_exec.h"

struct i915_request;
struct intel_context;
struct intel_gvt;
struct intel_vgpu;
struct intel_vgpu_workload;

/**
 * DOC: workloads at i915
 *
 * With exclusive dispatch i915 has one workload per engine. Otherwise it can have one
 * of each vGPU, and runs that with the highest priority:
 *
 * - the one that executes, or is to, has priority 0, as the host's requests have, or, if
 *   the administrator lets the host go first, 1 less;
 * - those that wait have different ones, in the order in which they are to run, below
 *   all that the host's requests can have. At equal ones i915 would let them take
 *   turns.
 *
 * i915 tells GVT-g that a context goes onto an engine, and GVT-g loads the vGPU's
 * registers, when the engine is about to be given the context. A workload that takes
 * another one's place directly would change the registers under that one. Therefore
 *
 * - nothing changes priorities while i915 could look at them, and a request that is
 *   added is made to wait before i915 sees it: GVT-g has the lock of i915's
 *   submission tasklet for that moment;
 * - nobody gets a higher priority than the workload that executes, except by a hand-over:
 *   a request of a context of GVT-g's own, the barrier, takes the workload off the
 *   engine, and while it executes nothing that depends on the registers does.
 *
 * Of two contexts in a row i915 tells of the beginning of the second before the end of
 * the first, if it knew of the second by then. What the engine's registers say of a vGPU
 * is therefore read when the engine is about to be given another context. A guest is shown
 * the registers themselves only while nothing was given to the engine after its workload,
 * and what was saved otherwise.
 *
 * After the reset of an engine i915 holds the request that hung back until it has
 * captured the error, and runs others meanwhile. That one's then goes first, lest i915
 * takes it off the engine by itself when it gives the other one back.
 *
 * A barrier cannot be called off, but until it has executed the order of those that wait
 * behind it can be changed. i915 resets an engine that has not switched to it
 * after preempt_timeout_ms, so this is raised for as long as there is one.
 *
 * A workload that was taken off the engine is still i915's, which gives it back as soon as
 * the engine has nothing else to do. If it would then keep the engine for long from a vGPU
 * that is expected back at once, it is parked: put onto the list of requests that i915
 * does not look at, as i915 itself does with what hung. Only what is not on the engine is
 * parked, and only while the lane is not its vGPU's.
 *
 * A workload that is waited for in vain is cancelled in the way that i915 cancels
 * requests: with an error set, it does nothing when it is given to the engine, and if it
 * is there, the engine is made to take it off, if need be by a reset. As it depends on no
 * register then, either, it goes before all others without a barrier.
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
 * @parked: the vGPUs of those of these that i915 is kept from
 * @in_flight: how many of these there are
 * @on_engine: the one of these that the engine was given last, NULL when another
 *   context was since, or when it has left
 * @held: the one of these that i915 held back when it left the engine, or NULL
 * @barrier_ce: context of the barriers, NULL if the engine cannot preempt
 * @barrier: the barrier of the hand-over under way, or NULL
 * @barrier_cb: tells when it has executed
 * @barrier_since: when it was added
 * @from_id: the id of the vGPU whose workload has to make way
 * @cancelled: how many of those in flight are cancelled
 * @cancel_work: makes the engine take them off
 * @raised: i915's preempt_timeout_ms is raised
 * @preempt_timeout_ms: what it was before
 */
struct intel_gvt_dispatch {
	struct intel_gvt *gvt;
	struct intel_vgpu_workload *workload[GVT_EXEC_VGPUS];
	DECLARE_BITMAP(parked, GVT_EXEC_VGPUS);
	int in_flight;
	struct intel_vgpu_workload *on_engine;
	const struct intel_vgpu_workload *held;

	struct intel_context *barrier_ce;
	struct i915_request *barrier;
	struct dma_fence_cb barrier_cb;
	u64 barrier_since;
	int from_id;

	int cancelled;
	struct work_struct cancel_work;

	bool raised;
	unsigned long preempt_timeout_ms;
};

/**
 * struct intel_gvt_dispatch_total - what all engines have
 * @in_flight: how many workloads are in flight
 * @of_vgpu: of these, by vGPU
 * @hand_overs: how many hand-overs are under way
 * @shared: several vGPUs may have workloads at an engine
 * @host_first: the host's requests go before the workload that executes or is to
 *
 * Protected by sched_lock; the context-status notifier reads @shared without, the engines'
 * threads @host_first.
 */
struct intel_gvt_dispatch_total {
	int in_flight;
	int of_vgpu[GVT_EXEC_VGPUS];
	int hand_overs;
	bool shared;
	bool host_first;
};

/**
 * struct gvt_dispatch_order - in which order workloads are to run
 * @vgpu: the vGPUs whose requests i915 has, the first one to run first
 * @n: how many
 * @ready: so many of them may run when the engine has nothing else to do; it is kept
 *   idle rather than given to the others
 */
struct gvt_dispatch_order {
	struct intel_vgpu *vgpu[GVT_EXEC_VGPUS];
	int n, ready;
};

#endif /* _GVT_DISPATCH_TYPES_H_ */
