// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property tests with per-engine and preemptive dispatch: invariants in random histories,
 * and shares and latencies of typical mixes of clients.
 */

#include <linux/math64.h>

#include "sched_random.h"
#include "sched_sim.h"

#define SEC(s) ((u64)(s) * NSEC_PER_SEC)

static bool strict(const struct sched_test_mode *mode)
{
	return mode->policy == GVT_SCHED_STRICT;
}

static bool fair(const struct sched_test_mode *mode)
{
	return mode->policy == GVT_SCHED_FAIR;
}

/* Modes in which a case runs */

static const struct sched_test_mode shared_modes[] = {
	MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

static const struct sched_test_mode slices_modes[] = {
	MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE),
};

static const struct sched_test_mode strict_modes[] = {
	MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE),
};

static const struct sched_test_mode fair_modes[] = {
	MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

KUNIT_ARRAY_PARAM(shared, shared_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(slices, slices_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(strict, strict_modes, sched_test_name_mode);
KUNIT_ARRAY_PARAM(fair, fair_modes, sched_test_name_mode);

static struct sched_sim *new_engine(struct kunit *test, u64 seed)
{
	const struct sched_test_mode *mode = sched_test_mode(test);

	return sched_sim_new(test, mode->policy, mode->dispatch, seed);
}

static struct sched_sim *random_engine(struct kunit *test, u64 seed)
{
	const struct sched_test_mode *mode = sched_test_mode(test);

	return sched_random_sim(test, mode->policy, mode->dispatch, seed);
}

/*
 * No vGPU waits for longer than max_wait_ms plus up to two workloads at the engine plus one
 * workload, or one turn if preemptible, of each other vGPU.
 */
static void check_waits(struct sched_sim *s)
{
	u64 bound_ns = MS(s->t->set.max_wait_ms);
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		if (gvt_sched_is_preemptive(&s->t->rq) && s->t->e[i].preemptible)
			bound_ns += GVT_SCHED_TURN_NS;
		else
			bound_ns += sched_sim_longest(s, i);
	}
	/* vGPUs below their guaranteed minimum go before overdue vGPUs */
	bound_ns *= 4;
	for (i = 0; i < s->vgpus; i++)
		KUNIT_EXPECT_LE_MSG(s->test, s->v[i].wait_ns, bound_ns, "vGPU %u", i);
}

static void check_service(struct sched_sim *s, u64 ns)
{
	u64 service_ns = 0, held_ns = 0;
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		service_ns += s->v[i].service_ns;
		held_ns += s->t->e[i].held_ns;
	}
	if (s->t->rq.hold.expected)
		held_ns += s->now - s->t->rq.hold.since;
	KUNIT_EXPECT_EQ(s->test, service_ns, s->busy_ns);
	KUNIT_EXPECT_EQ(s->test, held_ns, s->held_ns);
	KUNIT_EXPECT_LE(s->test, s->busy_ns + s->held_ns + s->capped_ns + s->wasted_ns, ns);
}

static void any_history(struct kunit *test)
{
	struct sched_sim *s;
	u64 seed;

	for (seed = 1; seed <= 40; seed++) {
		s = random_engine(test, seed);
		sched_sim_run(s, SEC(5));
		check_service(s, SEC(5));
		if (fair(sched_test_mode(test)))
			check_waits(s);
		if (!strict(sched_test_mode(test)))
			KUNIT_EXPECT_EQ(test, s->wasted_ns, 0);
	}
}

/* Every nanosecond of a vGPU's execution is charged, or borrowed, once */
static void charged_time_is_conserved(struct kunit *test)
{
	struct gvt_sched_entity *e;
	struct sched_sim *s;
	u64 seed;
	u32 i;

	for (seed = 101; seed <= 140; seed++) {
		s = random_engine(test, seed);
		/* ends just before stage 0, which forgets debt and leftover */
		sched_sim_run(s, SEC(1) - 1);
		for (i = 0; i < s->vgpus; i++) {
			e = &s->t->e[i];
			KUNIT_EXPECT_EQ(test, s->v[i].service_ns,
					s->t->balances * e->slice_ns - e->left_ns +
					e->borrowed_ns);
		}
	}
}

/* Under strict, a vGPU exceeds its slice by less than one workload */
static void strict_keeps_to_slices(struct kunit *test)
{
	struct sched_sim *s;
	u64 seed;
	u32 i;

	for (seed = 201; seed <= 240; seed++) {
		s = random_engine(test, seed);
		sched_sim_run(s, SEC(5));
		for (i = 0; i < s->vgpus; i++)
			KUNIT_EXPECT_GT(test, s->v[i].least_left_ns +
					(s64)sched_sim_longest(s, i), 0);
	}
}

/* Mixes of clients under the fair policy, with preemptive dispatch */

static struct sched_sim *measure(struct kunit *test,
				 const struct sched_sim_client *clients, u32 n)
{
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR,
					    GVT_DISPATCH_PREEMPTIVE, 1);
	u32 i;

	for (i = 0; i < n; i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));
	for (i = 0; i < n; i++)
		kunit_info(test, "vGPU %u: %llu of 10000, latency up to %llu us\n", i,
			   sched_sim_share(s, i, SEC(20)),
			   div_u64(s->v[i].latency_ns, NSEC_PER_USEC));

	return s;
}

