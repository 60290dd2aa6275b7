// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mixes of clients under the fair policy in all dispatch modes, with the costs of submitting and
 * switching: preemptive dispatch is not worse than the other modes.
 */

#include <linux/math64.h>

#include "sched_sim.h"

#define SEC(s) ((u64)(s) * NSEC_PER_SEC)
#define HZ60_NS 16666667
#define MIX_SEED 1
#define MIX_SECONDS 30

/* As on the rig */
#define SUBMIT_NS US(40)
#define SWITCH_NS US(5)

/* No preemption point within a workload */
#define UNCUT .piece_ns = SEC(10)

struct mix {
	const char *name;
	u32 least_per_mille;
	struct sched_sim_client c[SCHED_TEST_VGPUS];
};

static struct sched_sim *new_mix(struct kunit *test, enum gvt_sched_dispatch dispatch,
				 const struct sched_sim_client *clients, u32 n)
{
	struct sched_sim *s = sched_sim_new(test, GVT_SCHED_FAIR, dispatch, MIX_SEED);
	u32 i;

	s->submit_ns = SUBMIT_NS;
	s->switch_ns = SWITCH_NS;
	for (i = 0; i < n; i++)
		sched_sim_start(s, &clients[i]);
	return s;
}

static struct sched_sim *measure(struct kunit *test, enum gvt_sched_dispatch dispatch,
				 const struct sched_sim_client *clients, u32 n)
{
	struct sched_sim *s = new_mix(test, dispatch, clients, n);

	sched_sim_run(s, SEC(3));
	sched_sim_forget(s);
	sched_sim_run(s, SEC(MIX_SECONDS));
	return s;
}

static u64 mean_us(const struct sched_sim *s, u32 i)
{
	return div64_u64(div_u64(s->v[i].latency_sum_ns, NSEC_PER_USEC), s->v[i].done);
}

static u64 p99_us(const struct sched_sim *s, u32 i)
{
	return div_u64(sched_sim_latency(s, i, 990), NSEC_PER_USEC);
}

static u64 least_of_most(const struct sched_sim *s)
{
	u64 least = U64_MAX, most = 1;
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		u64 norm = div_u64(s->v[i].service_ns * GVT_SCHED_SHARE_UNIT, s->t->e[i].share);

		least = min(least, norm);
		most = max(most, norm);
	}

	return div64_u64(least * 1000, most);
}

/* All clients want more than their shares, so their times should be in proportion */
static const struct mix mixes[] = {
	{ .name = "18 ms beside 800 ms of 1 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1) } } },
	{ .name = "18 ms beside 800 ms that pause", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .think_ns = MS(3), .depth = 1, .piece_ns = MS(1) } } },
	{ .name = "18 ms beside 800 ms of 100 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, UNCUT },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(100) } } },
	{ .name = "18 ms beside 800 ms uncut", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, UNCUT },
		{ .exec_ns = MS(800), .depth = 2, UNCUT } } },
	{ .name = "2, 18 and 200 ms of 1 ms", .c = {
		{ .exec_ns = MS(2), .think_ns = US(40), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(18), .think_ns = US(40), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(200), .think_ns = US(40), .depth = 1, .piece_ns = MS(1) } } },
	{ .name = "18, 800 and 2 ms of 1 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, .piece_ns = MS(1) },
		{ .exec_ns = MS(800), .depth = 2, .piece_ns = MS(1) },
		{ .exec_ns = MS(2), .think_ns = MS(2), .depth = 1, .piece_ns = MS(1) } } },
	/* keeping the engine idle would cost a tenth, and give the first client no more */
	{ .name = "3 ms beside 4 ms", .least_per_mille = 740, .c = {
		{ .exec_ns = MS(3), .think_ns = US(2500), .depth = 1, UNCUT },
		{ .exec_ns = MS(4), .think_ns = MS(2), .depth = 1, UNCUT } } },
	{ .name = "18 ms beside 20 ms", .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, UNCUT },
		{ .exec_ns = MS(20), .depth = 2, UNCUT } } },
	{ .name = "0.5 ms beside 0.5 ms", .c = {
		{ .exec_ns = US(500), .depth = 2, UNCUT },
		{ .exec_ns = US(500), .depth = 2, UNCUT } } },
};

