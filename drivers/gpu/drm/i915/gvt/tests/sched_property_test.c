// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property tests, mostly with exclusive dispatch: invariants in random histories, and shares and
 * latencies of typical mixes of clients under each policy.
 */

#include <linux/math64.h>

#include "sched_random.h"
#include "sched_sim.h"

#define SEC(s) ((u64)(s) * NSEC_PER_SEC)

static struct sched_sim *new_gpu(struct kunit *test, enum gvt_sched_policy policy, u64 seed)
{
	return sched_sim_new(test, policy, GVT_DISPATCH_EXCLUSIVE, seed);
}

static struct sched_sim *random_sim(struct kunit *test, u64 seed)
{
	return sched_random_sim(test, sched_test_policy(test), GVT_DISPATCH_EXCLUSIVE, seed);
}

/*
 * No vGPU waits for longer than max_wait_ms plus the workload on the GPU plus one workload of
 * each other overdue vGPU. The slice policies have no such limit.
 */
static void check_waits(struct sched_sim *s)
{
	u64 bound_ns = MS(s->t->set.max_wait_ms);
	u32 i;

	for (i = 0; i < s->vgpus; i++)
		bound_ns += sched_sim_longest(s, i);
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
		s = random_sim(test, seed);
		sched_sim_run(s, SEC(5));
		check_service(s, SEC(5));
		if (sched_test_policy(test) == GVT_SCHED_FAIR)
			check_waits(s);
		if (sched_test_policy(test) != GVT_SCHED_STRICT)
			KUNIT_EXPECT_EQ(test, s->wasted_ns, 0);
	}
}

/* Every nanosecond of a turn is charged, or borrowed, once */
static void charged_time_is_conserved(struct kunit *test)
{
	struct sched_sim *s;
	u64 seed, stages;
	s64 charged_ns;
	u32 i;

	for (seed = 101; seed <= 140; seed++) {
		s = random_sim(test, seed);

		/* ends just before stage 0, which forgets debt and leftover */
		sched_sim_run(s, SEC(1) - 1);
		stages = s->t->balances;
		KUNIT_EXPECT_EQ(test, s->t->stage + 1, stages);
		charged_ns = 0;
		for (i = 0; i < s->vgpus; i++)
			charged_ns += stages * s->t->e[i].slice_ns - s->t->e[i].left_ns +
				      s->t->e[i].borrowed_ns;
		KUNIT_EXPECT_EQ(test, charged_ns, s->turn_ns);
	}
}

/* A vGPU exceeds its cap by at most one period's worth and its last workload */
static void caps_hold(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(2), .depth = 2, .cap = 10 },
		{ .exec_ns = MS(7), .depth = 2, .cap = 33 },
		{ .exec_ns = MS(1), .depth = 1, .think_ns = US(500), .cap = 25 },
	};
	struct sched_sim *s = new_gpu(test, sched_test_policy(test), 1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(20));
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		u64 most_ns = (SEC(20) + MS(100)) / 100 * clients[i].cap + clients[i].exec_ns;

		KUNIT_EXPECT_LE(test, s->v[i].service_ns, most_ns);
		/* under strict, each vGPU gets a third of each period at most */
		KUNIT_EXPECT_GE(test, sched_sim_share(s, i, SEC(20)), clients[i].cap * 97);
	}
	KUNIT_EXPECT_GT(test, s->capped_ns, SEC(3));
}

/* Settings and the set of vGPUs change at random while vGPUs have work */
static void anything_may_change(struct kunit *test)
{
	struct gvt_sched_settings *set;
	struct sched_sim *s;
	u64 seed;
	u32 i, n;

	for (seed = 201; seed <= 210; seed++) {
		s = random_sim(test, seed);
		set = &s->t->set;
		for (n = 0; n < 300; n++) {
			sched_sim_run(s, sched_sim_random(s, MS(30)) + 1);
			i = sched_sim_random(s, s->vgpus);
			switch (sched_sim_random(s, 6)) {
			case 0:
				gvt_sched_set_nice(&s->t->rq, &s->t->e[i],
						   (int)sched_sim_random(s, 40) - 20);
				break;
			case 1:
				gvt_sched_set_cap(&s->t->rq, &s->t->e[i],
						  sched_sim_random(s, 101), s->now);
				break;
			case 2:
				set->carry_over = !set->carry_over;
				set->leftover_max_ms = sched_sim_random(s, 1001);
				set->period_ms = 10 + sched_sim_random(s, 991);
				set->max_wait_ms = 100 + sched_sim_random(s, 1801);
				set->anticipation_ms = sched_sim_random(s, 101);
				set->boost_ms = sched_sim_random(s, 100);
				gvt_sched_changed(&s->t->rq, s->now);
				break;
			case 3:
				sched_sim_use_policy(s, sched_sim_random(s, GVT_SCHED_POLICIES));
				break;
			default:
				if (gvt_sched_is_added(&s->t->e[i]))
					sched_sim_remove(s, i);
				else
					sched_sim_add(s, i);
			}
			sched_sim_decide(s);
		}
	}
}