static void small_against_large(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1 },
		{ .exec_ns = MS(800), .depth = 2 },
	};
	struct sched_sim *s = measure(test, clients, 2);

	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(20)), 4900);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(20)), 4900);
	KUNIT_EXPECT_LE(test, s->v[0].latency_ns, MS(36));
	KUNIT_EXPECT_EQ(test, s->busy_ns, SEC(20));
	KUNIT_EXPECT_EQ(test, s->held_ns, 0);
}

/* The large vGPU pauses for 1 to 22 ms between workloads */
static void small_against_large_with_pauses(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1 },
		{ .exec_ns = MS(800), .depth = 1 },
	};
	struct sched_sim *s;
	u64 think_ms;

	for (think_ms = 1; think_ms < 25; think_ms += 3) {
		clients[1].think_ns = MS(think_ms);
		s = measure(test, clients, 2);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(20)), 4900);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(20)), 4900);
		KUNIT_EXPECT_LE(test, s->v[0].latency_ns, MS(36));
	}
}

/* Switch time adds no preemption point to a workload without preemption points */
static void no_preemption_without_preemption_point(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(14), .depth = 2, .piece_ns = MS(14) },
		{ .exec_ns = MS(160), .depth = 2, .piece_ns = US(100) },
	};
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 1);

	s->switch_ns = US(5);
	sched_sim_start(s, &clients[0]);
	sched_sim_start(s, &clients[1]);
	sched_sim_run(s, SEC(5));
	KUNIT_EXPECT_GT(test, s->v[0].done, 0);
	KUNIT_EXPECT_GT(test, s->v[1].preempted, 0);
	KUNIT_EXPECT_EQ(test, s->v[0].preempted, 0);
}

static void small_against_large_nonpreemptible(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1 },
		{ .exec_ns = MS(800), .depth = 2, .runs_to_end = true },
	};
	struct sched_sim *s = measure(test, clients, 2);

	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(20)), 4200);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(20)), 4200);
	KUNIT_EXPECT_EQ(test, s->v[1].preempted, 0);
	KUNIT_EXPECT_GT(test, s->held_ns, 0);
	KUNIT_EXPECT_EQ(test, s->wasted_ns, 0);
}

static void small_against_large_and_nonpreemptible(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1 },
		{ .exec_ns = MS(800), .depth = 2 },
		{ .exec_ns = MS(20), .depth = 2, .runs_to_end = true },
	};
	struct sched_sim *s = measure(test, clients, ARRAY_SIZE(clients));

	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(20)), 3200);
	KUNIT_EXPECT_LE(test, s->v[0].latency_ns, MS(100));
}

/* vGPUs with tiny shares still get turns beside vGPUs with large shares */
static void no_vgpu_starves(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(400), .depth = 2, .weight = 16, .nice = -20 },
		{ .exec_ns = MS(300), .depth = 2, .weight = 16, .nice = -20 },
		{ .exec_ns = MS(5), .depth = 1, .weight = 2, .nice = 19 },
		{ .exec_ns = MS(30), .depth = 1, .weight = 2, .nice = 19, .think_ns = MS(5) },
	};
	struct sched_sim *s = measure(test, clients, ARRAY_SIZE(clients));

	check_waits(s);
	/* about one turn per second */
	KUNIT_EXPECT_GE(test, s->v[2].service_ns, 17 * GVT_SCHED_TURN_NS);
	KUNIT_EXPECT_GE(test, s->v[3].service_ns, 17 * GVT_SCHED_TURN_NS);
	KUNIT_EXPECT_EQ(test, s->busy_ns, SEC(20));
}