static void name_mix(const struct mix *mix, char *desc)
{
	strscpy(desc, mix->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(mix, mixes, name_mix);

static u32 clients_of(const struct mix *mix)
{
	u32 n = 0;

	while (n < SCHED_TEST_VGPUS && mix->c[n].depth)
		n++;
	return n;
}

static bool is_shorter(const struct mix *mix, u32 i)
{
	u32 k;

	for (k = 0; k < clients_of(mix); k++) {
		if (mix->c[k].exec_ns > mix->c[i].exec_ns)
			return true;
	}

	return false;
}

static void not_worse_than(const struct mix *mix, const struct sched_sim *other,
			   const struct sched_sim *s)
{
	u32 i;

	for (i = 0; i < s->vgpus; i++) {
		kunit_info(s->test, "vGPU %u: %llu of 10000, mean %llu us (%llu), p99 %llu us (%llu)\n",
			   i, sched_sim_share(s, i, SEC(MIX_SECONDS)), mean_us(s, i),
			   mean_us(other, i), p99_us(s, i), p99_us(other, i));
		/* what a vGPU has beyond its share, it takes from the others */
		if (!is_shorter(mix, i) ||
		    sched_sim_share(other, i, SEC(MIX_SECONDS)) > 10000 / s->vgpus)
			continue;
		KUNIT_EXPECT_LE(s->test, mean_us(s, i) * 100, mean_us(other, i) * 105);
		KUNIT_EXPECT_LE(s->test, p99_us(s, i) * 100, p99_us(other, i) * 105);
	}
}

static void never_worse(struct kunit *test)
{
	const struct mix *mix = test->param_value;
	u32 n = clients_of(mix);
	struct sched_sim *s = measure(test, GVT_DISPATCH_PREEMPTIVE, mix->c, n);

	KUNIT_EXPECT_GE(test, least_of_most(s), mix->least_per_mille ?: 950);
	not_worse_than(mix, measure(test, GVT_DISPATCH_EXCLUSIVE, mix->c, n), s);
	not_worse_than(mix, measure(test, GVT_DISPATCH_PER_ENGINE, mix->c, n), s);
}

/* The first client wants less than its share, the others want more */
static const struct mix pausing[] = {
	{ .name = "11 ms every 106 beside 6 and 44 ms", .c = {
		{ .exec_ns = US(10640), .period_ns = US(106400), .depth = 1, .piece_ns = US(910) },
		{ .exec_ns = US(6450), .think_ns = US(40), .depth = 1, UNCUT },
		{ .exec_ns = US(43920), .think_ns = US(40), .depth = 1, UNCUT } } },
	{ .name = "11 x 2 ms, then 500 ms, beside 84 ms", .c = {
		{ .exec_ns = US(1910), .burst = 11, .depth = 2, .rest_ns = US(499700),
		  .piece_ns = US(1010) },
		{ .exec_ns = US(84420), .depth = 2, UNCUT } } },
	{ .name = "6 x 4 ms, then 54 ms, beside 29 ms", .c = {
		{ .exec_ns = US(4200), .burst = 6, .depth = 1, .rest_ns = US(54400), UNCUT },
		{ .exec_ns = US(29480), .think_ns = US(1070), .depth = 1, UNCUT } } },
};

KUNIT_ARRAY_PARAM(pausing, pausing, name_mix);

static void pausing_client_is_not_worse_off(struct kunit *test)
{
	const struct mix *mix = test->param_value;
	u32 n = clients_of(mix);
	struct sched_sim *s = measure(test, GVT_DISPATCH_PREEMPTIVE, mix->c, n);
	u64 exclusive_us = mean_us(measure(test, GVT_DISPATCH_EXCLUSIVE, mix->c, n), 0);
	u64 per_engine_us = mean_us(measure(test, GVT_DISPATCH_PER_ENGINE, mix->c, n), 0);

	kunit_info(test, "mean %llu us, exclusive %llu us, per-engine %llu us\n",
		   mean_us(s, 0), exclusive_us, per_engine_us);
	KUNIT_EXPECT_LE(test, mean_us(s, 0) * 100, min(exclusive_us, per_engine_us) * 105);
}

/*
 * Preemption points at any distance, up to none within a workload. Where a workload has only a
 * few, the wait for the next one is now as long as most of the workload, now nothing, and what
 * was learned of it errs.
 */
static void no_cliff(struct kunit *test)
{
	struct mix mix = { .c = {
		{ .exec_ns = MS(18), .think_ns = US(4700), .depth = 1, UNCUT },
		{ .exec_ns = MS(800), .depth = 2, UNCUT },
	} };
	struct sched_sim *other = measure(test, GVT_DISPATCH_PER_ENGINE, mix.c, 2), *s;
	u64 piece_us;

	for (piece_us = 100; piece_us < 900000; piece_us += piece_us / 3) {
		mix.c[1].piece_ns = US(piece_us);
		s = measure(test, GVT_DISPATCH_PREEMPTIVE, mix.c, 2);
		kunit_info(test, "preemption every %llu us: least/most %llu per mille\n", piece_us,
			   least_of_most(s));
		if (4 * US(piece_us) > mix.c[1].exec_ns) {
			KUNIT_EXPECT_GE(test, least_of_most(s), 800);
			continue;
		}
		KUNIT_EXPECT_GE(test, least_of_most(s), 940);
		not_worse_than(&mix, other, s);
	}
}

/* Quality of service */

#define HOG(ms) { .exec_ns = MS(ms), .depth = 2, .piece_ns = US(500) }

static const struct mix services[] = {
	{ .name = "5 ms at 60 Hz beside two", .c = {
		{ .exec_ns = MS(5), .period_ns = HZ60_NS, .depth = 1, .piece_ns = US(500) },
		HOG(1000), HOG(1000) } },
	{ .name = "2 ms at 60 Hz beside six", .c = {
		{ .exec_ns = MS(2), .period_ns = HZ60_NS, .depth = 1, .piece_ns = US(500) },
		HOG(150), HOG(300), HOG(450), HOG(600), HOG(750), HOG(900) } },
	{ .name = "2 ms at 60 Hz beside two that split their work", .c = {
		{ .exec_ns = MS(2), .period_ns = HZ60_NS, .depth = 1, .piece_ns = US(500) },
		{ .exec_ns = US(250), .think_ns = US(40), .depth = 1, UNCUT },
		{ .exec_ns = US(250), .think_ns = US(40), .depth = 1, UNCUT }, HOG(1000) } },
};

KUNIT_ARRAY_PARAM(service, services, name_mix);

/* Others add hardly more to latency than the distance of their preemption points, 500 us */
static void client_below_share_goes_first(struct kunit *test)
{
	const struct mix *mix = test->param_value;
	struct sched_sim *alone = measure(test, GVT_DISPATCH_PREEMPTIVE, mix->c, 1);
	struct sched_sim *s = measure(test, GVT_DISPATCH_PREEMPTIVE, mix->c, clients_of(mix));
	u64 least = U64_MAX, most = 0;
	u32 i;

	kunit_info(test, "p99 %llu us, alone %llu us, %llu hand-overs\n", p99_us(s, 0),
		   p99_us(alone, 0), s->hand_overs);
	KUNIT_EXPECT_LE(test, p99_us(s, 0), p99_us(alone, 0) + 500 + 100);
	KUNIT_EXPECT_EQ(test, s->v[0].done, alone->v[0].done);
	for (i = 1; i < s->vgpus; i++) {
		least = min(least, s->v[i].service_ns);
		most = max(most, s->v[i].service_ns);
	}
	KUNIT_EXPECT_GE(test, least * 100, most * 99);
	/* one per turn of 1 ms, and a few more */
	KUNIT_EXPECT_LE(test, s->hand_overs, 1200 * MIX_SECONDS);
}

/* The most that a vGPU executes in any 100 ms, sampled every 10 ms */
static u64 most_in_100_ms(struct sched_sim *s, u32 i)
{
	u64 before[10] = {}, most = 0;
	u32 n;

	for (n = 0; n < 300; n++) {
		sched_sim_run(s, MS(10));
		if (n >= 10)
			most = max(most, s->v[i].service_ns - before[n % 10]);
		before[n % 10] = s->v[i].service_ns;
	}

	return most;
}

/* A client that splits its work gets no more than its share plus a turn and a workload */
static void splitting_work_gains_nothing(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .depth = 1, UNCUT }, HOG(1000), HOG(1000),
	};
	struct sched_sim *s;
	u64 exec_us, think_us, most;

	for (exec_us = 50; exec_us < 8000; exec_us *= 2) {
		for (think_us = 20; think_us < exec_us; think_us *= 3) {
			clients[0].exec_ns = US(exec_us);
			clients[0].think_ns = US(think_us);
			s = new_mix(test, GVT_DISPATCH_PREEMPTIVE, clients, 3);
			sched_sim_run(s, SEC(1));
			most = most_in_100_ms(s, 0);
			kunit_info(test, "%llu us every %llu us: %llu us in 100 ms, %llu hand-overs\n",
				   exec_us, exec_us + think_us, div_u64(most, NSEC_PER_USEC),
				   s->hand_overs);
			KUNIT_EXPECT_LE(test, most, MS(100) / 3 + GVT_SCHED_TURN_NS +
					clients[0].exec_ns);
			KUNIT_EXPECT_LE(test, s->hand_overs, 1200 * 4);
		}
	}
}

