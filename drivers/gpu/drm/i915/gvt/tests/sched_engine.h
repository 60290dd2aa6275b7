/* SPDX-License-Identifier: GPL-2.0-only */

#ifndef _GVT_SCHED_ENGINE_H_
#define _GVT_SCHED_ENGINE_H_

#include <linux/prandom.h>

#include "sched_test.h"

/* Workloads that a client may have queued at once */
#define SCHED_ENGINE_DEPTH 4

/**
 * struct sched_engine_client - what one vGPU does
 * @exec_ns: execution time of each workload
 * @spread_ns: and as much more at most, at random
 * @think_ns: pause between the end of a workload and the next one
 * @depth: how many workloads it has queued at once, 0 for a vGPU that does nothing
 * @runs_to_end: its workloads cannot be taken off the engine
 * @weight: of its type; 0 for 2
 * @nice: its nice value
 * @cap: its cap in per cent
 */
struct sched_engine_client {
	u64 exec_ns;
	u64 spread_ns;
	u64 think_ns;
	u32 depth;
	bool runs_to_end;
	u32 weight;
	int nice;
	u32 cap;
};

/**
 * struct sched_engine_vgpu - a client at work
 * @client: what it does
 * @queued: its workloads, with the one that has begun
 * @since: when each of them was queued, oldest first
 * @arrival: when each of the others will be, 0 for none
 * @rest_ns: what the oldest one still has to execute, 0 if it has not begun
 * @waits_since: since when it waits, or executed last
 * @service_ns: execution time
 * @done: how many workloads ended
 * @preempted: how often one was taken off the engine
 * @latency_ns: the longest time from queue to end
 * @wait_ns: the longest time that it waited for the engine
 * @least_left_ns: the least that was ever left of its slice
 */
struct sched_engine_vgpu {
	const struct sched_engine_client *client;
	u32 queued;
	u64 since[SCHED_ENGINE_DEPTH];
	u64 arrival[SCHED_ENGINE_DEPTH];
	u64 rest_ns;
	u64 waits_since;
	u64 service_ns;
	u64 done;
	u64 preempted;
	u64 latency_ns;
	u64 wait_ns;
	s64 least_left_ns;
};

/**
 * struct sched_engine - an engine that workloads can be taken off
 * @test: the test
 * @t: the code under test
 * @rnd: random numbers
 * @now: the time
 * @vgpus: how many there are
 * @v: they
 * @running: whose workload executes, NULL for nobody's
 * @next: whose turn is next, @t's current vGPU's if it goes on, NULL for nobody's
 * @patient: the next one waits for the end of the present workload
 * @wake_at: when to ask again, 0 for not before something happens
 * @busy_ns: time in which it executed
 * @held_ns: time in which it did not because somebody was expected
 * @capped_ns: or because all who had work were held back by their caps
 * @wasted_ns: or for another reason, while there was work
 * @decisions: how often it was asked who shall run
 */
struct sched_engine {
	struct kunit *test;
	struct sched_test *t;
	struct rnd_state rnd;
	u64 now;
	u32 vgpus;
	struct sched_engine_vgpu v[SCHED_TEST_VGPUS];
	struct gvt_sched_entity *running;
	struct gvt_sched_entity *next;
	bool patient;
	u64 wake_at;
	u64 busy_ns;
	u64 held_ns;
	u64 capped_ns;
	u64 wasted_ns;
	u64 decisions;
};

struct sched_engine *sched_engine_new(struct kunit *test, enum gvt_sched_policy policy,
				      enum gvt_sched_dispatch dispatch, u64 seed);
void sched_engine_start(struct sched_engine *s, const struct sched_engine_client *client);
void sched_engine_run(struct sched_engine *s, u64 ns);
void sched_engine_forget(struct sched_engine *s);
u64 sched_engine_random(struct sched_engine *s, u64 below);
u64 sched_engine_share(const struct sched_engine *s, u32 i, u64 ns);
u64 sched_engine_longest(const struct sched_engine *s, u32 i);

#endif /* _GVT_SCHED_ENGINE_H_ */