/* No wakeups while no vGPU has work */
static void no_wakeups_when_idle(struct kunit *test)
{
	static const struct sched_sim_client idle = {}, once = {
		.exec_ns = MS(3), .depth = 1, .think_ns = SEC(1000),
	};
	struct sched_sim *s = new_gpu(test, sched_test_policy(test), 1);

	sched_sim_start(s, &idle);
	sched_sim_start(s, &once);
	sched_sim_run(s, SEC(20));
	KUNIT_EXPECT_EQ(test, s->v[1].done, 1);
	KUNIT_EXPECT_EQ(test, s->wakeups, 0);
	KUNIT_EXPECT_EQ(test, s->t->rq.busy, 0);
	KUNIT_EXPECT_EQ(test, s->held_ns, 0);
}

/* Shares */

static void strict_keeps_to_slices(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(2), .depth = 2, .weight = 2 },
		{ .exec_ns = MS(2), .depth = 2, .weight = 4 },
		{ .weight = 2 },
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_STRICT, 1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(1));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));

	/* a quarter and a half; the idle vGPU's quarter is unused */
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(20)), 2300);
	KUNIT_EXPECT_LE(test, sched_sim_share(s, 0, SEC(20)), 2550);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(20)), 4800);
	KUNIT_EXPECT_LE(test, sched_sim_share(s, 1, SEC(20)), 5050);
	KUNIT_EXPECT_GE(test, s->wasted_ns, SEC(4));
}

/* An idle neighbour costs nothing, except under strict */
static void idle_neighbour(struct kunit *test)
{
	static const struct sched_sim_client idle = {}, small = {
		.exec_ns = MS(18), .think_ns = US(4700), .depth = 1,
	};
	struct sched_sim *s = new_gpu(test, sched_test_policy(test), 1);

	sched_sim_start(s, &idle);
	sched_sim_start(s, &small);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));
	kunit_info(test, "%llu of %llu workloads\n", s->v[1].done,
		   div_u64(SEC(20), US(22700)));
	if (sched_test_policy(test) == GVT_SCHED_STRICT)
		KUNIT_EXPECT_LE(test, s->v[1].done, 560);
	else
		KUNIT_EXPECT_GE(test, s->v[1].done, 880);
}

static void fair_small_against_large(struct kunit *test)
{
	static const struct sched_sim_client small = {
		.exec_ns = MS(18), .think_ns = US(4700), .depth = 1,
	}, large = {
		.exec_ns = MS(800), .depth = 2,
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);
	u64 a, b;

	sched_sim_start(s, &small);
	sched_sim_start(s, &large);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));
	a = sched_sim_share(s, 0, SEC(20));
	b = sched_sim_share(s, 1, SEC(20));
	kunit_info(test, "small %llu, large %llu of 10000\n", a, b);
	KUNIT_EXPECT_GE(test, a, 4200);
	KUNIT_EXPECT_GE(test, b, 4200);
	KUNIT_EXPECT_GE(test, a + b, 8600);
	KUNIT_EXPECT_EQ(test, s->wasted_ns, 0);
}

static void fair_weights(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(2), .depth = 2, .weight = 2 },
		{ .exec_ns = MS(2), .depth = 2, .weight = 4 },
		{ .exec_ns = MS(2), .depth = 2, .weight = 8 },
	};
	static const u64 expected[] = { 1429, 2857, 5714 };
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(20));
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		KUNIT_EXPECT_GE(test, sched_sim_share(s, i, SEC(20)), expected[i] - 20);
		KUNIT_EXPECT_LE(test, sched_sim_share(s, i, SEC(20)), expected[i] + 20);
	}
	KUNIT_EXPECT_EQ(test, s->busy_ns, SEC(20));
}

