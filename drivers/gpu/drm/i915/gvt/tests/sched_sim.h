/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SIM_H_
#define _GVT_SCHED_SIM_H_

#include <linux/prandom.h>

#include "../lane_state.h"
#include "sched_test.h"

/* The most workloads that a client can have queued */
#define SCHED_SIM_DEPTH 16

/* The vGPUs' streams on the engine, then their streams on the second engine, in the same order */
#define SCHED_SIM_STREAMS (2 * SCHED_TEST_VGPUS)

#define SCHED_SIM_BOOT_PAUSE_NS (500 * NSEC_PER_USEC)

/* Latency histograms, in us: log2 of the bins per power of two, number of powers, all bins */
#define SCHED_SIM_BINS_LOG2 8
#define SCHED_SIM_OCTAVES 24
#define SCHED_SIM_BINS (SCHED_SIM_OCTAVES << SCHED_SIM_BINS_LOG2)

/**
 * struct sched_sim_client - parameters of a stream of workloads
 * @exec_ns: least execution time of a workload
 * @spread_ns: upper bound of a random addition to @exec_ns or @other_ns
 * @other_every: one workload in this many takes @other_ns, as if of another context; 0 for none
 * @other_ns: execution time that replaces @exec_ns
 * @boots: number of workloads at the start that take @boot_ns, with pauses of
 *   %SCHED_SIM_BOOT_PAUSE_NS in between, as while a guest boots
 * @boot_ns: execution time of the first @boots workloads
 * @think_ns: least pause between the end of a workload and the next workload
 * @think_spread_ns: upper bound of a random addition to @think_ns or @rest_ns
 * @period_ns: if not 0, interval at which workloads are queued instead, finished or not
 * @jitter_ns: upper bound of a random addition to @period_ns
 * @burst: number of workloads after which the pause is @rest_ns instead; 0 for never
 * @rest_ns: least pause between bursts
 * @piece_ns: distance between the preemption points of a workload; 0 if a workload can be
 *   preempted anywhere
 * @start_ns: delay of the first workload
 * @depth: number of workloads queued at once; 0 for an idle vGPU
 * @runs_to_end: workloads cannot be preempted
 * @weight: weight of the vGPU's type; 0 for 2
 * @nice: nice value
 * @cap: cap in per cent; 0 for no limit
 */
struct sched_sim_client {
	u64 exec_ns;
	u64 spread_ns;
	u32 other_every;
	u64 other_ns;
	u32 boots;
	u64 boot_ns;
	u64 think_ns;
	u64 think_spread_ns;
	u64 period_ns;
	u64 jitter_ns;
	u32 burst;
	u64 rest_ns;
	u64 piece_ns;
	u64 start_ns;
	u32 depth;
	bool runs_to_end;
	u32 weight;
	int nice;
	u32 cap;
};

/**
 * struct sched_sim_vgpu - a vGPU's stream of workloads on one engine
 * @client: parameters of the stream
 * @queued: number of unfinished workloads, including the one that executes
 * @since: when each unfinished workload was queued, oldest first
 * @arrival: when further workloads will be queued; 0 for none
 * @came: number of workloads queued so far
 * @begun: number of workloads started so far
 * @at_engine_at: when the oldest workload reaches the engine; 0 if not submitted
 * @rest_ns: time that the oldest workload still needs on the engine; 0 if not started
 * @length_ns: execution time of the oldest workload, without switches
 * @begins_at: while the oldest workload is on the engine: end of the switch to that workload
 * @waits_since: when the vGPU last executed or, if later, got work
 * @least_left_ns: the smallest remainder of the vGPU's slice so far
 * @overhead_ns: time of the engine's switches to the vGPU; sched_sim_forget() clears
 *   this and all following members
 * @service_ns: execution time, including @overhead_ns
 * @idled_ns: idle time of the engine in the vGPU's turns while this and another vGPU had work
 * @done: number of finished workloads
 * @late: number of workloads with a latency above @late_ns of &struct sched_sim
 * @preempted: number of preemptions
 * @latency_ns: the longest latency
 * @latency_sum_ns: sum of all latencies
 * @bins: histogram of latencies
 * @wait_ns: the longest time that the vGPU waited for the engine
 */
struct sched_sim_vgpu {
	const struct sched_sim_client *client;
	u32 queued;
	u64 since[SCHED_SIM_DEPTH];
	u64 arrival[SCHED_SIM_DEPTH];
	u64 came;
	u64 begun;
	u64 at_engine_at;
	u64 rest_ns;
	u64 length_ns;
	u64 begins_at;
	u64 waits_since;
	s64 least_left_ns;
	u64 overhead_ns;
	u64 service_ns;
	u64 idled_ns;
	u64 done;
	u64 late;
	u64 preempted;
	u64 latency_ns;
	u64 latency_sum_ns;
	u32 bins[SCHED_SIM_BINS];
	u64 wait_ns;
};

