// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of a vGPU's execution beside others, compared with that alone and with fluid sharing.
 * Equal execution times are no criterion: 2.2 per cent for each vGPU would be equal, too.
 */

#include <linux/math64.h>

#include "sched_random.h"
#include "sched_sim.h"

#define SEC(s) ((u64)(s) * NSEC_PER_SEC)
#define SECONDS 4

/* No preemption point within a workload */
#define UNCUT .piece_ns = SEC(10)

static const struct sched_test_mode fair_modes[] = {
	MODE(FAIR, EXCLUSIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

KUNIT_ARRAY_PARAM(fair, fair_modes, sched_test_name_mode);

/* As on the rig: submitting a workload takes 40 us, switching the engine 5 us */
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

/* A cap is also charged for idle time in the vGPU's turns while others have work */
static void caps_count_idle_time(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(5), .depth = 2, .piece_ns = US(100) },
		{ .depth = 4, .cap = 10, UNCUT },
	};
	struct sched_sim *s;

	for (clients[1].exec_ns = US(1); clients[1].exec_ns < MS(1); clients[1].exec_ns *= 10) {
		s = measure(test, dispatch, clients, 2);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 8800);
		KUNIT_EXPECT_LE(test, sched_sim_share(s, 1, SEC(SECONDS)), 1100);
	}
}

/*
 * While a capped vGPU is throttled, another one may execute far more than its share. What that
 * one had must not count against a light vGPU, which would then wait until the capped one had as
 * much.
 */
static void light_vgpu_beside_capped_one(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = US(13), .think_ns = US(120), .depth = 2, .weight = 8, UNCUT },
		{ .exec_ns = US(666), .depth = 7, .weight = 16, .cap = 78, UNCUT },
		{ .exec_ns = MS(82), .depth = 7, .weight = 2, UNCUT },
	};
	struct sched_sim *s = measure(test, sched_test_mode(test)->dispatch, clients, 3);

	KUNIT_EXPECT_GE(test, s->v[0].done, 1000 * SECONDS);
}

/*
 * A pause costs a light vGPU no more than what it could have executed in it. Placed by the mean of
 * the others, of which one with a small weight is far ahead, the light vGPU would fall behind the
 * other one with each pause.
 */
static void light_vgpu_beside_pausing_one(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = US(13), .think_ns = US(120), .depth = 2, .weight = 8, UNCUT },
		{ .exec_ns = US(666), .depth = 7, .burst = 200, .rest_ns = MS(25), .weight = 16,
		  UNCUT },
		{ .exec_ns = MS(300), .depth = 7, .weight = 2, UNCUT },
	};
	struct sched_sim *s = measure(test, sched_test_mode(test)->dispatch, clients, 3);

	KUNIT_EXPECT_GE(test, s->v[0].done, 400 * SECONDS);
}

/* A cap causes no more hand-overs than turns do */
static void caps_add_no_hand_overs(struct kunit *test)
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
		/* a few more because the bucket starts full */
		KUNIT_EXPECT_LE(test, s->hand_overs, 505 * SECONDS);
		KUNIT_EXPECT_LE(test, sched_sim_share(s, 0, SEC(SECONDS)), cap * 100 + 100);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), cap * 100 - 100);
	}
}

/* The same for the cap of a vGPU that pauses between short workloads */
static void caps_of_pausing_vgpu_add_no_hand_overs(struct kunit *test)
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
			/* one per turn of the hog, and 200/s that cut such a turn short */
			KUNIT_EXPECT_LE(test, s->hand_overs, 1200 * SECONDS);
			KUNIT_EXPECT_LE(test, sched_sim_share(s, 0, SEC(SECONDS)),
					clients[0].cap * 100 + 100);
		}
	}
}

static const struct sched_test_mode all_modes[] = {
	MODE(STRICT, EXCLUSIVE), MODE(STRICT, PER_ENGINE), MODE(STRICT, PREEMPTIVE),
	MODE(WORK_CONSERVING, EXCLUSIVE), MODE(WORK_CONSERVING, PER_ENGINE),
	MODE(WORK_CONSERVING, PREEMPTIVE),
	MODE(FAIR, EXCLUSIVE), MODE(FAIR, PER_ENGINE), MODE(FAIR, PREEMPTIVE),
};

