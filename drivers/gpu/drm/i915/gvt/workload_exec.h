/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_WORKLOAD_EXEC_H_
#define _GVT_WORKLOAD_EXEC_H_

#include <linux/spinlock.h>
#include <linux/types.h>

#include "gt/intel_engine_types.h"

#include "exec_trace.h"

struct i915_request;
struct intel_context;
struct intel_gvt;
struct intel_vgpu;
struct intel_vgpu_workload;

/* One more than the largest vGPU id, as GVT_MAX_VGPU */
#define GVT_EXEC_VGPUS 8

/* Id of the host, which no vGPU but the idle one has */
#define GVT_EXEC_HOST 0

/* An idle engine, and a context that is neither the host's nor a vGPU's */
#define GVT_EXEC_NOBODY (-1)
#define GVT_EXEC_OTHER (-2)

/**
 * struct gvt_exec_had - how long an engine has worked for whom
 * @ns: the host and each vGPU id, since kvmgt was loaded; vGPUs can have had an id in turn
 */
struct gvt_exec_had {
	u64 ns[GVT_EXEC_VGPUS];
};

/**
 * DOC: execution on the engines
 *
 * i915 can give a context to an engine while another context still executes there, until the
 * commands of the latter reach a preemption point. A context begins to execute when its
 * predecessor has left. i915 learns of both when it processes the engine's reports, and GVT-g
 * looks at the result whenever i915 calls the context-status notifier, as i915 does for each
 * context that leaves. GVT-g misses a stay of the host that begins and ends between two such
 * calls.
 *
 * All contexts that belong neither to a vGPU nor to GVT-g itself count as the host's, including
 * i915's own.
 */

/**
 * struct intel_gvt_exec_slot - copy of the data of a vGPU's workload at i915
 * @ctx: fence context of the workload's request
 * @workload_id: the workload's id
 * @seqno: seqno of the workload's request
 * @lrca: low word of the context's descriptor, once the workload has executed
 * @vgpu_id: id of the vGPU
 * @rq: the request while the engine has its context, and i915 so holds a reference, else NULL
 * @began: the workload has executed since the engine was last given its context
 * @started_ns: when the workload first executed, 0 if it has not yet
 * @exec_ns: execution time until the workload last left the engine
 * @running_since_ns: when the workload last began to execute, 0 while it does not execute
 * @preempted_ns: when the workload was last preempted, 0 if it was not
 * @handover_ns: when the preemption of another context for the workload began, 0 if none did
 * @had: who had the engine for how long before @started_ns
 *
 * The host has a slot, too, in which @vgpu_id is the vGPU that has to leave the engine for the
 * host, or 0, and @started_ns is when the host's contexts last began to execute.
 */
struct intel_gvt_exec_slot {
	u64 ctx;
	u64 workload_id;
	u32 seqno;
	u32 lrca;
	u32 vgpu_id;
	const struct i915_request *rq;
	bool began;
	u64 started_ns;
	u64 exec_ns;
	u64 running_since_ns;
	u64 preempted_ns;
	u64 handover_ns;
	struct gvt_exec_had had;
};

/**
 * struct intel_gvt_exec_engine - execution counters of a vGPU or the host for an engine
 * @exec_ns: execution time until the vGPU or host last left the engine
 * @off_ns: time that preempted workloads waited to continue
 * @handover_ns: time that other contexts took to leave the engine
 * @preempted: number of preemptions, which include resets of the engine
 */
struct intel_gvt_exec_engine {
	u64 exec_ns;
	u64 off_ns;
	u64 handover_ns;
	u32 preempted;
};

/**
 * struct intel_gvt_exec_clock - execution time of a vGPU or the host
 * @engine: counters for each engine
 * @any_ns: execution time on at least one engine, until the vGPU or host last left all engines
 * @any_since_ns: when execution on at least one engine began, if @running is not 0
 * @running: number of engines that execute for the vGPU or host
 */
struct intel_gvt_exec_clock {
	struct intel_gvt_exec_engine engine[I915_NUM_ENGINES];
	u64 any_ns;
	u64 any_since_ns;
	u32 running;
};