/**
 * struct sched_sim - a simulated engine or, with exclusive dispatch, GPU
 * @test: the test
 * @t: the run queue and vGPUs under test
 * @lane: the lane under test
 * @rnd: state of the random number generator
 * @now: the simulated time
 * @submit_ns: time to submit a workload to the engine; initially 0
 * @submits_until: end of the last submission
 * @submits_beside_until: end of the last submission to the second engine
 * @switch_ns: time to switch the engine to another vGPU; initially 0
 * @vgpus: number of vGPUs
 * @streams: number of elements of @v that may be in use
 * @v: the vGPUs' streams on the engine, then their streams on the second engine
 * @beside: the stream that executes on the second engine; NULL for none
 * @ran_beside: the stream that executed there before
 * @used_ns: uncharged time in which each vGPU executed on any engine; only with exclusive
 *   dispatch
 * @running: the vGPU that executes; NULL for none
 * @ran: the vGPU that executed before
 * @first: the vGPU with which i915 continues when the engine is free; NULL for none
 * @parked: vGPUs whose workloads at the engine i915 is not to run
 * @off_at: when the executing workload will be preempted; 0 if not requested
 * @asked_at: when the preemption was requested
 * @tick: next tick
 * @late_ns: latency above which a workload is late
 * @busy_ns: execution time; sched_sim_forget() clears this and all following members
 * @beside_busy_ns: execution time on the second engine
 * @turn_ns: time in turns of vGPUs with work or, if decisions are made at ticks, in all turns
 * @contended_ns: time in which a vGPU with work was denied the engine for another vGPU
 * @held_ns: idle time while a vGPU was expected
 * @capped_ns: idle time while all vGPUs with work were throttled by caps
 * @wasted_ns: all other idle time while vGPUs had work
 * @wakeups: how often the lane's @wake_at was reached
 * @decisions: number of calls of gvt_lane_update()
 * @hand_overs: number of preemptions requested
 */
struct sched_sim {
	struct kunit *test;
	struct sched_test *t;
	struct gvt_lane lane;
	struct rnd_state rnd;
	u64 now;
	u64 submit_ns;
	u64 submits_until;
	u64 submits_beside_until;
	u64 switch_ns;
	u32 vgpus;
	u32 streams;
	struct sched_sim_vgpu v[SCHED_SIM_STREAMS];
	struct sched_sim_vgpu *beside;
	const struct sched_sim_vgpu *ran_beside;
	u64 used_ns[SCHED_TEST_VGPUS];
	struct gvt_sched_entity *running;
	const struct gvt_sched_entity *ran;
	struct gvt_sched_entity *first;
	bool parked[SCHED_TEST_VGPUS];
	u64 off_at;
	u64 asked_at;
	u64 tick;
	u64 late_ns;
	u64 busy_ns;
	u64 beside_busy_ns;
	u64 turn_ns;
	u64 contended_ns;
	u64 held_ns;
	u64 capped_ns;
	u64 wasted_ns;
	u64 wakeups;
	u64 decisions;
	u64 hand_overs;
};

struct sched_sim *sched_sim_new(struct kunit *test, enum gvt_sched_policy policy,
				enum gvt_sched_dispatch dispatch, u64 seed);
void sched_sim_start(struct sched_sim *s, const struct sched_sim_client *client);
void sched_sim_beside(struct sched_sim *s, u32 i, const struct sched_sim_client *client);
void sched_sim_run(struct sched_sim *s, u64 ns);
void sched_sim_forget(struct sched_sim *s);
void sched_sim_decide(struct sched_sim *s);
void sched_sim_use_policy(struct sched_sim *s, enum gvt_sched_policy policy);
void sched_sim_remove(struct sched_sim *s, u32 i);
void sched_sim_add(struct sched_sim *s, u32 i);
u64 sched_sim_random(struct sched_sim *s, u64 below);
u64 sched_sim_share(const struct sched_sim *s, u32 i, u64 ns);
u64 sched_sim_longest(const struct sched_sim *s, u32 i);
u64 sched_sim_bin_ns(u32 bin);
u64 sched_sim_latency(const struct sched_sim *s, u32 i, u32 per_mille);

#endif /* _GVT_SCHED_SIM_H_ */
