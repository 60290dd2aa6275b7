/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_SIM_H_
#define _GVT_SCHED_SIM_H_

#include <linux/prandom.h>

#include "sched_test.h"

/* Workloads that a client may have queued at once */
#define SCHED_SIM_DEPTH 4

/**
 * struct sched_sim_client - what one vGPU does
 * @exec_ns: execution time of each workload
 * @spread_ns: and as much more at most, at random
 * @think_ns: pause between the end of a workload and the next one
 * @period_ns: or, if not 0, from one workload to the next, whether it ended or not
 * @depth: how many workloads it has queued at once; 0 for a vGPU that does nothing
 * @weight: of its type; 0 for 2
 * @nice: its nice value
 * @cap: its cap in per cent
 */
struct sched_sim_client {
	u64 exec_ns;
	u64 spread_ns;
	u64 think_ns;
	u64 period_ns;
	u32 depth;
	u32 weight;
	int nice;
	u32 cap;
};

/**
 * struct sched_sim_vgpu - a client at work
 * @client: what it does
 * @queued: its workloads, with the one that executes
 * @since: when each of them was queued, oldest first
 * @arrival: when each of the others will be, 0 for none
 * @service_ns: execution time of those that ended
 * @done: how many ended
 * @late: how many took longer than @late_ns of the simulation
 * @latency_ns: the longest time from queue to end
 * @wait_ns: the longest time that the vGPU waited for its turn
 */
struct sched_sim_vgpu {
	const struct sched_sim_client *client;
	u32 queued;
	u64 since[SCHED_SIM_DEPTH];
	u64 arrival[SCHED_SIM_DEPTH];
	u64 service_ns;
	u64 done;
	u64 late;
	u64 latency_ns;
	u64 wait_ns;
};

/**
 * struct sched_sim - a GPU that executes one workload at a time to its end
 * @test: the test
 * @t: the code under test
 * @rnd: random numbers
 * @now: the time
 * @vgpus: how many there are
 * @v: they
 * @executing: whose workload executes, negative for nobody's
 * @started_at: since when
 * @done_at: until when
 * @wake_at: when to ask again, 0 for not before something happens
 * @next: whose turn is next, once that workload has ended (strict)
 * @has_next: whether that is decided
 * @tick: next tick (strict)
 * @late_ns: which latency is late
 * @busy_ns: time in which it executed
 * @turn_ns: time in which it was someone's turn who had work
 * @held_ns: time in which it did not because somebody was expected
 * @capped_ns: or because all who had work were held back by their caps
 * @wasted_ns: or for another reason, while there was work
 * @wakeups: how often @wake_at was reached
 */
struct sched_sim {
	struct kunit *test;
	struct sched_test *t;
	struct rnd_state rnd;
	u64 now;
	u32 vgpus;
	struct sched_sim_vgpu v[SCHED_TEST_VGPUS];
	int executing;
	u64 started_at;
	u64 done_at;
	u64 wake_at;
	struct gvt_sched_entity *next;
	bool has_next;
	u64 tick;
	u64 late_ns;
	u64 busy_ns;
	u64 turn_ns;
	u64 held_ns;
	u64 capped_ns;
	u64 wasted_ns;
	u64 wakeups;
};

struct sched_sim *sched_sim_new(struct kunit *test, enum gvt_sched_policy policy, u64 seed);
void sched_sim_start(struct sched_sim *s, const struct sched_sim_client *client);
void sched_sim_run(struct sched_sim *s, u64 ns);
void sched_sim_forget(struct sched_sim *s);
void sched_sim_decide(struct sched_sim *s);
void sched_sim_remove(struct sched_sim *s, u32 i);
void sched_sim_add(struct sched_sim *s, u32 i);
u64 sched_sim_random(struct sched_sim *s, u64 below);
u64 sched_sim_share(const struct sched_sim *s, u32 i, u64 ns);

#endif /* _GVT_SCHED_SIM_H_ */