/* Largest difference between two vGPUs in execution time over share */
static u64 unfairness(const struct sched_sim *s)
{
	u64 norm, least = U64_MAX, most = 0;
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		norm = div_u64(s->v[i].service_ns * 1024, s->t->e[i].share);
		least = min(least, norm);
		most = max(most, norm);
	}

	return most - least;
}

/* Two turns, plus two workloads if not preemptible, over share: the maximum of all vGPUs */
static u64 fairness_bound(const struct sched_sim *s)
{
	u64 piece_ns, most = 0;
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		piece_ns = GVT_SCHED_TURN_NS + GVT_SCHED_LEAST_TURN_NS;
		if (!gvt_sched_is_preemptive(&s->t->rq) || !s->t->e[i].preemptible)
			piece_ns += sched_sim_longest(s, i);
		most = max(most, div_u64(piece_ns * 1024, s->t->e[i].share));
	}

	return 2 * most;
}

static void shares_converge(struct kunit *test)
{
	struct sched_sim_client clients[SCHED_TEST_VGPUS];
	struct sched_sim *s;
	u64 seed;
	u32 i, vgpus;

	for (seed = 301; seed <= 320; seed++) {
		s = new_engine(test, seed);
		vgpus = 2 + sched_sim_random(s, SCHED_TEST_VGPUS - 1);
		for (i = 0; i < vgpus; i++) {
			clients[i] = (struct sched_sim_client) {
				.exec_ns = US(50) + sched_sim_random(s, MS(30)),
				.spread_ns = 1 + sched_sim_random(s, MS(30)),
				.depth = 2 + sched_sim_random(s, 2),
				.runs_to_end = seed % 2 && !sched_sim_random(s, 3),
				.weight = 2 << sched_sim_random(s, 3),
				.nice = (int)sched_sim_random(s, 5) - 2,
			};
			sched_sim_start(s, &clients[i]);
		}
		sched_sim_run(s, SEC(20));
		KUNIT_EXPECT_LE(test, unfairness(s), fairness_bound(s));
		KUNIT_EXPECT_EQ(test, s->busy_ns, SEC(20));
	}
}

/* A vGPU exceeds its cap by at most one period's worth and its last workload */
static void caps_hold(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(20), .depth = 2, .cap = 10 },
		{ .exec_ns = MS(7), .depth = 2, .cap = 33 },
		{ .exec_ns = MS(1), .depth = 1, .think_ns = US(500), .cap = 25 },
	};
	struct sched_sim *s = new_engine(test, 1);
	u64 most_ns;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(20));
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		most_ns = (SEC(20) + MS(100)) / 100 * clients[i].cap + clients[i].exec_ns;
		KUNIT_EXPECT_LE(test, s->v[i].service_ns, most_ns);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, i, SEC(20)), clients[i].cap * 96);
	}
}

/* A start boost does not cause frequent decisions */
static void boosts_cause_few_decisions(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(400), .depth = 2 }, { .exec_ns = MS(400), .depth = 2 },
	};
	struct sched_sim *s = new_engine(test, 1);

	sched_test_set(s->t, boost_ms, 2000);
	sched_sim_start(s, &clients[0]);
	sched_sim_start(s, &clients[1]);
	sched_sim_run(s, SEC(2) - 1);
	if (fair(sched_test_mode(test)))
		KUNIT_EXPECT_LE(test, s->decisions, 3 * 2000);
	else
		KUNIT_EXPECT_LE(test, s->decisions, 3 * 30);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(any_history, shared_gen_params),
	KUNIT_CASE_PARAM(charged_time_is_conserved, slices_gen_params),
	KUNIT_CASE_PARAM(strict_keeps_to_slices, strict_gen_params),
	KUNIT_CASE(small_against_large),
	KUNIT_CASE(small_against_large_with_pauses),
	KUNIT_CASE(no_preemption_without_preemption_point),
	KUNIT_CASE(small_against_large_nonpreemptible),
	KUNIT_CASE(small_against_large_and_nonpreemptible),
	KUNIT_CASE(no_vgpu_starves),
	KUNIT_CASE_PARAM(shares_converge, fair_gen_params),
	KUNIT_CASE_PARAM(caps_hold, shared_gen_params),
	KUNIT_CASE_PARAM(boosts_cause_few_decisions, shared_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_engine",
	.test_cases = cases,
};

kunit_test_suite(suite);
