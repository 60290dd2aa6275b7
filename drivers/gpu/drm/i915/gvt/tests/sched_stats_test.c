// SPDX-License-Identifier: GPL-2.0-only
/* Who had the engine while a workload waited: the parts must add up to the wait */

#include "../sched_stats.c"

#include <linux/prandom.h>

#include "sched_test.h"

#define NOBODY (GVT_STATS_HOLDERS - 1)
#define WAITS 10000

/* Who had the engine for how long, and in these tests, for how long nobody did */
struct holders {
	u64 ns[GVT_STATS_HOLDERS];
};

static void expect_sum(struct kunit *test, const struct gvt_engine_stats *stats, u64 wait_ns)
{
	u64 sum_ns = 0;
	u32 i;

	for (i = 0; i < GVT_STATS_HOLDERS; i++)
		sum_ns += stats->waited_ns[i];
	KUNIT_EXPECT_EQ(test, sum_ns, wait_ns);
}

static void each_holder_is_counted(struct kunit *test)
{
	static const struct holders queued = { { MS(5), MS(10), 0, 0, 0, 0, 0, MS(7) } };
	static const struct holders started = { { MS(6), MS(12), 0, MS(4), 0, 0, 0, MS(15) } };
	static const u64 expected_ns[GVT_STATS_HOLDERS] = {
		MS(1), MS(2), 0, MS(4), 0, 0, 0, MS(8), MS(3),
	};
	struct gvt_engine_stats stats = {};
	u32 i;

	gvt_stats_waited(&stats, queued.ns, started.ns, MS(18));
	for (i = 0; i < GVT_STATS_HOLDERS; i++)
		KUNIT_EXPECT_EQ(test, stats.waited_ns[i], expected_ns[i]);

	/* The next wait adds to it */
	gvt_stats_waited(&stats, queued.ns, started.ns, MS(18));
	for (i = 0; i < GVT_STATS_HOLDERS; i++)
		KUNIT_EXPECT_EQ(test, stats.waited_ns[i], 2 * expected_ns[i]);
}

/* The engine was idle, or was kept idle */
static void nobody_had_it(struct kunit *test)
{
	static const struct holders had = { { MS(1), MS(2), MS(3) } };
	struct gvt_engine_stats stats = {};

	gvt_stats_waited(&stats, had.ns, had.ns, MS(9));
	KUNIT_EXPECT_EQ(test, stats.waited_ns[NOBODY], MS(9));
	expect_sum(test, &stats, MS(9));
}

static void no_wait_counts_nothing(struct kunit *test)
{
	static const struct holders queued = { { 0, MS(2) } }, started = { { 0, MS(3) } };
	struct gvt_engine_stats stats = {};

	gvt_stats_waited(&stats, queued.ns, queued.ns, 0);
	expect_sum(test, &stats, 0);
	/* Nor a stay on the engine that the wait does not cover */
	gvt_stats_waited(&stats, queued.ns, started.ns, 0);
	KUNIT_EXPECT_EQ(test, stats.waited_ns[1], 0);
	expect_sum(test, &stats, 0);
}

static void holders_have_no_more_than_the_wait(struct kunit *test)
{
	static const struct holders queued = {}, started = { { 0, MS(3), MS(3) } };
	struct gvt_engine_stats stats = {};

	gvt_stats_waited(&stats, queued.ns, started.ns, MS(5));
	KUNIT_EXPECT_EQ(test, stats.waited_ns[1], MS(3));
	KUNIT_EXPECT_EQ(test, stats.waited_ns[2], MS(2));
	expect_sum(test, &stats, MS(5));
}

/* A reader without the lock can be ns behind the begin of a holder's first stay */
static void totals_wrap(struct kunit *test)
{
	static const struct holders queued = { { 0, -3ULL } }, started = { { 0, 4 } };
	struct gvt_engine_stats stats = {};

	gvt_stats_waited(&stats, queued.ns, started.ns, 10);
	KUNIT_EXPECT_EQ(test, stats.waited_ns[1], 7);
	expect_sum(test, &stats, 10);
}

/* The host and seven vGPUs, whose ids pass to other vGPUs, in any order */
static void random_waits_add_up(struct kunit *test)
{
	struct gvt_engine_stats stats = {};
	struct holders had = {}, queued;
	u64 wait_ns, total_ns = 0;
	struct rnd_state rnd;
	u32 i, n, ns;

	prandom_seed_state(&rnd, 77);
	for (i = 0; i < WAITS; i++) {
		queued = had;
		wait_ns = 0;
		for (n = prandom_u32_state(&rnd) % 10; n; n--) {
			ns = prandom_u32_state(&rnd);
			had.ns[prandom_u32_state(&rnd) % GVT_STATS_HOLDERS] += ns;
			wait_ns += ns;
		}
		gvt_stats_waited(&stats, queued.ns, had.ns, wait_ns);
		total_ns += wait_ns;
	}
	expect_sum(test, &stats, total_ns);
	for (i = 0; i < GVT_STATS_HOLDERS; i++)
		KUNIT_EXPECT_EQ(test, stats.waited_ns[i], had.ns[i]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_holder_is_counted),
	KUNIT_CASE(nobody_had_it),
	KUNIT_CASE(no_wait_counts_nothing),
	KUNIT_CASE(holders_have_no_more_than_the_wait),
	KUNIT_CASE(totals_wrap),
	KUNIT_CASE(random_waits_add_up),
	{}
};

static struct kunit_suite suite = {
	.name = "gvt_sched_stats",
	.test_cases = cases,
};

kunit_test_suite(suite);
