/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated GPU, and the latencies of its host */
#ifndef GVT_SIM_WORLD_H
#define GVT_SIM_WORLD_H

#include "gvt.h"

/**
 * struct sim_latencies - latencies and overheads, in ns
 * @service: from a request for service until the service thread decides
 * @wake: from the wakeup of an engine's thread until the thread looks for work
 * @submit: from then until the submission, if the previous workload was of another vGPU
 * @same: as @submit, if the previous workload was of the same vGPU
 * @start: from submission until a free engine executes the workload, or a busy engine knows that
 *	   it must preempt
 * @added: from submission until the scheduler is notified, where i915 can have several workloads
 * @finish: from the end of execution until completion, under exclusive dispatch
 * @shared_finish: as @finish, under other dispatch modes
 * @next: from then until the thread looks for work again
 * @barrier: execution time of the barrier with which an engine hands over
 * @hand_over: from then until the service thread decides
 * @resume: extra execution time of a workload each time that it resumes after a preemption
 * @guest: from a completion until the guest submits a workload that had to wait for it
 * @timeslice: time that i915 requests before it lets the host's work of the same priority preempt
 *	       a workload; see end_of_timeslice()
 * @tick: of the kernel's timers; 0: timers are exact
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
 * @vgpu: its vGPUs, by id; a vGPU without @gvt does not exist
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
 * sim_world_begin - create the GPU with its engines
 */
void sim_world_begin(void);

/**
 * sim_world_vgpu - create a vGPU, which is scheduled after sim_sched_start()
 * @id: 1 to GVT_MAX_VGPU - 1
 * @weight: of its type
 * @nice: its nice value
 * @cap: its cap in per cent, 0 for none
 */
struct intel_vgpu *sim_world_vgpu(int id, int weight, int nice, u32 cap);

/**
 * sim_world_tell - emit the events that report vGPUs, turns and queues, as info.c does
 */
void sim_world_tell(void);

/* Replacements for sched_policy.c */
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