/* FairGV's metric */
static void fair_seven_sizes(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = US(500), .depth = 2 }, { .exec_ns = MS(1), .depth = 2 },
		{ .exec_ns = MS(2), .depth = 2 }, { .exec_ns = MS(5), .depth = 2 },
		{ .exec_ns = MS(10), .depth = 2 }, { .exec_ns = MS(20), .depth = 2 },
		{ .exec_ns = MS(50), .depth = 2 },
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);
	u64 least = U64_MAX, most = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		least = min(least, s->v[i].service_ns);
		most = max(most, s->v[i].service_ns);
	}
	kunit_info(test, "least to most: %llu of 1000\n", div64_u64(least * 1000, most));
	KUNIT_EXPECT_GE(test, least * 100, most * 97);
	KUNIT_EXPECT_EQ(test, s->busy_ns, SEC(20));
}

static void fair_interactive_against_batch(struct kunit *test)
{
	static const struct sched_sim_client interactive = {
		.exec_ns = MS(5), .period_ns = 16666667, .depth = 1,
	}, batch = {
		.exec_ns = MS(10), .depth = 2,
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);

	s->late_ns = MS(17);
	sched_sim_start(s, &interactive);
	sched_sim_start(s, &batch);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));
	kunit_info(test, "%llu of %llu latencies above 17 ms, longest %llu us\n", s->v[0].late,
		   s->v[0].done, div_u64(s->v[0].latency_ns, NSEC_PER_USEC));
	KUNIT_EXPECT_GE(test, s->v[0].done, 1198);
	KUNIT_EXPECT_LE(test, s->v[0].late * 100, s->v[0].done);
	KUNIT_EXPECT_EQ(test, s->wasted_ns, 0);
	KUNIT_EXPECT_GE(test, s->busy_ns, SEC(20) / 1000 * 999);
}

/*
 * Backlogged vGPUs get their shares: no vGPU gets ahead of another, in execution time over
 * share, by more than one workload and one turn of each.
 */
static void fair_shares_converge(struct kunit *test)
{
	struct sched_sim_client clients[SCHED_TEST_VGPUS];
	struct sched_sim *s;
	u64 seed, least, most, slack;
	u32 i, vgpus;

	for (seed = 301; seed <= 330; seed++) {
		s = new_gpu(test, GVT_SCHED_FAIR, seed);
		vgpus = 2 + sched_sim_random(s, SCHED_TEST_VGPUS - 1);
		kunit_info(test, "seed %llu: %u vGPUs\n", seed, vgpus);
		for (i = 0; i < vgpus; i++) {
			clients[i] = (struct sched_sim_client) {
				.exec_ns = US(50) + sched_sim_random(s, US(5000)),
				.spread_ns = 1 + sched_sim_random(s, US(4000)),
				.depth = 2 + sched_sim_random(s, 2),
				.weight = 2 << sched_sim_random(s, 3),
				.nice = (int)sched_sim_random(s, 5) - 2,
			};
			sched_sim_start(s, &clients[i]);
		}
		sched_sim_run(s, SEC(20));

		least = U64_MAX;
		most = 0;
		slack = 0;
		for (i = 0; i < vgpus; i++) {
			u64 norm = div_u64(s->v[i].service_ns * 1024, s->t->e[i].share);

			least = min(least, norm);
			most = max(most, norm);
			slack = max(slack, div_u64((sched_sim_longest(s, i) + MS(1)) * 1024,
						   s->t->e[i].share));
		}
		KUNIT_EXPECT_LE(test, most - least, 2 * slack);
		KUNIT_EXPECT_EQ(test, s->busy_ns, SEC(20));
	}
}

/* Long workloads distort shares, but starve no vGPU */
static void fair_starves_no_vgpu(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(400), .depth = 2, .weight = 16 },
		{ .exec_ns = MS(300), .depth = 2, .weight = 16 },
		{ .exec_ns = MS(5), .depth = 1, .weight = 2, .nice = 19 },
		{ .exec_ns = MS(30), .depth = 1, .weight = 2, .nice = 19, .think_ns = MS(5) },
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(60));
	check_waits(s);
	for (i = 0; i < ARRAY_SIZE(clients); i++)
		KUNIT_EXPECT_GE(test, s->v[i].done, 30);
}

/* A vGPU that pauses after each workload cannot keep the GPU idle for long */
static void fair_holds_are_bounded(struct kunit *test)
{
	static const struct sched_sim_client liar = {
		.exec_ns = MS(3), .think_ns = US(500), .think_spread_ns = MS(1), .depth = 1,
	}, batch = {
		.exec_ns = MS(20), .depth = 2,
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 7);

	sched_sim_start(s, &liar);
	sched_sim_start(s, &batch);
	sched_sim_run(s, SEC(20));
	/* the GPU idles for the vGPU no longer than the vGPU executes */
	KUNIT_EXPECT_LE(test, s->held_ns, s->v[0].service_ns);
	KUNIT_EXPECT_GT(test, s->held_ns, 0);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(20)), 3500);
}