/*
 * Nor do bursts gain time: in any 100 ms a client gets at most its share, a turn and a burst (up
 * to its share again), and over seconds hardly more than its share.
 */
static void bursts_gain_nothing(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(1), .depth = 1, .think_ns = US(40), .piece_ns = US(500) },
		HOG(1000), HOG(1000),
	};
	u64 share_ns = MS(100) / 3, before, most;
	struct sched_sim *s;

	for (clients[0].burst = 5; clients[0].burst < 200; clients[0].burst *= 2) {
		for (clients[0].rest_ns = MS(2); clients[0].rest_ns < MS(600);
		     clients[0].rest_ns *= 3) {
			s = new_mix(test, GVT_DISPATCH_PREEMPTIVE, clients, 3);
			sched_sim_run(s, SEC(2));
			before = s->v[0].service_ns;
			most = most_in_100_ms(s, 0);
			kunit_info(test, "bursts of %u ms, pauses of %llu us: %llu us in 100 ms\n",
				   clients[0].burst, div_u64(clients[0].rest_ns, NSEC_PER_USEC),
				   div_u64(most, NSEC_PER_USEC));
			KUNIT_EXPECT_LE(test, most, share_ns + GVT_SCHED_TURN_NS +
					min(clients[0].burst * MS(1), share_ns));
			KUNIT_EXPECT_LE(test, s->v[0].service_ns - before,
					SEC(3) / 3 + 2 * share_ns);
		}
	}
}

