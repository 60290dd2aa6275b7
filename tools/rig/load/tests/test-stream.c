// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests of when streams submit and of what they count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "perturb.h"
#include "stream.h"

#define MS 1000000ull

static struct scenario_stream closed(unsigned int depth, uint64_t think_ns)
{
	return (struct scenario_stream) {
		.name = "s", .engine = "rcs0", .pieces = 1, .depth = depth, .exec_ns = 18 * MS,
		.think_ns = think_ns, .burst = 1,
	};
}

static struct scenario_stream open_arrivals(enum scenario_arrival arrival, uint64_t period_ns)
{
	return (struct scenario_stream) {
		.name = "s", .engine = "rcs0", .pieces = 1, .depth = 2, .exec_ns = 18 * MS,
		.arrival = arrival, .period_ns = period_ns, .seed = 1,
	};
}

static void closed_loop_thinks_after_completion(void **state)
{
	struct scenario_stream p = closed(1, 5 * MS);
	struct load_stream s;

	(void)state;
	load_stream_init(&s, &p, 100, 0, STREAM_NEVER);
	assert_int_equal(load_stream_next_ns(&s), 100);
	assert_false(load_stream_submit(&s, 110));
	assert_int_equal(load_stream_next_ns(&s), STREAM_NEVER);
	assert_int_equal(load_stream_in_flight(&s), 1);
	assert_int_equal(load_stream_complete(&s, 20 * MS, true), 0);
	assert_int_equal(load_stream_next_ns(&s), 25 * MS);
	assert_int_equal(s.latencies.ns[0], 20 * MS - 110);
	load_stream_free(&s);
}

/* Each of the slots is a loop of its own, in order of completion. */
/* A pause after every third, from the end of the last on, with two in flight. */
static void bursts_are_apart(void **state)
{
	struct scenario_stream p = closed(2, 100);
	struct load_stream s;

	(void)state;
	p.burst = 3;
	p.start_ns = 7;
	load_stream_init(&s, &p, 0, 0, STREAM_NEVER);
	assert_int_equal(load_stream_next_ns(&s), 7);
	load_stream_submit(&s, 7);
	load_stream_submit(&s, 7);
	load_stream_complete(&s, 10, true);
	assert_int_equal(load_stream_next_ns(&s), 10);
	load_stream_submit(&s, 10);
	load_stream_complete(&s, 20, true);
	assert_int_equal(load_stream_next_ns(&s), STREAM_NEVER);
	load_stream_complete(&s, 30, true);
	assert_int_equal(load_stream_next_ns(&s), 130);
	load_stream_submit(&s, 130);
	assert_int_equal(load_stream_next_ns(&s), 30);
	load_stream_free(&s);
}

static void what_is_dropped_has_not_failed(void **state)
{
	struct scenario_stream p = closed(2, 0);
	struct load_stream s;

	(void)state;
	load_stream_init(&s, &p, 0, 0, STREAM_NEVER);
	load_stream_submit(&s, 1);
	load_stream_submit(&s, 2);
	assert_int_equal(load_stream_submitted_ns(&s, 2), 2);
	load_stream_drop(&s, 5);
	assert_int_equal(s.dropped, 2);
	assert_int_equal(s.failed, 0);
	assert_int_equal(s.hangs, 0);
	assert_int_equal(load_stream_in_flight(&s), 0);
	assert_int_equal(load_stream_next_ns(&s), 5);
	load_stream_free(&s);
}

static void depth_is_kept(void **state)
{
	struct scenario_stream p = closed(3, MS);
	struct load_stream s;

	(void)state;
	load_stream_init(&s, &p, 0, 0, STREAM_NEVER);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(load_stream_next_ns(&s), 0);
		load_stream_submit(&s, 0);
	}
	assert_int_equal(load_stream_next_ns(&s), STREAM_NEVER);
	load_stream_complete(&s, 10 * MS, true);
	load_stream_complete(&s, 12 * MS, true);
	assert_int_equal(load_stream_next_ns(&s), 11 * MS);
	load_stream_submit(&s, 11 * MS);
	assert_int_equal(load_stream_next_ns(&s), 13 * MS);
	load_stream_submit(&s, 13 * MS);
	assert_int_equal(load_stream_next_ns(&s), STREAM_NEVER);
	assert_int_equal(load_stream_in_flight(&s), 3);
	load_stream_free(&s);
}

