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
 * workload of each vGPU, and runs the one with the highest priority:
 *
 * - the workload that executes, or is to execute, has priority 0, like the host's requests,
 *   or -1 if the administrator lets the host go first;
 * - each waiting workload has its own priority, in the order in which they are to run,
 *   below all priorities that the host's requests can have. i915 would time-slice
 *   workloads of equal priority.
 *
 * i915 notifies GVT-g before it gives a context to an engine, and GVT-g then loads the
 * vGPU's registers. If a workload directly replaced an executing one, GVT-g would overwrite
 * registers that are in use. Therefore
 *
 * - priorities change only while i915 cannot look at them, and a new request gets the
 *   priority of a waiting one before i915 sees it: GVT-g holds the lock of i915's
 *   submission tasklet meanwhile;
 * - no workload gets a higher priority than the executing one, except by a hand-over: a
 *   request of a context of GVT-g's own, the barrier, preempts the workload, and nothing
 *   that depends on the registers executes while the barrier does.
 *
 * If i915 already has a second context when the first one leaves the engine, i915 reports
 * the start of the second before the end of the first. GVT-g therefore saves the register
 * values that belong to a vGPU when i915 is about to give the engine another context. A
 * guest reads the registers themselves only while no other context was given to the engine
 * after the guest's workload, and the saved values otherwise.
 *
 * After an engine reset, i915 holds back the request that hung until i915 has captured the
 * error, and runs other requests meanwhile. A workload started meanwhile then goes first, so
 * that i915 does not preempt this workload on releasing the request that hung.
 *
 * A barrier cannot be withdrawn, but the order of the workloads behind it can be changed until
 * the barrier has executed. i915 resets an engine that has not switched to the barrier within
 * preempt_timeout_ms, so GVT-g raises this time-out while there is a barrier.
 *
 * i915 still has a preempted workload, and runs the workload again as soon as the engine has
 * nothing else to do. If the workload would then delay a vGPU that is expected back at once,
 * GVT-g parks the workload: moves its request to the list of requests that i915 does not look
 * at, as i915 itself does with requests that hung. Only workloads that are not on the engine
 * are parked, and only while it is not their vGPU's turn.
 *
 * GVT-g cancels a workload that does not finish in time as i915 cancels requests: an error is
 * set, so that the workload does nothing when the engine gets it; if the workload is on the
 * engine already, the engine has to drop it, by a reset if necessary. A cancelled workload
 * does not depend on the registers, so it goes before all others without a barrier.
 *
 * Locking: only an engine's thread changes the workloads in flight on the engine, holding both
 * sched_lock and mmio_context_lock; other threads need either lock to read them. @on_engine and
 * @held change under mmio_context_lock; sched_lock protects the rest.
 * Lock order: vgpu_lock, sched_lock, the lock of the barrier's timeline, mmio_context_lock.
 */

/**
 * struct intel_gvt_dispatch - an engine and the vGPUs' workloads in flight on it
 * @gvt: the GVT device
 * @workload: workloads in flight, by vGPU
 * @parked: vGPUs whose workload is parked
 * @in_flight: number of workloads in flight
 * @on_engine: the workload in flight that the engine was given last; NULL if the engine was
 *   given another context since, or if the workload has left
 * @held: the workload in flight that i915 held back when it left the engine, or NULL
 * @barrier_ce: context of the barriers, NULL if the engine cannot preempt
 * @barrier: the barrier of the hand-over under way, or NULL
 * @barrier_cb: notifies GVT-g when the barrier has executed
 * @barrier_since: when the barrier was added
 * @from_id: id of the vGPU that is being preempted
 * @cancelled: number of cancelled workloads in flight
 * @cancel_work: makes the engine drop cancelled workloads
 * @raised: i915's preempt_timeout_ms is raised
 * @preempt_timeout_ms: i915's preempt_timeout_ms before it was raised
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
 * struct intel_gvt_dispatch_total - totals of all engines
 * @in_flight: number of workloads in flight
 * @of_vgpu: number of workloads in flight, by vGPU
 * @hand_overs: number of hand-overs under way
 * @shared: several vGPUs may have workloads in flight on an engine
 * @host_first: the host's requests go before the workload that executes or is to execute
 *
 * Protected by sched_lock, without which the context-status notifier reads @shared, and the
 * engines' threads read @host_first.
 */
struct intel_gvt_dispatch_total {
	int in_flight;
	int of_vgpu[GVT_EXEC_VGPUS];
	int hand_overs;
	bool shared;
	bool host_first;
};

/**
 * struct gvt_dispatch_order - the order in which workloads are to run
 * @vgpu: the vGPUs whose requests i915 has, the first one to run first
 * @n: number of vGPUs
 * @ready: number of vGPUs, from the first on, that may run when the engine has nothing else
 *   to do; the engine is kept idle rather than given to the others
 */
struct gvt_dispatch_order {
	struct intel_vgpu *vgpu[GVT_EXEC_VGPUS];
	int n, ready;
};

#endif /* _GVT_DISPATCH_TYPES_H_ */
