// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a vGPU gets beside others, judged by what it would have without them and by fluid
 * sharing, not by what each of them executes: 2.2 per cent for either is fair by that.
 */

#include <linux/math64.h>

#include "sched_sim.h"

#define SEC(s) ((u64)(s) * NSEC_PER_SEC)
#define SECONDS 10

/* No preemption point within a workload */
#define UNCUT .piece_ns = SEC(10)

/* As on the rig, where it takes 40 us to get a workload to the engine and 5 to change over */
static struct sched_sim *measure(struct kunit *test, enum gvt_sched_dispatch dispatch,
				 const struct sched_sim_client *clients, u32 n)
{
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, dispatch, 1);
	u32 i;

	s->submit_ns = US(40);
	s->switch_ns = US(5);
	for (i = 0; i < n; i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(SECONDS));
	for (i = 0; i < n; i++)
		kunit_info(test, "vGPU %u: %llu of 10000, mean %llu us, longest %llu us\n", i,
			   sched_sim_share(s, i, SEC(SECONDS)),
			   div64_u64(s->v[i].latency_sum_ns, 1000 * max(s->v[i].done, 1ULL)),
			   div_u64(s->v[i].latency_ns, 1000));
	kunit_info(test, "busy %llu, held %llu of 10000, %llu hand-overs/s\n",
		   div64_u64(s->busy_ns * 10000, SEC(SECONDS)),
		   div64_u64(s->held_ns * 10000, SEC(SECONDS)), div_u64(s->hand_overs, SECONDS));

	return s;
}

/* A cap does not make engines change hands more often than turns do */
static void caps_keep_turns(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(200), .depth = 2, .piece_ns = US(100) },
		{ .exec_ns = MS(300), .depth = 2, .piece_ns = US(100) },
	};
	struct sched_sim *s;
	u32 cap;

	for (cap = 5; cap <= 45; cap += 5) {
		clients[0].cap = cap;
		s = measure(test, GVT_DISPATCH_PREEMPTIVE, clients, 2);
		KUNIT_EXPECT_LE(test, s->hand_overs, 500 * SECONDS);
		KUNIT_EXPECT_LE(test, sched_sim_share(s, 0, SEC(SECONDS)), cap * 100 + 100);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), cap * 100 - 100);
	}
}

/* Nor on one that pauses between short workloads */
static void caps_keep_turns_of_a_stream(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .depth = 1, .think_ns = US(200), UNCUT },
		{ .exec_ns = MS(300), .depth = 2, .piece_ns = US(100) },
	};
	struct sched_sim *s;

	for (clients[0].cap = 5; clients[0].cap <= 40; clients[0].cap *= 2) {
		for (clients[0].exec_ns = US(100); clients[0].exec_ns < MS(20);
		     clients[0].exec_ns *= 3) {
			s = measure(test, GVT_DISPATCH_PREEMPTIVE, clients, 2);
			KUNIT_EXPECT_LE(test, s->hand_overs, 500 * SECONDS);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(caps_keep_turns),
	KUNIT_CASE(caps_keep_turns_of_a_stream),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_victim",
	.test_cases = cases,
};

kunit_test_suite(suite);