KUNIT_ARRAY_PARAM(all, all_modes, sched_test_name_mode);

/* With exclusive dispatch, execution time is reported at the end of a workload */
static void check_account(struct sched_sim *s)
{
	struct gvt_sched_rq *rq = &s->t->rq;
	u64 denied_ns, idled_ns;
	u32 i;

	/* count the time up to now */
	gvt_sched_used(rq, &s->t->e[0], 0, s->now);
	denied_ns = rq->denied_ns;
	for (i = 0; i < s->vgpus; i++) {
		denied_ns += s->t->e[i].denied_ns + s->t->e[i].held_ns;
		/* and the time not settled yet */
		idled_ns = s->t->e[i].idled_ns;
		if (&s->t->e[i] == rq->current_entity)
			idled_ns += max(rq->denied_ns, 0LL);
		/* with exclusive dispatch, a submission before others got work counts, too */
		if (gvt_sched_is_shared(rq))
			KUNIT_EXPECT_EQ(s->test, idled_ns, s->v[i].idled_ns);
		else
			KUNIT_EXPECT_GE(s->test, idled_ns, s->v[i].idled_ns);
	}
	if (rq->hold.expected)
		denied_ns += s->now - rq->hold.since;
	KUNIT_EXPECT_EQ(s->test, denied_ns, s->contended_ns);
}

/*
 * Each nanosecond in which a vGPU is denied the engine is counted for one other vGPU, in a
 * million decisions about random vGPUs
 */
static void accounts_add_up_to_contended_time(struct kunit *test)
{
	const struct sched_test_mode *mode = sched_test_mode(test);
	u64 seed, decisions = 0;
	struct sched_sim *s;
	u32 i;

	for (seed = 501; decisions < 1000000 / ARRAY_SIZE(all_modes); seed++) {
		s = sched_random_sim(test, mode->policy, mode->dispatch, seed);
		s->submit_ns = sched_sim_random(s, US(100));
		s->switch_ns = sched_sim_random(s, US(20));
		/* no caps: throttling is no wait for another vGPU, and may end within a step */
		for (i = 0; i < s->vgpus; i++)
			gvt_sched_set_cap(&s->t->rq, &s->t->e[i], 0, s->now);
		sched_sim_run(s, SEC(5));
		check_account(s);
		decisions += s->decisions;
	}
}

/* A vGPU that executes for 200 us per frame is not worth idling for all the time */
static void idle_desktop_beside_uncut(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .exec_ns = US(200), .think_ns = US(16400), .depth = 1, UNCUT },
		{ .depth = 2, UNCUT },
	};
	struct sched_sim *s;

	for (clients[1].exec_ns = MS(10); clients[1].exec_ns < MS(1500);
	     clients[1].exec_ns *= 2) {
		s = measure(test, dispatch, clients, 2);
		KUNIT_EXPECT_GE(test, s->busy_ns, SEC(SECONDS) * 97 / 100);
		KUNIT_EXPECT_LE(test, s->v[1].latency_ns, 2 * clients[1].exec_ns + MS(30));
	}
}

/* drm/scheduler's "very heavy" pattern */
static void very_heavy_beside_interactive(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(50), .burst = 4, .depth = 4, .think_ns = US(1), .rest_ns = US(1),
		  UNCUT },
		{ .exec_ns = MS(1), .depth = 1, .think_ns = MS(9), UNCUT },
	};
	struct sched_sim *s = measure(test, dispatch, clients, 2);

	KUNIT_EXPECT_GE(test, s->busy_ns, SEC(SECONDS) * 97 / 100);
}

/*
 * The engine is held for the next workload of a burst, queued 40 us later. Else each workload
 * waits for the hog, and a vGPU with bursts of 4 gets a third of the possible time.
 */