static void count_ends_the_stream(void **state)
{
	struct scenario_stream p = closed(2, 0);
	struct load_stream s;

	(void)state;
	p.count = 3;
	load_stream_init(&s, &p, 0, 0, STREAM_NEVER);
	for (int i = 0; i < 3; i++) {
		assert_true(load_stream_next_ns(&s) <= MS);
		load_stream_submit(&s, MS);
		load_stream_complete(&s, MS, true);
	}
	assert_int_equal(load_stream_next_ns(&s), STREAM_NEVER);
	assert_int_equal(s.done, 3);
	load_stream_free(&s);
}

/* The grid does not drift, and a frame that waited for a slot was late already. */
static void periodic_arrivals_keep_their_grid(void **state)
{
	struct scenario_stream p = open_arrivals(SCENARIO_PERIODIC, 10 * MS);
	struct load_stream s;

	(void)state;
	load_stream_init(&s, &p, 5 * MS, 0, STREAM_NEVER);
	assert_int_equal(load_stream_next_ns(&s), 5 * MS);
	load_stream_submit(&s, 6 * MS);
	assert_int_equal(load_stream_next_ns(&s), 15 * MS);
	load_stream_submit(&s, 15 * MS);
	assert_int_equal(load_stream_next_ns(&s), STREAM_NEVER);
	load_stream_complete(&s, 40 * MS, true);
	assert_int_equal(s.latencies.ns[0], 35 * MS);
	assert_int_equal(load_stream_next_ns(&s), 25 * MS);
	load_stream_submit(&s, 40 * MS);
	load_stream_complete(&s, 41 * MS, true);
	load_stream_complete(&s, 60 * MS, true);
	assert_int_equal(s.latencies.ns[2], 35 * MS);
	load_stream_free(&s);
}

/* Gaps of 50 ms on average; the mean of 20000 has a standard error of 0.35 ms. */
static void poisson_arrivals_have_the_right_mean_and_repeat(void **state)
{
	struct scenario_stream p = open_arrivals(SCENARIO_POISSON, 50 * MS);
	struct load_stream a, b;
	uint64_t mean_ns;

	(void)state;
	load_stream_init(&a, &p, 0, 0, 1);
	load_stream_init(&b, &p, 0, 0, 1);
	for (int i = 0; i < 20000; i++) {
		uint64_t next = load_stream_next_ns(&a);

		assert_int_equal(next, load_stream_next_ns(&b));
		load_stream_submit(&a, next);
		load_stream_submit(&b, next);
		load_stream_complete(&a, next, true);
		load_stream_complete(&b, next, true);
	}
	mean_ns = load_stream_next_ns(&a) / 20001;
	assert_in_range(mean_ns, 48500000, 51500000);
}

static void seeds_differ(void **state)
{
	struct scenario_stream p = open_arrivals(SCENARIO_POISSON, 50 * MS);
	struct load_stream a, b;

	(void)state;
	load_stream_init(&a, &p, 0, 0, 1);
	p.seed = 2;
	load_stream_init(&b, &p, 0, 0, 1);
	assert_int_not_equal(load_stream_next_ns(&a), load_stream_next_ns(&b));
}

static void perturbing_repeats_and_is_bounded(void **state)
{
	struct scenario_stream a[3] = { { .seed = 1 } }, b[3] = { { .seed = 1 } };
	struct scenario_vgpu va = { .streams = a, .n_streams = 3 };
	struct scenario_vgpu vb = { .streams = b, .n_streams = 3 };
	struct scenario sa = { .vgpus = &va, .n_vgpus = 1 }, sb = { .vgpus = &vb, .n_vgpus = 1 };

	(void)state;
	perturb(&sa, 0);
	assert_int_equal(a[0].start_ns, 0);
	assert_int_equal(a[0].seed, 1);
	perturb(&sa, 7);
	perturb(&sb, 7);
	for (int i = 0; i < 3; i++) {
		assert_in_range(a[i].start_ns, 1, PERTURB_START_NS - 1);
		assert_int_equal(a[i].start_ns, b[i].start_ns);
		assert_int_equal(a[i].seed, b[i].seed);
	}
	assert_int_not_equal(a[0].start_ns, a[1].start_ns);
	assert_int_not_equal(a[0].seed, 1);
	perturb(&sb, 8);
	assert_int_not_equal(b[0].start_ns, 2 * a[0].start_ns);
}