/* A client that pauses, but wants more than its share, gets at least 7/8 of its share */
static void pauses_cost_at_most_an_eighth(struct kunit *test)
{
	struct sched_sim_client clients[] = {
		{ .exec_ns = MS(30), .depth = 1, .piece_ns = MS(1) }, HOG(100), HOG(200), HOG(400),
	};
	struct sched_sim *s;

	for (clients[0].period_ns = MS(40); clients[0].period_ns <= MS(110);
	     clients[0].period_ns += MS(5)) {
		s = measure(test, GVT_DISPATCH_PREEMPTIVE, clients, 4);
		kunit_info(test, "every %llu us: share %llu of 10000\n",
			   div_u64(clients[0].period_ns, NSEC_PER_USEC),
			   sched_sim_share(s, 0, SEC(MIX_SECONDS)));
		KUNIT_EXPECT_GE(test, sched_sim_share(s, 0, SEC(MIX_SECONDS)), 2500 * 7 / 8);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(never_worse, mix_gen_params),
	KUNIT_CASE_PARAM(pausing_client_is_not_worse_off, pausing_gen_params),
	KUNIT_CASE(no_cliff),
	KUNIT_CASE_PARAM(client_below_share_goes_first, service_gen_params),
	KUNIT_CASE(splitting_work_gains_nothing),
	KUNIT_CASE(bursts_gain_nothing),
	KUNIT_CASE(pauses_cost_at_most_an_eighth),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_mix",
	.test_cases = cases,
};

kunit_test_suite(suite);