static void bursts_beside_uncut(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	static const u64 pause_ms[] = { 20, 92, 300 };
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(12), .depth = 1, .think_ns = US(40), UNCUT },
		{ .exec_ns = MS(100), .depth = 2, UNCUT },
	};
	u64 burst_ns, hogs_ns;
	struct sched_sim *s;
	u32 k, i;

	for (k = 2; k <= 10; k += 1 + k / 5) {
		for (i = 0; i < ARRAY_SIZE(pause_ms); i++) {
			clients[0].burst = k;
			clients[0].rest_ns = MS(pause_ms[i]);
			s = measure(test, dispatch, clients, 2);
			/* the whole burst, then as many workloads of the hog as cover the pause */
			burst_ns = k * MS(12);
			hogs_ns = div64_u64(MS(pause_ms[i]) + MS(100) - 1, MS(100)) * MS(100);
			KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)) * 100,
					95 * min(div64_u64(10000 * burst_ns, burst_ns + hogs_ns),
						 5000ULL));
			KUNIT_EXPECT_GE(test, s->busy_ns, SEC(SECONDS) * 97 / 100);
		}
	}
}

/*
 * A vGPU that submits by a clock executes as much, only later, if others run in its pauses, so
 * holding the engine for such a vGPU would waste time
 */
static void clock_beside_uncut(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .period_ns = US(12600), .depth = 5, UNCUT },
		{ .depth = 2, .think_ns = US(40), UNCUT },
	};
	struct sched_sim *s;
	u64 percent;

	for (percent = 20; percent <= 45; percent += 5) {
		clients[0].exec_ns = percent * US(126);
		clients[0].spread_ns = clients[0].exec_ns / 10;
		for (clients[1].exec_ns = MS(8); clients[1].exec_ns <= MS(32);
		     clients[1].exec_ns *= 2) {
			s = measure(test, dispatch, clients, 2);
			KUNIT_EXPECT_LE(test, s->held_ns, SEC(SECONDS) * 3 / 100);
			KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), percent * 100);
		}
	}
}

/*
 * Short runs of a guest that boots alone do not count forever: beside a hog the guest's runs
 * start late and are longer
 */
static void boot_does_not_count_forever(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(5), .boots = 100, .think_ns = US(1500), .depth = 1, UNCUT },
		{ .depth = 2, UNCUT },
	};
	u64 *boot_ns = &clients[0].boot_ns, *exec_ns = &clients[1].exec_ns;
	struct sched_sim *s;

	for (*boot_ns = US(2); *boot_ns < MS(5); *boot_ns *= 10) {
		for (*exec_ns = MS(20); *exec_ns <= MS(80); *exec_ns *= 2) {
			/* the last few boot workloads beside the hog */
			clients[1].start_ns = 95 * (*boot_ns + SCHED_SIM_BOOT_PAUSE_NS);
			s = measure(test, dispatch, clients, 2);
			KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 4000);
			KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(SECONDS)), 4000);
		}
	}
}

/*
 * An occasional tiny workload of a guest's driver says little about how much the guest executes
 * if the engine is held for the guest
 */
static void occasional_tiny_workloads(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .depth = 1, .other_ns = US(7), UNCUT }, { .exec_ns = MS(40), .depth = 2, UNCUT },
	};
	u64 *exec_ns = &clients[0].exec_ns, *think_ns = &clients[0].think_ns, share;
	u32 *every = &clients[0].other_every;
	struct sched_sim *s;

	for (*exec_ns = MS(2); *exec_ns <= MS(8); *exec_ns *= 2) {
		for (*think_ns = *exec_ns * 3 / 20; *think_ns <= *exec_ns * 2 / 5;
		     *think_ns += *exec_ns / 8) {
			*every = 0;
			s = measure(test, dispatch, clients, 2);
			share = sched_sim_share(s, 0, SEC(SECONDS));
			for (*every = 12; *every < 50; *every *= 2) {
				s = measure(test, dispatch, clients, 2);
				KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)),
						share * 4 / 5);
			}
		}
	}
}

/*
 * What a hold costs rises with the pause until the hold is not worth it: the vGPU's share has no
 * cliff on the way, and where the idle time exceeds the gain, the engine is never idle
 */