static void window_is_half_open(void **state)
{
	static const uint64_t at[] = { 99, 100, 199, 200 };
	struct scenario_stream p = closed(1, 0);
	struct load_stream s;

	(void)state;
	load_stream_init(&s, &p, 0, 100, 200);
	for (int i = 0; i < 4; i++) {
		load_stream_submit(&s, 0);
		load_stream_complete(&s, at[i], true);
	}
	assert_int_equal(s.done, 2);
	assert_int_equal(s.latencies.n, 2);
	load_stream_free(&s);
}

static void failures_count_outside_the_window(void **state)
{
	struct scenario_stream p = closed(2, MS);
	struct load_stream s;

	(void)state;
	p.hang_at = 2;
	load_stream_init(&s, &p, 0, 100, 200);
	assert_false(load_stream_submit(&s, 0));
	load_stream_complete(&s, 50, false);
	assert_true(load_stream_submit(&s, 60));
	assert_false(load_stream_submit(&s, 60));
	load_stream_lose(&s, 300);
	assert_int_equal(s.done, 0);
	assert_int_equal(s.failed, 3);
	assert_int_equal(s.hangs, 1);
	assert_int_equal(load_stream_in_flight(&s), 0);
	assert_int_equal(load_stream_next_ns(&s), 300 + MS);
	load_stream_free(&s);
}

static char *result_of(struct load_stream *s)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	load_stream_print(s, "a", out);
	fclose(out);
	return text;
}

static void result_line(void **state)
{
	struct scenario_stream p = closed(1, 0);
	struct load_stream s;
	char *text;

	(void)state;
	load_stream_init(&s, &p, 0, 0, 1000);
	for (uint64_t i = 1; i <= 200; i++) {
		load_stream_submit(&s, 0);
		load_stream_complete(&s, 201 - i, true);
	}
	text = result_of(&s);
	assert_string_equal(text, "RESULT vgpu=a stream=s engine=rcs0 done=200 failed=0 hangs=0 "
			    "exec_ns=18000000 latency_mean_ns=100 latency_p99_ns=198 "
			    "latency_max_ns=200 window_ns=1000\n");
	free(text);
	load_stream_free(&s);
}

static void nothing_done_is_unknown_latency(void **state)
{
	struct scenario_stream p = closed(1, 0);
	struct load_stream s;
	char *text;

	(void)state;
	load_stream_init(&s, &p, 0, 0, 1000);
	text = result_of(&s);
	assert_string_equal(text, "RESULT vgpu=a stream=s engine=rcs0 done=0 failed=0 hangs=0 "
			    "exec_ns=18000000 latency_mean_ns=unknown latency_p99_ns=unknown "
			    "latency_max_ns=unknown window_ns=1000\n");
	free(text);
}

static void percentiles_are_nearest_rank(void **state)
{
	struct latencies l = { NULL, 0, 0 };

	(void)state;
	assert_int_equal(latencies_add(&l, 7), 0);
	assert_int_equal(latencies_percentile(&l, 1), 7);
	assert_int_equal(latencies_percentile(&l, 100), 7);
	for (uint64_t i = 10000; i > 0; i--)
		latencies_add(&l, 100 * i);
	assert_int_equal(l.n, 10001);
	assert_int_equal(latencies_percentile(&l, 50), 500000);
	assert_int_equal(latencies_percentile(&l, 99), 990000);
	assert_int_equal(latencies_percentile(&l, 100), 1000000);
	assert_int_equal(latencies_mean(&l), (7 + 100ull * 10000 * 10001 / 2) / 10001);
	latencies_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_loop_thinks_after_completion),
		cmocka_unit_test(bursts_are_apart),
		cmocka_unit_test(what_is_dropped_has_not_failed),
		cmocka_unit_test(depth_is_kept),
		cmocka_unit_test(count_ends_the_stream),
		cmocka_unit_test(periodic_arrivals_keep_their_grid),
		cmocka_unit_test(poisson_arrivals_have_the_right_mean_and_repeat),
		cmocka_unit_test(seeds_differ),
		cmocka_unit_test(perturbing_repeats_and_is_bounded),
		cmocka_unit_test(window_is_half_open),
		cmocka_unit_test(failures_count_outside_the_window),
		cmocka_unit_test(result_line),
		cmocka_unit_test(nothing_done_is_unknown_latency),
		cmocka_unit_test(percentiles_are_nearest_rank),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