/**
 * struct intel_gvt_exec - the table of workloads at i915, for the context-status notifier
 * @lock: protects all other members; taken in hard and soft interrupts. Read the clock with
 *   @lock held: with a time from before waiting for @lock, counters could run backwards.
 * @slot: by engine and vGPU: a shadow context has one request in flight
 * @clock: by vGPU
 * @had_ns: by engine and vGPU id: how long the engine has worked for it, minus the time when this
 *   stay on the engine began, so negative during a stay. Readers need no lock: perf reads in NMIs
 * @occupant: by engine: id of the vGPU that executes, or %GVT_EXEC_HOST,
 *   %GVT_EXEC_NOBODY or %GVT_EXEC_OTHER
 * @changed_ns: by engine: when @occupant last changed
 * @own_ce: by engine: GVT-g's own context, which does not count as the host's, or NULL
 * @vgpus: number of engines on which vGPUs execute
 * @host_stays: how often the host has left an engine
 * @host_alone_ns: how long the host executed on any engine while no vGPU did
 * @host_alone_since_ns: since when the host executes and no vGPU does, 0 if otherwise
 *
 * The notifier can run while the workload of the context that it reports completes, so it must
 * not follow a pointer to the workload. Instead, it finds the workload's ids in this table by
 * the request's context and seqno.
 */
struct intel_gvt_exec {
	spinlock_t lock; /* protects the rest */
	struct intel_gvt_exec_slot slot[I915_NUM_ENGINES][GVT_EXEC_VGPUS];
	struct intel_gvt_exec_clock clock[GVT_EXEC_VGPUS];
	s64 had_ns[I915_NUM_ENGINES][GVT_EXEC_VGPUS];
	int occupant[I915_NUM_ENGINES];
	u64 changed_ns[I915_NUM_ENGINES];
	const struct intel_context *own_ce[I915_NUM_ENGINES];
	u32 vgpus;
	u32 host_stays;
	u64 host_alone_ns;
	u64 host_alone_since_ns;
};

void intel_gvt_exec_init(struct intel_gvt_exec *exec);
void intel_gvt_exec_submit(const struct intel_vgpu_workload *workload);
void intel_gvt_exec_given(struct intel_gvt *gvt, const struct i915_request *rq);
void intel_gvt_exec_left(struct intel_gvt *gvt, const struct i915_request *rq);
void intel_gvt_exec_finish(const struct intel_vgpu_workload *workload,
			   struct intel_gvt_exec_slot *slot);

void intel_vgpu_exec_reset(struct intel_vgpu *vgpu);
u64 intel_vgpu_exec_any_ns(struct intel_vgpu *vgpu);
u64 intel_vgpu_exec_engine_ns(struct intel_vgpu *vgpu, enum intel_engine_id engine);
struct intel_gvt_exec_engine intel_vgpu_exec_engine(struct intel_vgpu *vgpu,
						    enum intel_engine_id engine);

u64 intel_gvt_exec_had_ns(const struct intel_gvt_exec *exec, enum intel_engine_id engine,
			  int id, u64 now);
struct gvt_exec_had intel_gvt_exec_had(const struct intel_gvt_exec *exec,
				       enum intel_engine_id engine, u64 now);

struct intel_gvt_exec_engine intel_gvt_exec_host_now(struct intel_gvt_exec *exec,
						     enum intel_engine_id engine);
struct intel_gvt_exec_engine intel_gvt_exec_host(struct intel_gvt *gvt,
						 enum intel_engine_id engine);
u64 intel_gvt_exec_host_alone_ns(struct intel_gvt *gvt);

bool intel_gvt_exec_is_given(struct intel_gvt *gvt, enum intel_engine_id engine, int vgpu_id);
void intel_gvt_exec_handover(struct intel_vgpu *vgpu, enum intel_engine_id engine,
			     u64 now);

/**
 * gvt_exec_slot_ns - execution time of a workload
 * @slot: the workload
 * @now: the time
 *
 * Return: the time in ns, up to now if the workload is executing.
 */
static inline u64 gvt_exec_slot_ns(const struct intel_gvt_exec_slot *slot, u64 now)
{
	return slot->exec_ns +
	       (slot->running_since_ns ? now - slot->running_since_ns : 0);
}

#endif /* _GVT_WORKLOAD_EXEC_H_ */