static void share_has_no_cliff(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = { { .depth = 1, UNCUT }, { .depth = 2, UNCUT } };
	u64 *pause_ns = &clients[0].think_ns, share, before;
	struct sched_sim *s;
	u32 k, ratio;

	/* the other vGPU's workloads are 3/2 to 12 times as long */
	for (ratio = 3; ratio <= 24; ratio *= 2) {
		clients[0].exec_ns = MS(8);
		clients[1].exec_ns = ratio * MS(4);
		before = 5000;
		for (k = 1; k <= 40; k++) {
			*pause_ns = k * clients[0].exec_ns / 40;
			s = measure(test, dispatch, clients, 2);
			share = sched_sim_share(s, 0, SEC(SECONDS));
			KUNIT_EXPECT_LE(test, share, before + 100);
			KUNIT_EXPECT_GE(test, share + 600, before);
			before = share;
		}
		KUNIT_EXPECT_GE(test, s->busy_ns, SEC(SECONDS) * 99 / 100);
	}
}

/* With several workloads queued, a hold waits for a whole burst, not for one workload */
static void deep_bursts_beside_uncut(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(1), .burst = 9, .think_ns = US(40), .rest_ns = MS(4), UNCUT },
		{ .exec_ns = MS(137), .depth = 3, UNCUT },
	};
	struct sched_sim *s;

	for (clients[0].depth = 1; clients[0].depth <= 5; clients[0].depth++) {
		s = measure(test, dispatch, clients, 2);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 3300);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 1, SEC(SECONDS)), 3300);
	}
}

/* With max_wait_ms far below the length of a workload, each vGPU still gets half of its share */
static void minimum_outlasts_long_workloads(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(14), .depth = 2, UNCUT }, { .exec_ns = MS(14), .depth = 2, UNCUT },
		{ .exec_ns = MS(14), .depth = 2, UNCUT }, { .exec_ns = MS(14), .depth = 2, UNCUT },
		{ .exec_ns = MS(396), .depth = 2, UNCUT },
	};
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, sched_test_mode(test)->dispatch,
					    1);
	u32 i;

	sched_test_set(s->t, max_wait_ms, 100);
	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(20));
	for (i = 0; i < ARRAY_SIZE(clients); i++)
		KUNIT_EXPECT_GE(test, sched_sim_share(s, i, SEC(20)), 950);
}

/* A vGPU with a small share waits for no longer than max_wait_ms and the workloads ahead of it */
static void small_share_beside_uncut(struct kunit *test)
{
	static const struct sched_sim_client hog = {
		.exec_ns = MS(20), .depth = 2, .runs_to_end = true
	};
	struct sched_sim_client clients[6];
	struct sched_sim *s;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		clients[i] = hog;
	clients[5].nice = GVT_SCHED_NICE_MAX;
	s = measure(test, sched_test_mode(test)->dispatch, clients, ARRAY_SIZE(clients));
	KUNIT_EXPECT_LE(test, s->v[5].wait_ns, SEC(1) + 6 * MS(20));
}

/*
 * A capped vGPU loses nothing in the pauses of another one, in which only a vGPU with a tiny
 * share may run
 */
static void capped_beside_pausing(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(2), .depth = 2, .cap = 20, UNCUT },
		{ .exec_ns = US(1500), .depth = 1, .think_ns = US(500), UNCUT },
		{ .exec_ns = MS(100), .depth = 2, .nice = 19, UNCUT },
	};
	struct sched_sim *s = measure(test, sched_test_mode(test)->dispatch, clients, 3);

	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 1800);
}

/* What goes on in the background, in the others' pauses, does not disturb their order */
static void background_beside_pausing(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = US(500), .depth = 1, .think_ns = MS(5), .weight = 16, UNCUT },
		{ .exec_ns = MS(200), .depth = 1, .think_ns = MS(22), .weight = 16 },
		{ .exec_ns = MS(10), .depth = 2, .weight = 1, .runs_to_end = true },
	};
	struct sched_sim *s = measure(test, GVT_DISPATCH_PREEMPTIVE, clients, 3);

	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 700);
}

