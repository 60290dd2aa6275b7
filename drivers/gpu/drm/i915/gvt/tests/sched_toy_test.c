// SPDX-License-Identifier: GPL-2.0-only
/* A policy made for this test: the vGPU that has waited longest has the next turn */

#include "../sched_ops.h"
#include "sched_sim.h"

static bool toy_before(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *a,
		       const struct gvt_sched_entity *b, u64 now)
{
	return a->wait_since < b->wait_since;
}

static struct gvt_sched_entity *longest(const struct gvt_sched_rq *rq,
					const struct gvt_sched_entity *except, u64 now)
{
	struct gvt_sched_entity *e, *longest = NULL;

	list_for_each_entry(e, &rq->entities, link) {
		if (e != except && e->busy && (!longest || toy_before(rq, e, longest, now)))
			longest = e;
	}

	return longest;
}

static struct gvt_sched_choice toy_pick(const struct gvt_sched_rq *rq, u64 now)
{
	struct gvt_sched_entity *e = rq->current_entity;

	/* a turn lasts for one workload */
	return (struct gvt_sched_choice) {
		.next = e && e->busy && rq->executing ? e : longest(rq, NULL, now),
		.reason = GVT_SWITCH_TURN,
	};
}

static struct gvt_sched_choice toy_ahead(const struct gvt_sched_rq *rq, u64 now)
{
	return (struct gvt_sched_choice) {
		.next = longest(rq, rq->current_entity, now),
		.reason = GVT_SWITCH_TURN,
	};
}

static bool toy_fills_gaps(const struct gvt_sched_rq *rq, const struct gvt_sched_entity *e,
			   u64 now)
{
	return false;
}

static const struct gvt_policy_ops toy_policy = {
	.name = "toy",
	.pick = toy_pick,
	.ahead = toy_ahead,
	.before = toy_before,
	.fills_gaps = toy_fills_gaps,
};

static const struct sched_test_mode modes[] = {
	MODE(FAIR, EXCLUSIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

KUNIT_ARRAY_PARAM(mode, modes, sched_test_name_mode);

static void workloads_take_turns(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(2), .depth = 2 }, { .exec_ns = MS(5), .depth = 2 },
		{ .exec_ns = MS(3), .depth = 2 },
	};
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR,
					    sched_test_mode(test)->dispatch, 1);
	u32 i;

	gvt_sched_use_policy(&s->t->rq, &toy_policy);
	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, 1000 * NSEC_PER_MSEC);
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		KUNIT_EXPECT_GE(test, s->v[i].done, 99);
		KUNIT_EXPECT_LE(test, s->v[i].done, 101);
	}
	KUNIT_EXPECT_EQ(test, s->wasted_ns, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(workloads_take_turns, mode_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_toy",
	.test_cases = cases,
};

kunit_test_suite(suite);