/* Throttling by a cap gives no credit, neither to the capped vGPU nor to a new vGPU */
static void fair_cap_gives_no_credit(struct kunit *test)
{
	static const struct sched_sim_client capped = {
		.exec_ns = MS(5), .depth = 2, .cap = 5,
	}, batch = {
		.exec_ns = MS(10), .depth = 2,
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);

	sched_sim_start(s, &capped);
	sched_sim_start(s, &batch);
	sched_sim_run(s, SEC(20));
	sched_sim_start(s, &batch);
	sched_sim_forget(s);
	sched_sim_run(s, SEC(2));
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(2)), 4600);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 2, SEC(2)), 4600);

	gvt_sched_set_cap(&s->t->rq, &s->t->e[0], 0, s->now);
	sched_sim_forget(s);
	sched_sim_run(s, SEC(2));
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(2)), 3200);
	KUNIT_EXPECT_LE(test, sched_sim_share(s, 0, SEC(2)), 3450);
}

/* The GPU does not idle for an expected vGPU that its cap would throttle */
static void fair_no_hold_for_throttled_vgpu(struct kunit *test)
{
	static const struct sched_sim_client capped = {
		.exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .cap = 10,
	}, batch = {
		.exec_ns = MS(40), .depth = 2,
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);

	sched_sim_start(s, &capped);
	sched_sim_start(s, &batch);
	sched_sim_run(s, SEC(20));
	kunit_info(test, "held %llu us\n", div_u64(s->held_ns, NSEC_PER_USEC));
	KUNIT_EXPECT_GE(test, s->busy_ns, SEC(20) / 1000 * 995);
}

/*
 * A vGPU throttled by its cap for some milliseconds is still owed the time of another vGPU's
 * long workload, during which the bucket fills up, enough for four workloads.
 */
static void fair_throttled_vgpu_is_still_owed(struct kunit *test)
{
	static const struct sched_sim_client capped = {
		.exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .cap = 40,
	}, large = {
		.exec_ns = MS(800), .depth = 2,
	};
	struct sched_sim *s = new_gpu(test, GVT_SCHED_FAIR, 1);

	sched_sim_start(s, &capped);
	sched_sim_start(s, &large);
	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(20));
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(20)), 750);
}

#define DAY SEC(86400)

/* From 1 ns to a month, with all orders of magnitude about equally likely */
static u64 random_time(struct rnd_state *rnd)
{
	u64 most_ns = 30 * DAY >> prandom_u32_state(rnd) % 52;

	return 1 + ((u64)prandom_u32_state(rnd) << 32 | prandom_u32_state(rnd)) % (most_ns + 1);
}

/* vGPUs with extreme weights and nice values, some with caps */
static struct sched_test *far_from_each_other(struct kunit *test, struct rnd_state *rnd, u64 now)
{
	struct sched_test *t = sched_test_new(test, sched_test_policy(test));
	u32 i;

	t->set.dispatch = prandom_u32_state(rnd) % (GVT_DISPATCH_PREEMPTIVE + 1);
	gvt_sched_update_mode(&t->rq);
	for (i = 0; i < SCHED_TEST_VGPUS; i++) {
		gvt_sched_entity_init(&t->e[i], i % 2 ? 16 : 1);
		gvt_sched_set_nice(&t->rq, &t->e[i], i % 2 ? GVT_SCHED_NICE_MIN :
							     GVT_SCHED_NICE_MAX);
		gvt_sched_add(&t->rq, &t->e[i], now);
		if (i > 3)
			gvt_sched_set_cap(&t->rq, &t->e[i], i == 4 ? 1 : 99, now);
		t->e[i].preemptible = prandom_u32_state(rnd) % 2;
	}
	gvt_sched_begin_anew(&t->rq, now);

	return t;
}

/* One random event; returns the duration of the event */
static u64 anything_happens(struct sched_test *t, struct rnd_state *rnd, u64 now)
{
	struct gvt_sched_entity *e = &t->e[prandom_u32_state(rnd) % SCHED_TEST_VGPUS];
	u64 ns = random_time(rnd);

	switch (prandom_u32_state(rnd) % 4) {
	case 0:
		gvt_sched_enqueue(&t->rq, e, now);
		return ns;
	case 1:
		gvt_sched_dequeue(&t->rq, e, now);
		return ns;
	case 2:
		gvt_sched_handed_over(e, ns, ns % 2);
		return 0;
	default:
		if (t->rq.current_entity)
			gvt_sched_charge(&t->rq, t->rq.current_entity, ns, now + ns);
		return ns;
	}
}