/* A guest that used more than its share for minutes is not starved for minutes */
static void debt_is_forgiven(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .boots = 200, .boot_ns = MS(800), .exec_ns = MS(5), .depth = 2, UNCUT },
		{ .boots = 200, .boot_ns = MS(800), .exec_ns = MS(5), .depth = 2, UNCUT },
		{ .exec_ns = MS(10), .depth = 2, UNCUT },
	};
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, sched_test_mode(test)->dispatch,
					    1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	while (s->v[0].begun <= 200 || s->v[1].begun <= 200)
		sched_sim_run(s, SEC(1));
	sched_sim_run(s, SEC(20));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(10));
	for (i = 0; i < ARRAY_SIZE(clients); i++)
		KUNIT_EXPECT_GE(test, sched_sim_share(s, i, SEC(10)), 3200);
}

/* A guest that resets its vGPU whenever the vGPU waits takes nothing from others */
static void resets_gain_nothing(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(18), .depth = 1, .think_ns = US(4700), UNCUT },
		{ .exec_ns = MS(800), .depth = 2, UNCUT },
	};
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, sched_test_mode(test)->dispatch,
					    1);
	u64 end = s->now + SEC(20);

	sched_sim_start(s, &clients[0]);
	sched_sim_start(s, &clients[1]);
	while (s->now < end) {
		sched_sim_run(s, MS(5));
		while (s->running == &s->t->e[1])
			sched_sim_run(s, MS(1));
		sched_sim_remove(s, 1);
		sched_sim_run(s, MS(1));
		sched_sim_add(s, 1);
	}
	KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, s->now - end + SEC(20)), 4000);
}

/* A vGPU with long workloads does not go before an overdue one while it has far more than half */
static void overdue_beside_long_workloads(struct kunit *test)
{
	static const struct sched_sim_client clients[] = {
		{ .exec_ns = MS(750), .spread_ns = MS(347), .depth = 1, .weight = 16, .cap = 13,
		  UNCUT },
		{ .exec_ns = US(3500), .depth = 1, .think_ns = US(3600),
		  .think_spread_ns = US(2300), .weight = 4, UNCUT },
		{ .exec_ns = MS(531), .spread_ns = MS(429), .depth = 3, .weight = 1, UNCUT },
		{ .exec_ns = MS(780), .spread_ns = MS(452), .depth = 3, .weight = 16, UNCUT },
	};
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, GVT_DISPATCH_EXCLUSIVE, 1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clients); i++)
		sched_sim_start(s, &clients[i]);
	sched_sim_run(s, SEC(100));
	KUNIT_EXPECT_LE(test, s->v[2].wait_ns, SEC(4));
}

/*
 * A workload that can be preempted at once does not take the engine in the gaps between short ones
 * that follow each other at once: the next one is on its way to the engine.
 */
static void gaps_between_short_workloads(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .depth = 2, UNCUT },
		{ .exec_ns = SEC(20), .depth = 2, .piece_ns = US(100) },
	};
	struct sched_sim *s;
	u64 most;

	for (clients[0].exec_ns = US(50); clients[0].exec_ns <= US(800); clients[0].exec_ns *= 2) {
		s = sched_sim_new(test, GVT_SCHED_FAIR, GVT_DISPATCH_PREEMPTIVE, 1);
		s->submit_ns = US(30);
		sched_sim_start(s, &clients[0]);
		sched_sim_start(s, &clients[1]);
		sched_sim_run(s, SEC(2));
		sched_sim_forget(s);
		sched_sim_run(s, SEC(4));
		most = div64_u64(5000 * clients[0].exec_ns, clients[0].exec_ns + s->submit_ns);
		kunit_info(test, "%llu us: share %llu of 10000\n",
			   div_u64(clients[0].exec_ns, NSEC_PER_USEC),
			   sched_sim_share(s, 0, SEC(4)));
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(4)), most * 95 / 100);
	}
}

/* A hog that can be preempted every millisecond leaves no reason to hold the engine */
static void no_hold_beside_fine_pieces(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .depth = 1, UNCUT },
		{ .exec_ns = MS(400), .depth = 2, .piece_ns = MS(1) },
	};
	struct sched_sim *s;

	for (clients[0].exec_ns = US(250); clients[0].exec_ns <= MS(16); clients[0].exec_ns *= 2) {
		for (clients[0].think_ns = US(400); clients[0].think_ns <= MS(16);
		     clients[0].think_ns *= 2) {
			s = measure(test, GVT_DISPATCH_PREEMPTIVE, clients, 2);
			KUNIT_EXPECT_GE(test, s->busy_ns, SEC(SECONDS) * 98 / 100);
		}
	}
}

