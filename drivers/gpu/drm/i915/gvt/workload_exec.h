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

/* The host has the id that no vGPU has */
#define GVT_EXEC_HOST 0

/* Of engines on which nobody executes, or a context that is neither the host's nor a vGPU's */
#define GVT_EXEC_NOBODY (-1)
#define GVT_EXEC_OTHER (-2)

/**
 * DOC: who executes
 *
 * i915 gives a context to an engine while another one executes there: that one has to make
 * way first, which takes as long as its commands let it. A context executes from when the
 * one before it has left. i915 knows both when it looks at what the engine has reported, and
 * GVT-g looks at that whenever the context-status notifier is called: it is, for each context
 * that leaves. A stay of the host that begins and ends between two looks is not seen.
 *
 * All that is neither a vGPU's nor GVT-g's own is the host's, i915's own contexts among it.
 */

/**
 * struct intel_gvt_exec_slot - the workload that a vGPU has at i915, by value
 * @ctx: fence context of the workload's request
 * @workload_id: the workload's id
 * @seqno: seqno of the workload's request
 * @lrca: low word of the context's descriptor, once it has executed
 * @vgpu_id: id of the vGPU
 * @rq: the request while i915 has its context on the engine, and so holds it, else NULL
 * @began: it has executed since it was given to the engine last
 * @started_ns: when the context first executed, 0 if it did not yet
 * @exec_ns: for how long it did, up to when it last left the engine
 * @running_since_ns: since when it executes, 0 while it does not
 * @taken_off_ns: when it was last taken off unfinished, 0 if it was not
 * @handover_ns: when others began to make way for it, 0 if they need not
 *
 * The host has one, too, in which @vgpu_id is the vGPU that has to make way for it, or 0, and
 * @started_ns is when its contexts began, up to the present stop.
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
	u64 taken_off_ns;
	u64 handover_ns;
};

/**
 * struct intel_gvt_exec_engine - what a vGPU or the host did on an engine
 * @exec_ns: for how long it executed, up to when it last left the engine
 * @off_ns: for how long workloads were off the engine that had begun
 * @handover_ns: for how long others were making way for it
 * @taken_off: how often a workload was taken off unfinished
 */
struct intel_gvt_exec_engine {
	u64 exec_ns;
	u64 off_ns;
	u64 handover_ns;
	u32 taken_off;
};

/**
 * struct intel_gvt_exec_clock - how long a vGPU or the host executed
 * @engine: on each engine
 * @any_ns: on at least one engine, up to when it last left all engines
 * @any_since_ns: since when it is on at least one engine, if @running is not 0
 * @running: on how many engines it is
 */
struct intel_gvt_exec_clock {
	struct intel_gvt_exec_engine engine[I915_NUM_ENGINES];
	u64 any_ns;
	u64 any_since_ns;
	u32 running;
};

/**
 * struct intel_gvt_exec - the workloads at i915, for the context-status notifier
 * @lock: protects the rest; taken in hard and soft interrupts. Read the time under it: counters
 *   that are read while somebody waits for it with an older time would run backwards.
 * @slot: by engine and vGPU: a shadow context has one request in flight
 * @clock: by vGPU
 * @occupant: by engine: who executes, the id of a vGPU, or one of %GVT_EXEC_HOST,
 *   %GVT_EXEC_NOBODY and %GVT_EXEC_OTHER
 * @changed_ns: by engine: when @occupant last changed
 * @own_ce: by engine: a context of GVT-g's own, which is not the host's, or NULL
 * @vgpus: on how many engines vGPUs execute
 * @host_stays: how often the host has left an engine
 * @host_alone_ns: for how long the host executed and no vGPU did, on any engine
 * @host_alone_since_ns: since when that is so, 0 while it is not
 *
 * The notifier runs concurrently with the completion of the workload whose
 * context it is told about, so that it must not follow a pointer to the
 * workload. It finds the ids here by the request's context and seqno instead.
 */
struct intel_gvt_exec {
	spinlock_t lock; /* protects the rest */
	struct intel_gvt_exec_slot slot[I915_NUM_ENGINES][GVT_EXEC_VGPUS];
	struct intel_gvt_exec_clock clock[GVT_EXEC_VGPUS];
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

struct intel_gvt_exec_engine intel_gvt_exec_host_now(struct intel_gvt_exec *exec,
						     enum intel_engine_id engine);
struct intel_gvt_exec_engine intel_gvt_exec_host(struct intel_gvt *gvt,
						 enum intel_engine_id engine);
u64 intel_gvt_exec_host_alone_ns(struct intel_gvt *gvt);

bool intel_gvt_exec_is_given(struct intel_gvt *gvt, enum intel_engine_id engine, int vgpu_id);
void intel_gvt_exec_handover(struct intel_vgpu *vgpu, enum intel_engine_id engine,
			     u64 now);

/**
 * gvt_exec_slot_ns - for how long a workload has executed
 * @slot: the workload
 * @now: the time
 *
 * Return: the time in ns, up to now if it is on the engine.
 */
static inline u64 gvt_exec_slot_ns(const struct intel_gvt_exec_slot *slot, u64 now)
{
	return slot->exec_ns +
	       (slot->running_since_ns ? now - slot->running_since_ns : 0);
}

#endif /* _GVT_WORKLOAD_EXEC_H_ */
