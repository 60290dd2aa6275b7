/* SPDX-License-Identifier: GPL-2.0-only */
/* The one simulated GPU, and how long things take on its host */
#ifndef GVT_SIM_WORLD_H
#define GVT_SIM_WORLD_H

#include "gvt.h"

/**
 * struct sim_latencies - how long things take, in ns
 * @service: from a request for service until the service thread decides
 * @wake: from waking an engine's thread until it looks for work
 * @submit: from then until it submits a workload of another vGPU than before
 * @same: the same of the same vGPU
 * @start: from submission until the workload is on an engine that is free, or one that executes
 *	   something else knows that it is to make way
 * @added: from submission until the scheduler is told of it, where several can be at i915
 * @finish: from the end of execution until the completion, where dispatch is exclusive
 * @shared_finish: the same otherwise
 * @next: from then until the thread looks for work again
 * @barrier: how long the engine takes to hand over
 * @hand_over: from then until the service thread decides
 * @resume: how much longer a workload executes each time that it goes on after it was taken off
 * @guest: from a completion until a guest submits what had to wait for that
 * @timeslice: for how long i915 lets a workload execute while the host's has the same priority,
 *	       as it asks for; see end_of_timeslice()
 * @tick: of the kernel's timers; 0: they take as long as was asked for
 */
struct sim_latencies {
	u64 service;
	u64 wake;
	u64 submit;
	u64 same;
	u64 start;
	u64 added;
	u64 finish;
	u64 shared_finish;
	u64 next;
	u64 barrier;
	u64 hand_over;
	u64 resume;
	u64 guest;
	u64 timeslice;
	u64 tick;
};

extern struct sim_latencies sim_latency;

/**
 * struct sim_world - the GPU
 * @gvt: its GVT device
 * @vgpu: its vGPUs, by id; those whose @gvt is NULL do not exist
 * @set: the scheduler's settings, to be changed before sim_world_begin()
 * @host: the host has work of its own
 */
struct sim_world {
	struct intel_gvt gvt;
	struct intel_vgpu vgpu[GVT_MAX_VGPU];
	struct gvt_sched_settings set;
	bool host;
};

extern struct sim_world sim_world;

/**
 * sim_world_begin - make the GPU with its engines
 */
void sim_world_begin(void);

/**
 * sim_world_vgpu - make a vGPU; it takes part once sim_sched_start() is called
 * @id: 1 to GVT_MAX_VGPU - 1
 * @weight: of its type
 * @nice: its nice value
 * @cap: its cap in per cent, 0 for none
 */
struct intel_vgpu *sim_world_vgpu(int id, int weight, int nice, u32 cap);

/**
 * sim_world_tell - emit the events that tell of vGPUs, turns and queues, as info.c does
 */
void sim_world_tell(void);

/* What the simulation has in place of sched_policy.c */
void sim_sched_init(struct intel_gvt *gvt, const struct gvt_sched_settings *set);
void sim_sched_init_vgpu(struct intel_vgpu *vgpu);
void sim_sched_start(struct intel_vgpu *vgpu);
void sim_sched_decide(struct intel_gvt *gvt);

void sim_sched_timer(struct intel_gvt *gvt);
void sim_sched_enqueue(struct intel_vgpu_workload *workload);
void sim_sched_complete(struct intel_vgpu_workload *workload);
void sim_sched_drained(struct intel_gvt *gvt, enum intel_engine_id engine);
void sim_sched_added(struct intel_gvt *gvt, enum intel_engine_id engine);
bool sim_sched_is_shared(const struct intel_gvt *gvt);
bool sim_sched_preempts(const struct intel_vgpu *vgpu);
struct intel_vgpu *sim_sched_dispatch(struct intel_gvt *gvt, const struct intel_engine_cs *engine);

#endif