/*
 * Idle time between a vGPU's tiny workloads is charged to that vGPU, so the other vGPU gets its
 * share of the time
 */
static void tiny_workloads_are_not_free(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(5), .depth = 2, .piece_ns = US(100) }, { UNCUT },
	};
	struct sched_sim *s;

	for (clients[1].exec_ns = US(1); clients[1].exec_ns < US(500); clients[1].exec_ns *= 6) {
		for (clients[1].depth = 1; clients[1].depth <= 4; clients[1].depth += 3) {
			s = measure(test, dispatch, clients, 2);
			KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 4500);
			KUNIT_EXPECT_LE(test, s->v[0].latency_ns, MS(100));
		}
	}
}

static void tiny_workloads_of_six(struct kunit *test)
{
	enum gvt_sched_dispatch dispatch = sched_test_mode(test)->dispatch;
	struct sched_sim_client clients[SCHED_TEST_VGPUS] = {
		{ .exec_ns = MS(5), .depth = 2, .piece_ns = US(100) },
	};
	struct sched_sim *s;
	u64 think_us;
	u32 i;

	for (think_us = 0; think_us <= 120; think_us += 30) {
		for (i = 1; i < SCHED_TEST_VGPUS; i++)
			clients[i] = (struct sched_sim_client) {
				.exec_ns = US(1), .depth = 1, .think_ns = US(think_us), UNCUT
			};
		s = measure(test, dispatch, clients, SCHED_TEST_VGPUS);
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(SECONDS)), 10000 * 9 / 10 / 7);
		KUNIT_EXPECT_LE(test, s->v[0].latency_ns, MS(1000) + MS(5));
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(accounts_add_up_to_contended_time, all_gen_params),
	KUNIT_CASE_PARAM(idle_desktop_beside_uncut, fair_gen_params),
	KUNIT_CASE_PARAM(very_heavy_beside_interactive, fair_gen_params),
	KUNIT_CASE_PARAM(bursts_beside_uncut, fair_gen_params),
	KUNIT_CASE_PARAM(clock_beside_uncut, fair_gen_params),
	KUNIT_CASE_PARAM(boot_does_not_count_forever, fair_gen_params),
	KUNIT_CASE_PARAM(occasional_tiny_workloads, fair_gen_params),
	KUNIT_CASE_PARAM(share_has_no_cliff, fair_gen_params),
	KUNIT_CASE_PARAM(deep_bursts_beside_uncut, fair_gen_params),
	KUNIT_CASE_PARAM(minimum_outlasts_long_workloads, fair_gen_params),
	KUNIT_CASE_PARAM(small_share_beside_uncut, fair_gen_params),
	KUNIT_CASE_PARAM(capped_beside_pausing, fair_gen_params),
	KUNIT_CASE(background_beside_pausing),
	KUNIT_CASE_PARAM(debt_is_forgiven, fair_gen_params),
	KUNIT_CASE_PARAM(resets_gain_nothing, fair_gen_params),
	KUNIT_CASE(overdue_beside_long_workloads),
	KUNIT_CASE(gaps_between_short_workloads),
	KUNIT_CASE(no_hold_beside_fine_pieces),
	KUNIT_CASE_PARAM(tiny_workloads_are_not_free, fair_gen_params),
	KUNIT_CASE_PARAM(tiny_workloads_of_six, fair_gen_params),
	KUNIT_CASE_PARAM(caps_count_idle_time, fair_gen_params),
	KUNIT_CASE_PARAM(light_vgpu_beside_capped_one, fair_gen_params),
	KUNIT_CASE_PARAM(light_vgpu_beside_pausing_one, fair_gen_params),
	KUNIT_CASE(caps_add_no_hand_overs),
	KUNIT_CASE(caps_of_pausing_vgpu_add_no_hand_overs),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_victim",
	.test_cases = cases,
};

kunit_test_suite(suite);
