/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SIM_H_
#define _GVT_SCHED_SIM_H_

#include <linux/prandom.h>

#include "sched_test.h"

/* Workloads that a client may have queued at once */
#define SCHED_SIM_DEPTH 16

/* The vGPUs' streams on the engine, then, at the same places, those on the other one */
#define SCHED_SIM_STREAMS (2 * SCHED_TEST_VGPUS)

#define SCHED_SIM_BOOT_PAUSE_NS (500 * NSEC_PER_USEC)

/* Latencies are counted in so many bins per power of two, from 1 us on */
#define SCHED_SIM_BINS_LOG2 8
#define SCHED_SIM_OCTAVES 24
#define SCHED_SIM_BINS (SCHED_SIM_OCTAVES << SCHED_SIM_BINS_LOG2)

/**
 * struct sched_sim_client - what one vGPU does
 * @exec_ns: execution time of each workload
 * @spread_ns: and as much more at most, at random
 * @other_every: each so manieth takes @other_ns instead, as of another context; 0 for none
 * @other_ns: execution time of these
 * @boots: so many of its first workloads take @boot_ns instead, and come after pauses of
 *   %SCHED_SIM_BOOT_PAUSE_NS, as while a guest boots
 * @boot_ns: execution time of these
 * @think_ns: pause between the end of a workload and the next one
 * @think_spread_ns: and as much more at most, at random
 * @period_ns: or, if not 0, from one workload to the next, whether it ended or not
 * @jitter_ns: and as much more at most, at random
 * @burst: after so many workloads there is a pause of @rest_ns instead; 0 for never
 * @rest_ns: that pause
 * @piece_ns: distance of the points at which a workload can be preempted;
 *   0 for anywhere
 * @start_ns: when it begins
 * @depth: how many workloads it has queued at once; 0 for a vGPU that does nothing
 * @runs_to_end: its workloads must not be preempted
 * @weight: of its type; 0 for 2
 * @nice: its nice value
 * @cap: its cap in per cent
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
 * struct sched_sim_vgpu - a client at work
 * @client: what it does
 * @queued: its workloads, with the one that has begun
 * @since: when each of them was queued, oldest first
 * @arrival: when each of the others will be, 0 for none
 * @came: how many were queued in all
 * @begun: how many began
 * @at_engine_at: when the oldest one is at the engine, 0 if nobody sees to that
 * @rest_ns: what the oldest one still has to execute, 0 if it has not begun
 * @length_ns: what it has to execute in all, without what it takes to get onto the engine
 * @begins_at: when it is on the engine, if it has that
 * @waits_since: since when the vGPU waits, or executed last
 * @least_left_ns: the least that was ever left of its slice
 * @overhead_ns: time for which it had the engine to get onto it; sched_sim_forget()
 *   forgets this and all that follows
 * @service_ns: execution time
 * @idled_ns: time for which the engine idled in its turn, while it and another one had work
 * @done: how many workloads ended
 * @late: how many took longer than @late_ns of the simulation
 * @preempted: how often one was preempted
 * @latency_ns: the longest time from queue to end
 * @latency_sum_ns: all of them
 * @bins: workloads by that
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
 * struct sched_sim - an engine, and in exclusive dispatch the GPU
 * @test: the test
 * @t: the code under test
 * @rnd: random numbers
 * @now: the time
 * @submit_ns: how long it takes to get a workload to the engine; 0 at first
 * @submits_until: until when one is on its way there
 * @switch_ns: how long it takes the engine to change to another vGPU; 0 at first
 * @vgpus: how many there are
 * @streams: so many of @v may be in use
 * @v: they, and what they do on the other engine
 * @beside: the workload that executes on the other engine, NULL for none
 * @ran_beside: which did before
 * @used_ns: how long each vGPU executed on any engine, and was not charged for; with exclusive
 *   dispatch only
 * @running: whose workload executes, NULL for nobody's
 * @ran: whose did before
 * @running_since: since when
 * @next: whose turn is next, once the engine is free for it
 * @has_next: whether that is decided, and nothing more goes to the engines before
 * @patient: it waits for the end of the present workload
 * @off_at: when the workload that executes has made way, 0 if it need not
 * @asked_at: when it was asked to
 * @wake_at: when to ask again, 0 for not before something happens
 * @tick: next tick
 * @late_ns: which latency is late
 * @busy_ns: time in which it executed; sched_sim_forget() forgets this and all that follows
 * @beside_busy_ns: time in which the other engine did
 * @turn_ns: time in which it was someone's turn who had work
 * @contended_ns: time in which one who had work was kept from it by another one
 * @held_ns: time in which it did not because somebody was expected
 * @capped_ns: or because all who had work were held back by their caps
 * @wasted_ns: or for another reason, while there was work
 * @wakeups: how often @wake_at was reached
 * @decisions: how often it was asked who shall run
 * @hand_overs: how often a workload was asked to make way
 */
struct sched_sim {
	struct kunit *test;
	struct sched_test *t;
	struct rnd_state rnd;
	u64 now;
	u64 submit_ns;
	u64 submits_until;
	u64 switch_ns;
	u32 vgpus;
	u32 streams;
	struct sched_sim_vgpu v[SCHED_SIM_STREAMS];
	struct sched_sim_vgpu *beside;
	const struct sched_sim_vgpu *ran_beside;
	u64 used_ns[SCHED_TEST_VGPUS];
	struct gvt_sched_entity *running;
	const struct gvt_sched_entity *ran;
	u64 running_since;
	struct gvt_sched_entity *next;
	bool has_next;
	bool patient;
	u64 off_at;
	u64 asked_at;
	u64 wake_at;
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
void sched_sim_remove(struct sched_sim *s, u32 i);
void sched_sim_add(struct sched_sim *s, u32 i);
u64 sched_sim_random(struct sched_sim *s, u64 below);
u64 sched_sim_share(const struct sched_sim *s, u32 i, u64 ns);
u64 sched_sim_longest(const struct sched_sim *s, u32 i);
u64 sched_sim_bin_ns(u32 bin);
u64 sched_sim_latency(const struct sched_sim *s, u32 i, u32 per_mille);

#endif /* _GVT_SCHED_SIM_H_ */