/*
 * Even if a month passes between events, no calculation overflows (a 128-bit division would
 * trap), and gvt_sched_pick() never returns a wake_at in the past.
 */
static void long_times_do_not_overflow(struct kunit *test)
{
	struct gvt_sched_choice choice;
	struct rnd_state rnd;
	struct sched_test *t;
	u64 seed, now;
	u32 n;

	for (seed = 1; seed <= 200; seed++) {
		prandom_seed_state(&rnd, seed);
		/* 36 or 71 years before 2^63 ns, or 1 s after boot */
		now = seed % 3 ? (1ULL << 63) - (seed % 3) * 13000 * DAY : SEC(1);
		t = far_from_each_other(test, &rnd, now);
		for (n = 0; n < 400; n++) {
			now += anything_happens(t, &rnd, now);
			if (sched_test_policy(test) == GVT_SCHED_STRICT)
				gvt_sched_period(&t->rq, now);
			choice = gvt_sched_pick(&t->rq, now);
			KUNIT_EXPECT_LE_MSG(test, now, choice.wake_at ?: now, "seed %llu, step %u",
					    seed, n);
			gvt_sched_switch(&t->rq, choice.next, now);
		}
	}
}

KUNIT_ARRAY_PARAM(policy, sched_test_policies, sched_test_name_policy);
KUNIT_ARRAY_PARAM(slice_policy, sched_test_slice_policies, sched_test_name_policy);

/*
 * With exclusive dispatch, a vGPU is charged while any engine executes its workloads. So a vGPU
 * that uses two engines has both for half of the time beside a vGPU that uses one engine, less
 * the time that one engine idles until the other engine finishes.
 */
static void second_engine_adds_no_share(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(2), .depth = 2 }, { .exec_ns = MS(5), .depth = 2 },
		{ .exec_ns = MS(3), .depth = 2 },
	};
	struct sched_sim *s = new_gpu(test, sched_test_policy(test), 1);
	u64 ns = SEC(20), second;

	sched_sim_start(s, &clients[0]);
	sched_sim_start(s, &clients[1]);
	sched_sim_beside(s, 0, &clients[2]);
	sched_sim_run(s, ns);
	second = sched_sim_share(s, SCHED_TEST_VGPUS, ns);
	kunit_info(test, "%llu and %llu, beside %llu of 10000\n", sched_sim_share(s, 0, ns), second,
		   sched_sim_share(s, 1, ns));
	KUNIT_EXPECT_GE(test, second, 4400);
	KUNIT_EXPECT_LE(test, second, 5100);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, ns), 3900);
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, ns), 4800);
	KUNIT_EXPECT_EQ(test, s->beside_busy_ns, s->v[SCHED_TEST_VGPUS].service_ns);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(second_engine_adds_no_share, policy_gen_params),
	KUNIT_CASE_PARAM(any_history, policy_gen_params),
	KUNIT_CASE_PARAM(charged_time_is_conserved, slice_policy_gen_params),
	KUNIT_CASE_PARAM(caps_hold, policy_gen_params),
	KUNIT_CASE_PARAM(anything_may_change, policy_gen_params),
	KUNIT_CASE_PARAM(long_times_do_not_overflow, policy_gen_params),
	KUNIT_CASE_PARAM(no_wakeups_when_idle, policy_gen_params),
	KUNIT_CASE(strict_keeps_to_slices),
	KUNIT_CASE_PARAM(idle_neighbour, policy_gen_params),
	KUNIT_CASE(fair_small_against_large),
	KUNIT_CASE(fair_weights),
	KUNIT_CASE(fair_seven_sizes),
	KUNIT_CASE(fair_interactive_against_batch),
	KUNIT_CASE(fair_shares_converge),
	KUNIT_CASE(fair_starves_no_vgpu),
	KUNIT_CASE(fair_holds_are_bounded),
	KUNIT_CASE(fair_cap_gives_no_credit),
	KUNIT_CASE(fair_no_hold_for_throttled_vgpu),
	KUNIT_CASE(fair_throttled_vgpu_is_still_owed),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_property",
	.test_cases = cases,
};

kunit_test_suite(suite);
