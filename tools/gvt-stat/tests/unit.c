// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts whose corner cases are hard to reach through a whole trace.
 */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>

#include "analysis/depth-private.h"
#include "analysis/path-private.h"
#include "analysis/streams.h"
#include "analysis/inside.h"
#include "analysis/waterfill.h"
#include "compare/estimate.h"
#include "export/page-bins.h"
#include "predict/prophet.h"
#include "host/browse.h"
#include "host/supervise.h"
#include "export/bits.h"
#include "output/order.h"
#include "output/screen.h"
#include "output/stash.h"
#include "trace/engine.h"
#include "trace/inside.h"
#include "trace/util.h"
#include "whatif/measure.h"
#include "whatif/resample.h"

#define S	NSEC_PER_SEC

static void timespan_reads_seconds(void **state)
{
	struct timespan span;

	(void)state;
	assert_true(timespan_parse("12.5,+3", &span));
	assert_int_equal(span.from.ns, 12 * S + S / 2);
	assert_false(span.from.relative);
	assert_int_equal(span.to.ns, 3 * S);
	assert_true(span.to.relative);
	/* more digits than a double has */
	assert_true(timespan_parse("1234567890.123456789,", &span));
	assert_int_equal(span.from.ns, 1234567890123456789);
	assert_false(known(span.to.ns));
	assert_true(timespan_parse(",", &span));
	assert_false(known(span.from.ns));
	assert_true(timespan_parse("1.,2", &span));
	assert_int_equal(span.from.ns, S);
	assert_true(timespan_parse("+250ms,2m", &span));
	assert_int_equal(span.from.ns, S / 4);
	assert_true(span.from.relative);
	assert_int_equal(span.to.ns, 120 * S);
}

static void timespan_refuses_the_rest(void **state)
{
	static const char *const bad[] = {
		"", "1", "1,2,3", "-1,2", "1e3,2", " 1,2", "1,2h", "s,1", "1.0000000001,2", "+,2", ".5,1",
		"9223372037,", "99999999999999999999,", "0x10,", "1..2,3", "++1,2",
	};
	struct timespan span;

	(void)state;
	for (size_t nr = 0; nr < sizeof(bad) / sizeof(bad[0]); nr++)
		if (timespan_parse(bad[nr], &span))
			fail_msg("'%s' was taken", bad[nr]);
}

static void timespan_stays_inside_the_trace(void **state)
{
	const struct window trace = { 100 * S, 200 * S };
	struct timespan span;
	struct window window;

	(void)state;
	timespan_parse("0,+10", &span);
	window = timespan_resolve(&span, trace);
	assert_int_equal(window.from_ns, 100 * S);
	assert_int_equal(window.to_ns, 110 * S);
	timespan_parse("+90,+110", &span);
	window = timespan_resolve(&span, trace);
	assert_int_equal(window.from_ns, 190 * S);
	assert_int_equal(window.to_ns, 200 * S);
	timespan_parse("300,", &span);
	window = timespan_resolve(&span, trace);
	assert_true(window.from_ns > window.to_ns);
}

static void depth_weighs_by_time(void **state)
{
	const struct window window = { 100, 200 };
	struct depth depth = { 0 };

	(void)state;
	depth_change(&depth, &window, 50, 1);
	depth_change(&depth, &window, 150, 1);
	depth_change(&depth, &window, 160, -1);
	depth_change(&depth, &window, 180, -1);
	depth_change(&depth, &window, 250, 1);
	depth_change(&depth, &window, 260, 1);
	depth_finish(&depth, &window);
	assert_true(fabs(depth_mean(&depth, &window) - 0.9) < 1e-12);
	assert_int_equal(depth_max(&depth), 2);
}

static void depth_holds_what_was_before_the_window(void **state)
{
	const struct window window = { 100, 200 };
	struct depth depth = { 0 };

	(void)state;
	depth_change(&depth, &window, 10, 1);
	depth_change(&depth, &window, 20, 1);
	depth_change(&depth, &window, 300, -1);
	depth_finish(&depth, &window);
	assert_true(fabs(depth_mean(&depth, &window) - 2) < 1e-12);
	assert_int_equal(depth_max(&depth), 2);
}

static void depth_is_rebuilt_from_those_who_leave(void **state)
{
	const struct window window = { 0, 100 };
	struct depth depth = { 0 };

	(void)state;
	/* a and b wait from before the window, c comes at 30 */
	depth_initial(&depth);
	depth_change(&depth, &window, 20, -1);
	depth_change(&depth, &window, 30, 1);
	depth_change(&depth, &window, 40, -1);
	depth_initial(&depth);
	depth_change(&depth, &window, 50, -1);
	depth_finish(&depth, &window);
	/* 2 until 20, 1 until 30, 2 until 40, 1 until 50, 0 */
	assert_true(fabs(depth_mean(&depth, &window) - 0.8) < 1e-12);
	assert_int_equal(depth_max(&depth), 2);
}

static void depth_of_an_empty_window_is_unknown(void **state)
{
	const struct window window = { 100, 100 };
	struct depth depth = { 0 };

	(void)state;
	depth_finish(&depth, &window);
	assert_true(isnan(depth_mean(&depth, &window)));
}

static void series_of_nothing_is_unknown(void **state)
{
	struct series *series = series_new();
	struct summary summary;

	(void)state;
	series_add(series, UNKNOWN, 1, 1);
	summary = series_summary(series);
	assert_int_equal(summary.count, 0);
	assert_true(isnan(summary.mean_ns) && isnan(summary.p99_ns));
	assert_false(known(summary.max_ns));
	series_free(series);
}

static double draw(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	/* from 1 ns to some 10^12, spread over all sizes */
	return floor(exp((*state >> 40) / 16777216.0 * 28));
}

static int compare_doubles(const void *a, const void *b)
{
	double da = *(const double *)a, db = *(const double *)b;

	return (da > db) - (da < db);
}

static void series_of_many_is_near_enough(void **state)
{
	static double values[50 * SERIES_EXACT];
	const size_t count = sizeof(values) / sizeof(values[0]);
	struct series *series = series_new();
	struct summary summary;
	uint64_t random = 1;
	double sum = 0;

	(void)state;
	for (size_t nr = 0; nr < count; nr++) {
		values[nr] = draw(&random);
		sum += values[nr];
		series_add(series, values[nr], nr, nr);
	}
	qsort(values, count, sizeof(values[0]), compare_doubles);
	summary = series_summary(series);
	assert_int_equal(summary.count, count);
	assert_true(fabs(summary.mean_ns / (sum / count) - 1) < 1e-12);
	assert_true(fabs(summary.p50_ns / values[count / 2] - 1) < 0.003);
	assert_true(fabs(summary.p95_ns / values[count * 95 / 100] - 1) < 0.003);
	assert_true(fabs(summary.p99_ns / values[count * 99 / 100] - 1) < 0.003);
	assert_true(summary.max_ns == values[count - 1]);
	series_free(series);
}

static void series_of_many_equal_is_exact_in_the_mean(void **state)
{
	struct series *series = series_new();
	struct summary summary;

	(void)state;
	for (int nr = 0; nr < 3 * SERIES_EXACT; nr++)
		series_add(series, 18006896, nr, nr);
	summary = series_summary(series);
	assert_true(summary.mean_ns == 18006896 && summary.stderr_percent == 0);
	/* never beyond the longest */
	assert_true(summary.p99_ns <= 18006896 && summary.p50_ns > 18006896 * 0.998);
	series_free(series);
}

static void series_names_the_first_of_the_worst(void **state)
{
	struct series *series = series_new();
	struct summary summary;

	(void)state;
	series_add(series, 5, 10, 1);
	series_add(series, 9, 20, 2);
	series_add(series, 9, 30, 3);
	series_add(series, 1, 40, 4);
	summary = series_summary(series);
	assert_int_equal(summary.max_ns, 9);
	assert_int_equal(summary.max_at_ns, 20);
	assert_int_equal(summary.max_workload_id, 2);
	assert_true(summary.p50_ns == 7 && summary.mean_ns == 6);
	/* one value has no error */
	series_free(series);
	series = series_new();
	series_add(series, 5, 10, 1);
	summary = series_summary(series);
	assert_true(isnan(summary.stderr_percent) && summary.p99_ns == 5);
	series_free(series);
}

/* values of two series, the second after the first, and the sum of both */
static struct series *merged(const int64_t *values, int first, int second)
{
	struct series *to = series_new(), *from = series_new();

	for (int nr = 0; nr < first + second; nr++)
		series_add(nr < first ? to : from, values[nr], nr, nr);
	series_merge(to, from);
	series_free(from);
	return to;
}

static void series_merge_as_if_they_were_one(void **state)
{
	static const int splits[][2] = {
		{ 0, 0 }, { 0, 7 }, { 7, 0 }, { 20, 30 }, { 3000, 3000 },
		{ 2 * SERIES_EXACT, 10 }, { 10, 2 * SERIES_EXACT },
		{ 2 * SERIES_EXACT, 2 * SERIES_EXACT },
	};
	static int64_t values[4 * SERIES_EXACT];
	uint64_t random = 1;

	(void)state;
	for (size_t nr = 0; nr < sizeof(values) / sizeof(values[0]); nr++)
		values[nr] = draw(&random) / 1000000;
	for (size_t nr = 0; nr < sizeof(splits) / sizeof(splits[0]); nr++) {
		int count = splits[nr][0] + splits[nr][1];
		struct series *two = merged(values, splits[nr][0], splits[nr][1]);
		struct series *one = merged(values, count, 0);
		struct summary a = series_summary(one), b = series_summary(two);

		assert_int_equal(a.count, b.count);
		assert_int_equal(a.max_ns, b.max_ns);
		assert_int_equal(a.max_at_ns, b.max_at_ns);
		assert_int_equal(a.max_workload_id, b.max_workload_id);
		assert_true(isnan(a.mean_ns) ? isnan(b.mean_ns) : a.mean_ns == b.mean_ns);
		assert_true(isnan(a.p99_ns) ? isnan(b.p99_ns) : a.p99_ns == b.p99_ns);
		assert_true(isnan(a.stderr_percent) ? isnan(b.stderr_percent) :
			    fabs(a.stderr_percent / b.stderr_percent - 1) < 1e-9);
		series_free(one);
		series_free(two);
	}
}

/* as they are kept, and counted by size when they are many */
static void series_counts_by_powers_of_two(void **state)
{
	uint64_t few[SERIES_POWERS], many[SERIES_POWERS], expected[SERIES_POWERS] = { 0 };
	struct series *series = series_new();
	uint64_t random = 1;

	(void)state;
	for (int nr = 0; nr < 3 * SERIES_EXACT; nr++) {
		int64_t value;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		/* of every size that an int64_t has, and 0 */
		value = nr % 100 ? (int64_t)(random >> 1 >> (random % 63)) : 0;
		series_add(series, value, 0, 0);
		for (int power = SERIES_POWERS - 1; power >= 0; power--)
			if (value >> power || !power) {
				expected[power]++;
				break;
			}
		/* doubles cannot tell the largest from the next power */
		if (nr == SERIES_EXACT - 1) {
			series_count(series, few);
			for (int power = 0; power < 52; power++)
				assert_int_equal(few[power], expected[power]);
		}
	}
	series_count(series, many);
	for (int power = 0; power < 52; power++)
		assert_int_equal(many[power], expected[power]);
	series_free(series);
}

static void lengths_of_time_have_units(void **state)
{
	static const struct { const char *text; int64_t ns; } lengths[] = {
		{ "1", NSEC_PER_SEC }, { "1s", NSEC_PER_SEC }, { "0.25", NSEC_PER_SEC / 4 },
		{ "2m", 120 * NSEC_PER_SEC }, { "100ms", 100 * NSEC_PER_MSEC },
		{ "20us", 20000 }, { "1.5ms", 1500000 }, { "0.000000001", 1 },
		{ "1.5", 1500000000 }, { "7ns", 7 }, { "30000000000ns", 30 * NSEC_PER_SEC }, { "1.75ns", 1 },
		{ "0.123456789m", 7407407340 }, { "1.999us", 1999 },
	};
	static const char *const bad[] = {
		"", "s", "0", "0ms", "-1", "+1", "1h", "1 s", "1e3", "1.s.", "0.0001us",
		"99999999999999999999", "9000000000m", "1,5", "1ks", "1mm", "0x1s",
	};
	int64_t ns;

	(void)state;
	for (size_t nr = 0; nr < sizeof(lengths) / sizeof(lengths[0]); nr++) {
		assert_true(timespan_length(lengths[nr].text, &ns));
		assert_int_equal(ns, lengths[nr].ns);
	}
	for (size_t nr = 0; nr < sizeof(bad) / sizeof(bad[0]); nr++)
		if (timespan_length(bad[nr], &ns))
			fail_msg("'%s' was read as %lld ns", bad[nr], (long long)ns);
}

static void engines_have_names(void **state)
{
	char name[ENGINE_NAME_LEN];

	(void)state;
	assert_string_equal(engine_name(name, 0, 0), "rcs0");
	assert_string_equal(engine_name(name, 2, 1), "vcs1");
	assert_string_equal(engine_name(name, 3, 0), "vecs0");
	assert_string_equal(engine_name(name, 7, 2), "class7-2");
}

static int end_well(void *arg)
{
	return *(int *)arg;
}

static int crash(void *arg)
{
	(void)arg;
	return kill(getpid(), SIGABRT);
}

static int hang(void *arg)
{
	volatile int *on = arg;

	while (*on)
		;
	return 0;
}

static int close_pipe(void *arg)
{
	(void)arg;
	return kill(getpid(), SIGPIPE);
}

/* supervised - status and first bytes of stderr of a program that supervises @command */
static int supervised(int (*command)(void *arg), int arg, char *text, size_t len)
{
	int fds[2], status;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[1]);
		_exit(supervise("file", 0, command, &arg));
	}
	close(fds[1]);
	waitpid(pid, &status, 0);
	/* all of it fits into the pipe, or there was none */
	got = read(fds[0], text, len - 1);
	text[got > 0 ? got : 0] = '\0';
	close(fds[0]);
	return status;
}

static void supervisor_tells_crashes(void **state)
{
	char text[256];
	int status;

	(void)state;
	status = supervised(crash, 0, text, sizeof(text));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_non_null(strstr(text, "gvt-stat: file: reading it crashed libtracecmd (Aborted)"));
}

static void supervisor_ends_hangs(void **state)
{
	char text[256];
	int status;

	(void)state;
	status = supervised(hang, 1, text, sizeof(text));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_non_null(strstr(text, "gvt-stat: file: libtracecmd makes no progress"));
}

static int take_memory(void *arg)
{
	void *volatile memory = malloc(UINT64_C(1) << 30);

	(void)arg;
	/* as glib does where there is none */
	if (!memory)
		abort();
	free(memory);
	return 0;
}

static int take_memory_of_large(void *arg)
{
	FILE *file = tmpfile();
	char path[64];

	if (!file || ftruncate(fileno(file), 16 << 20))
		return 9;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
	supervise_allow(path);
	return take_memory(arg);
}

static void supervisor_limits_memory(void **state)
{
	char text[256];
	int status;

	(void)state;
	status = supervised(take_memory, 0, text, sizeof(text));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_non_null(strstr(text, "took more memory than"));
	/* a byte of a trace is worth 128: 16 MiB allow 2 GiB more */
	status = supervised(take_memory_of_large, 0, text, sizeof(text));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void supervisor_passes_the_rest_on(void **state)
{
	char text[256];
	int status;

	(void)state;
	status = supervised(end_well, 3, text, sizeof(text));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
	status = supervised(close_pipe, 0, text, sizeof(text));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGPIPE);
	assert_string_equal(text, "");
}

static void welch_is_as_computed_by_hand(void **state)
{
	const double y_a[] = { 10, 20, 30, 10, 30 }, y_b[] = { 40, 50, 40, 50, 40, 50 };
	const double x[] = { 1, 1, 1, 1, 1, 1 };
	struct estimate a = estimate_ratio(y_a, x, 5), b = estimate_ratio(y_b, x, 6);
	struct contrast contrast = contrast_welch(&a, &b);

	(void)state;
	/* variances 100/5 and 30/6; 25^2 / (20^2 / 4 + 5^2 / 5) = 5.952 degrees of freedom */
	assert_true(fabs(a.variance - 20) < 1e-9);
	assert_true(fabs(b.variance - 5) < 1e-9);
	assert_true(fabs(contrast.difference - 25) < 1e-9);
	assert_true(fabs(contrast.high - contrast.low - 2 * 2.4516 * 5) < 1e-2);
	/* from four blocks, nobody can tell; from empty ones neither */
	a = estimate_ratio(y_a, x, 4);
	assert_true(isnan(contrast_welch(&a, &b).low));
}

static void ratio_weighs_blocks_by_their_size(void **state)
{
	const double y[] = { 10, 90, 0 }, x[] = { 1, 3, 0 };
	struct estimate estimate = estimate_ratio(y, x, 3);

	(void)state;
	assert_true(fabs(estimate.value - 25) < 1e-9);
	/* of the two that have something: (15^2 + 15^2) / (2 - 1) / 2 / (4/2)^2 */
	assert_int_equal(estimate.blocks, 2);
	assert_true(fabs(estimate.variance - 450.0 / 2 / 4) < 1e-9);
	assert_true(isnan(estimate_ratio(y, x, 0).value));
	assert_true(isnan(estimate_ratio(y, x, 1).variance));
	assert_true(isnan(estimate_ratio(y, x + 2, 1).value));
}

#define MAX_SIM_BLOCKS	20

/* what the workloads of a block have in common is larger than what they have not */
static GArray *simulate(gsl_rng *rng, unsigned int blocks, double mean, double *y, double *x)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(struct block_value));

	for (unsigned int block = 0; block < blocks; block++) {
		double common = mean + gsl_ran_gaussian(rng, 2);

		x[block] = 20 + gsl_rng_uniform_int(rng, 21);
		y[block] = 0;
		for (int nr = 0; nr < x[block]; nr++) {
			struct block_value value = {
				common + gsl_ran_gaussian(rng, 1), block, 1
			};

			y[block] += value.value;
			g_array_append_val(values, value);
		}
	}
	return values;
}

struct coverage {
	int means, medians, p95s, unclear;
};

static bool covers(const struct contrast *contrast)
{
	return contrast->low <= 1 && contrast->high >= 1;
}

static void cover(gsl_rng *rng, unsigned int blocks, struct coverage *coverage)
{
	double y[2][MAX_SIM_BLOCKS], x[2][MAX_SIM_BLOCKS];
	GArray *a = simulate(rng, blocks, 10, y[0], x[0]);
	GArray *b = simulate(rng, blocks, 11, y[1], x[1]);
	struct estimate from_a = estimate_ratio(y[0], x[0], blocks);
	struct estimate from_b = estimate_ratio(y[1], x[1], blocks);
	struct contrast contrast = contrast_welch(&from_a, &from_b);
	struct quantile one, two;

	coverage->means += covers(&contrast);
	one = estimate_quantile(a, blocks, 0.5);
	two = estimate_quantile(b, blocks, 0.5);
	contrast = contrast_quantile(&one, &two);
	coverage->medians += covers(&contrast) || isnan(contrast.low);
	one = estimate_quantile(a, blocks, 0.95);
	two = estimate_quantile(b, blocks, 0.95);
	contrast = contrast_quantile(&one, &two);
	coverage->p95s += covers(&contrast) || isnan(contrast.low) || isnan(contrast.high);
	coverage->unclear += isnan(contrast.low) || isnan(contrast.high);
	g_array_free(a, TRUE);
	g_array_free(b, TRUE);
}

/* 95 %, give or take 3 standard errors; of quantiles, more is no harm */
static void intervals_cover_the_truth_as_often_as_they_say(void **state)
{
	static const unsigned int sizes[] = { ESTIMATE_MIN_BLOCKS, 8, MAX_SIM_BLOCKS };
	const int runs = 1000;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t nr = 0; nr < sizeof(sizes) / sizeof(sizes[0]); nr++) {
		struct coverage coverage = { 0 };

		for (int run = 0; run < runs; run++)
			cover(rng, sizes[nr], &coverage);
		if (coverage.means < 0.929 * runs || coverage.means > 0.975 * runs)
			fail_msg("Welch, %u blocks: %d of %d", sizes[nr], coverage.means, runs);
		if (coverage.medians < 0.929 * runs)
			fail_msg("median, %u blocks: %d of %d", sizes[nr], coverage.medians, runs);
		if (coverage.p95s < 0.929 * runs)
			fail_msg("p95, %u blocks: %d of %d, %d unclear", sizes[nr],
				 coverage.p95s, runs, coverage.unclear);
	}
	gsl_rng_free(rng);
}

static struct block_value some_value(double value, unsigned int block, unsigned int count)
{
	return (struct block_value) { value, block, count };
}

/* in per cent: how often another window is in the range of ten */
static double reached(gsl_rng *rng, double (*draw)(const gsl_rng *rng))
{
	const unsigned int rounds = 20000;
	unsigned int inside = 0;

	for (unsigned int round = 0; round < rounds; round++) {
		double values[10], least, most, next = draw(rng);

		for (size_t nr = 0; nr < G_N_ELEMENTS(values); nr++)
			values[nr] = draw(rng);
		measure_reach(values, G_N_ELEMENTS(values), &least, &most);
		inside += least <= next && next <= most;
	}
	return 100.0 * inside / rounds;
}

static double draw_normal(const gsl_rng *rng)
{
	return 100 + gsl_ran_ugaussian(rng);
}

static double draw_one_of_two(const gsl_rng *rng)
{
	return gsl_rng_uniform(rng) < 0.5 ? 30 : 40;
}

static void ranges_reach_further_than_ten_windows(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double least, most;

	(void)state;
	assert_true(reached(rng, gsl_rng_uniform) > 89);
	assert_true(reached(rng, draw_normal) > 87);
	assert_true(reached(rng, draw_one_of_two) > 99);
	gsl_rng_free(rng);

	measure_reach((double []){ 5, 1, 3 }, 3, &least, &most);
	assert_true(least == 0 && most == 7);
	measure_reach((double []){ 5 }, 1, &least, &most);
	assert_true(least == 5 && most == 5);
	measure_reach((double []){ INFINITY, 1, INFINITY }, 3, &least, &most);
	assert_true(least == 1 && isinf(most));
}

static void one_more_may_be_as_long_as_the_worst(void **state)
{
	double values[MEASURES] = {
		[MEASURE_SHARE] = 90, [MEASURE_COMPLETED] = 1, [MEASURE_MEAN] = 9e8, [MEASURE_P50] = 9e8,
		[MEASURE_P95] = 9e8, [MEASURE_P99] = 9e8, [MEASURE_WORST] = 9e8,
	};
	double least[MEASURES], most[MEASURES];

	(void)state;
	/* of ten alike, one more or less changes their number and share only */
	memcpy(least, values, sizeof(least));
	memcpy(most, values, sizeof(most));
	measure_blur(values, 10 * S, least, most);
	assert_true(least[MEASURE_MEAN] == 9e8 && most[MEASURE_MEAN] == 9e8);
	assert_true(least[MEASURE_COMPLETED] == 0.9 && most[MEASURE_COMPLETED] == 1.1);
	assert_true(least[MEASURE_SHARE] == 81 && most[MEASURE_SHARE] == 99);
	values[MEASURE_WORST] = 19e8;
	measure_blur(values, 10 * S, least, most);
	assert_true(least[MEASURE_MEAN] == 8e8 && most[MEASURE_MEAN] == 10e8);
	/* what is unknown remains so */
	for (int id = 0; id < MEASURES; id++)
		values[id] = id == MEASURE_COMPLETED ? 1 : NAN;
	for (int id = 0; id < MEASURES; id++)
		least[id] = most[id] = values[id];
	measure_blur(values, 10 * S, least, most);
	for (int id = 0; id < MEASURES; id++)
		assert_int_equal(isnan(least[id]) && isnan(most[id]), id != MEASURE_COMPLETED);
}

#define ARRIVALS	100
#define WINDOWS		5
#define WINDOW_NS	(10 * S)

/* @exec_ns names the arrival */
static GArray *random_arrivals(gsl_rng *rng)
{
	GArray *work = g_array_new(FALSE, FALSE, sizeof(struct stream_work));

	for (int nr = 0; nr < ARRIVALS; nr++) {
		const struct stream_work one = {
			nr, nr * (WINDOW_NS / ARRIVALS) + gsl_rng_uniform_int(rng, S / 20), 0,
		};

		g_array_append_val(work, one);
	}
	return work;
}

/* how often each arrival is in the further windows, by its number; checks the order */
static void count_arrivals(const GArray *all, unsigned int counts[ARRIVALS])
{
	int64_t before_ns = 0;

	for (unsigned int nr = 0; nr < all->len; nr++) {
		const struct stream_work *work = &g_array_index(all, struct stream_work, nr);

		assert_true(work->at_ns >= before_ns && work->at_ns < WINDOWS * (WINDOW_NS + S));
		before_ns = work->at_ns;
		if (work->at_ns >= WINDOW_NS + S && work->at_ns % (WINDOW_NS + S) < WINDOW_NS)
			counts[work->exec_ns]++;
	}
}

/* @all begins like @first */
static void expect_arrivals(const GArray *all, const GArray *first)
{
	for (unsigned int nr = 0; nr < first->len; nr++) {
		const struct stream_work *one = &g_array_index(all, struct stream_work, nr);
		const struct stream_work *other = &g_array_index(first, struct stream_work, nr);

		assert_true(one->exec_ns == other->exec_ns && one->at_ns == other->at_ns);
	}
}

static void other_recordings_have_the_same_load_on_average(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	GArray *work = random_arrivals(rng), *all, *again;
	unsigned int counts[ARRIVALS] = { 0 };

	(void)state;
	gsl_rng_free(rng);
	all = resample_arrivals(work, WINDOW_NS, S, WINDOWS, 1);
	expect_arrivals(all, work);
	count_arrivals(all, counts);
	for (int nr = 0; nr < ARRIVALS; nr++)
		assert_int_equal(counts[nr], WINDOWS - 1);
	again = resample_arrivals(work, WINDOW_NS, S, WINDOWS, 1);
	assert_int_equal(again->len, all->len);
	expect_arrivals(again, all);
	g_array_free(again, TRUE);
	g_array_free(all, TRUE);
	g_array_set_size(work, 1);
	all = resample_arrivals(work, WINDOW_NS, S, WINDOWS, 1);
	assert_in_range(all->len, WINDOWS - 1, 2 * WINDOWS);
	g_array_free(all, TRUE);
	g_array_free(work, TRUE);
}

static void quantiles_take_values_enough(void **state)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(struct block_value));
	struct quantile quantile;

	(void)state;
	for (unsigned int block = 0; block < 10; block++) {
		struct block_value two[] = {
			some_value(1, block, 3), some_value(2 + block, block, 4)
		};

		g_array_append_vals(values, two, 2);
	}
	/* 70 values: half are 1, or 2 and more; 0.99^70 = 0.49 */
	quantile = estimate_quantile(values, 10, 0.5);
	assert_true(quantile.value == 3 && quantile.low <= 3 && quantile.high >= 3);
	quantile = estimate_quantile(values, 10, 0.99);
	assert_true(quantile.value == 11 && isnan(quantile.low) && isnan(quantile.high));
	/* all in four blocks */
	for (unsigned int nr = 0; nr < values->len; nr++)
		g_array_index(values, struct block_value, nr).block %= 4;
	assert_true(isnan(estimate_quantile(values, 10, 0.5).low));
	g_array_set_size(values, 0);
	assert_true(isnan(estimate_quantile(values, 10, 0.5).value));
	g_array_free(values, TRUE);
}

#define CLAIMS	7

/* who is not satisfied has the level, the others less of it; nothing is left or made up */
static void check_shares(const struct claim *claims, double total, double level)
{
	double sum = 0, wants = 0;

	for (int nr = 0; nr < CLAIMS; nr++) {
		const struct claim *claim = &claims[nr];

		sum += claim->due;
		wants += claim->want;
		assert_true(claim->due <= claim->want * (1 + 1e-9));
		assert_true(claim->due <= level * claim->weight * (1 + 1e-9));
		if (!claim->satisfied)
			assert_true(fabs(claim->due - level * claim->weight) < 1e-6);
	}
	assert_true(fabs(sum - fmin(total, wants)) < 1e-6);
	assert_true(isinf(level) == (wants <= total));
}

static void shares_are_max_min_fair(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct claim by_hand[] = { { .want = 10, .weight = 2 }, { .want = 90, .weight = 2 },
				   { .want = 90, .weight = 1 } };

	(void)state;
	/* 10, and of the other 90, two to one */
	assert_true(fabs(waterfill(by_hand, 3, 100) - 30) < 1e-9);
	assert_true(by_hand[0].satisfied && fabs(by_hand[1].due - 60) < 1e-9 &&
		    fabs(by_hand[2].due - 30) < 1e-9);
	for (int run = 0; run < 1000; run++) {
		double total = gsl_rng_uniform_int(rng, 400);
		struct claim claims[CLAIMS];

		for (int nr = 0; nr < CLAIMS; nr++)
			claims[nr] = (struct claim) {
				.want = gsl_rng_uniform_int(rng, 101),
				.weight = 1 << gsl_rng_uniform_int(rng, 4),
			};
		check_shares(claims, total, waterfill(claims, CLAIMS, total));
	}
	gsl_rng_free(rng);
}

#define PATH_WORKERS	5
#define PATH_NS		40

/* rows of random intervals; anybody may have woken up anybody, also in circles */
static GPtrArray *random_rows(gsl_rng *rng)
{
	GPtrArray *rows = g_ptr_array_new();

	for (int nr = 0; nr < PATH_WORKERS; nr++) {
		GArray *row = g_array_new(FALSE, FALSE, sizeof(struct path_interval));
		int64_t ns = gsl_rng_uniform_int(rng, 4);

		while (ns < PATH_NS) {
			struct path_interval interval = {
				.from_ns = ns, .to_ns = ns + 1 + gsl_rng_uniform_int(rng, 12),
				.label = gsl_rng_uniform_int(rng, PATH_LABELS),
				.waker = (int)gsl_rng_uniform_int(rng, PATH_WORKERS + 1) - 1,
				.detail = gsl_rng_uniform_int(rng, 2),
			};

			if (gsl_rng_uniform_int(rng, 2))
				interval.label = PATH_BLOCKED;
			g_array_append_val(row, interval);
			ns = interval.to_ns;
		}
		g_ptr_array_add(rows, row);
	}
	return rows;
}

/* by brute force, for one moment */
static struct path_segment path_at(const GPtrArray *rows, int worker, int64_t ns, int depth)
{
	const GArray *row = rows->pdata[worker];

	for (unsigned int nr = 0; nr < row->len; nr++) {
		const struct path_interval *interval =
			&g_array_index(row, struct path_interval, nr);

		if (ns < interval->from_ns || ns >= interval->to_ns)
			continue;
		if (interval->label == PATH_BLOCKED && interval->waker >= 0 &&
		    depth < PATH_MAX_DEPTH)
			return path_at(rows, interval->waker, ns, depth + 1);
		return (struct path_segment) {
			ns, ns + 1, worker, interval->label, interval->detail
		};
	}
	return (struct path_segment) { ns, ns + 1, worker, PATH_UNKNOWN, 0 };
}

static bool is_true_path(const GPtrArray *rows, const GArray *path, int worker, int64_t from_ns,
			 int64_t to_ns)
{
	int64_t ns = from_ns;

	for (unsigned int nr = 0; nr < path->len; nr++) {
		const struct path_segment *segment =
			&g_array_index(path, struct path_segment, nr);

		if (segment->from_ns != ns || segment->to_ns <= ns)
			return false;
		for (; ns < segment->to_ns; ns++) {
			struct path_segment truth = path_at(rows, worker, ns, 0);

			if (truth.worker != segment->worker || truth.label != segment->label ||
			    truth.detail != segment->detail)
				return false;
		}
	}
	return ns == to_ns;
}

static void paths_tile_and_are_those_of_brute_force(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (int graph = 0; graph < 10000; graph++) {
		GPtrArray *rows = random_rows(rng);
		int worker = gsl_rng_uniform_int(rng, PATH_WORKERS);
		int64_t from_ns = gsl_rng_uniform_int(rng, PATH_NS);
		int64_t to_ns = from_ns + gsl_rng_uniform_int(rng, PATH_NS);
		GArray *path = path_find(rows, worker, from_ns, to_ns);

		if (!is_true_path(rows, path, worker, from_ns, to_ns))
			fail_msg("graph %d", graph);
		for (int nr = 0; nr < PATH_WORKERS; nr++)
			g_array_free(rows->pdata[nr], TRUE);
		g_ptr_array_free(rows, TRUE);
		g_array_free(path, TRUE);
	}
	gsl_rng_free(rng);
}

/* one of many lines; every third key is unknown, and many are equal */
static struct sorted_line some_line(unsigned int nr)
{
	return (struct sorted_line) {
		.key = { nr % 3 ? nr * 7919 % 100 : NAN, NULL }, .nr = nr,
		.text = strdup(nr % 2 ? "odd" : ""),
	};
}

static gint compare_sorted(gconstpointer a, gconstpointer b)
{
	return sorted_line_compare(a, b);
}

/* more runs than are read at once */
static void runs_are_merged(void **state)
{
	enum { RUNS = 200, LINES = 7 };
	struct sorted_line line, last = { .nr = 0 };
	struct runs *runs = runs_new();
	unsigned int count = 0;

	(void)state;
	for (unsigned int run = 0; run < RUNS; run++) {
		GArray *lines = g_array_new(FALSE, FALSE, sizeof(line));

		for (unsigned int nr = 0; nr < LINES; nr++) {
			line = some_line(nr * RUNS + run);
			g_array_append_val(lines, line);
		}
		g_array_sort(lines, compare_sorted);
		runs_add(runs, lines);
		for (unsigned int nr = 0; nr < LINES; nr++)
			sorted_line_clear(&g_array_index(lines, struct sorted_line, nr));
		g_array_free(lines, TRUE);
	}
	for (; runs_next(runs, &line); count++) {
		struct sorted_line same = some_line(line.nr);

		assert_string_equal(line.text, same.text);
		assert_int_equal(sorted_line_compare(&line, &same), 0);
		assert_true(!count || sorted_line_compare(&last, &line) < 0);
		sorted_line_clear(&same);
		sorted_line_clear(&line);
		last = line;
	}
	assert_int_equal(count, RUNS * LINES);
	runs_free(runs);
}

/* Texts are written, too, and what is left is freed. */
static void runs_have_texts(void **state)
{
	struct runs *runs = runs_new();
	struct sorted_line lines[] = {
		{ { NAN, g_strdup("a") }, 1, strdup("first") },
		{ { NAN, g_strdup("b") }, 0, strdup("second") },
		{ { NAN, NULL }, 2, strdup("third") },
	}, line;
	GArray *array = g_array_new(FALSE, FALSE, sizeof(line));

	(void)state;
	g_array_append_vals(array, lines, G_N_ELEMENTS(lines));
	runs_add(runs, array);
	assert_true(runs_next(runs, &line));
	assert_string_equal(line.text, "first");
	assert_string_equal(line.key.text, "a");
	sorted_line_clear(&line);
	runs_free(runs);
	for (size_t nr = 0; nr < G_N_ELEMENTS(lines); nr++)
		sorted_line_clear(&lines[nr]);
	g_array_free(array, TRUE);
}

/* An xdg-open of our own tells what it was given, and who it is. */
static char *make_browser(void)
{
	char *directory = g_dir_make_tmp("gvt-stat.XXXXXX", NULL);
	char *program = g_build_filename(directory, "xdg-open", NULL);
	char *text = g_strdup_printf("#!/bin/sh\necho \"$1 $(id -u)\" >%s/new && mv %s/new %s/told\n",
				     directory, directory, directory);

	assert_true(g_file_set_contents(program, text, -1, NULL));
	assert_int_equal(chmod(program, 0755), 0);
	assert_int_equal(chmod(directory, 0777), 0);
	g_free(text);
	g_free(program);
	return directory;
}

/* what the browser was given; "" if nothing comes */
static char *shown_by(const char *directory)
{
	char *path = g_build_filename(directory, "told", NULL);
	char *text = NULL;

	for (int nr = 0; nr < 500 && !g_file_get_contents(path, &text, NULL, NULL); nr++)
		g_usleep(20000);
	unlink(path);
	g_free(path);
	return text ? text : g_strdup("");
}

static void expect_page(const char *directory, const char *page, uid_t uid)
{
	char *expected = g_strdup_printf("%s %d\n", page, (int)uid), *text;

	browse_page(page);
	text = shown_by(directory);
	assert_string_equal(text, expected);
	g_free(text);
	g_free(expected);
}

static void browser_is_the_users(void **state)
{
	char *directory = make_browser(), *path = g_strdup(g_getenv("PATH"));
	char *with = g_strdup_printf("%s:%s", directory, path);

	(void)state;
	g_setenv("PATH", with, TRUE);
	g_setenv("DISPLAY", ":0", TRUE);
	g_unsetenv("SUDO_UID");
	expect_page(directory, "a page.html", geteuid());
	g_setenv("SUDO_UID", "1234", TRUE);
	g_setenv("SUDO_GID", "1234", TRUE);
	expect_page(directory, "b.html", geteuid() ? geteuid() : 1234);
	/* that is no number: nobody is root by mistake, and nobody else either */
	g_setenv("SUDO_UID", "root", TRUE);
	expect_page(directory, "c.html", geteuid());
	g_unsetenv("SUDO_UID");
	g_unsetenv("SUDO_GID");
	/* neither of these opens anything, and both say so */
	g_setenv("PATH", "/nosuch", TRUE);
	browse_page("no-browser.html");
	g_unsetenv("DISPLAY");
	g_unsetenv("WAYLAND_DISPLAY");
	browse_page("no-display.html");
	g_setenv("PATH", path, TRUE);
	g_free(with);
	with = g_strdup_printf("rm -r %s", directory);
	assert_int_equal(system(with), 0);
	g_free(with);
	g_free(path);
	g_free(directory);
}

/* --- Prophet's model: its equations by hand ------------------------------------------------ */

#define NS_OFF	1e-6

static void sequential_tasks_wait_for_all_before_them(void **state)
{
	const struct prophet_device device = { .elements = 1, .warps = 1, .bandwidth = 1 };
	struct prophet *prophet = prophet_new(&device);
	struct prophet_task task = { .run_ns = 10, .warps = 1, .occupancy = 1 };

	(void)state;
	assert_float_equal(prophet_submit(prophet, &task, 0), 10, NS_OFF);
	task.run_ns = 5;
	/* equation 1: 2 + 5, and 8 that remain */
	assert_float_equal(prophet_submit(prophet, &task, 2), 15, NS_OFF);
	task.run_ns = 1;
	/* 3 + 1, 5 of the one that waits, and 7 that remain */
	assert_float_equal(prophet_submit(prophet, &task, 3), 16, NS_OFF);
	task.run_ns = 4;
	assert_float_equal(prophet_submit(prophet, &task, 20), 24, NS_OFF);
	prophet_free(prophet);
}

static void tasks_share_the_elements_that_are_free(void **state)
{
	const struct prophet_device device = { .elements = 4, .warps = 8, .bandwidth = 100 };
	struct prophet *prophet = prophet_new(&device);
	struct prophet_task task = { .run_ns = 20, .warps = 48, .occupancy = 1 };

	(void)state;
	/* equation 2: batches of 32 and 16 warps, 10 each; the second takes two elements */
	assert_float_equal(prophet_submit(prophet, &task, 0), 20, NS_OFF);
	task = (struct prophet_task) { .run_ns = 10, .warps = 16, .occupancy = 1 };
	/* equation 4: it waits for the second batch, and takes the other two */
	assert_float_equal(prophet_submit(prophet, &task, 5), 20, NS_OFF);
	/* this one until one of these is through */
	assert_float_equal(prophet_submit(prophet, &task, 6), 30, NS_OFF);
	/* of half the occupancy, a batch is half as many warps: all four elements */
	task.occupancy = 0.5;
	assert_float_equal(prophet_submit(prophet, &task, 40), 50, NS_OFF);
	prophet_free(prophet);
}

static void tasks_share_the_memory(void **state)
{
	const struct prophet_device device = { .elements = 4, .warps = 8, .bandwidth = 100 };
	struct prophet *prophet = prophet_new(&device);
	const struct prophet_task task = {
		.run_ns = 16, .warps = 16, .occupancy = 1, .bandwidth = 40,
	};

	(void)state;
	/* equation 2: alone, memory slowed the task by 160 / 100 on four elements; not on two */
	assert_float_equal(prophet_submit(prophet, &task, 0), 10, NS_OFF);
	/* equation 3: 160 of 100 in all */
	assert_float_equal(prophet_submit(prophet, &task, 0), 16, NS_OFF);
	/* equation 5: so does the first one, for all of its rest */
	assert_float_equal(prophet_completion(prophet, 0), 16, NS_OFF);
	prophet_free(prophet);
}

static void transfers_share_the_bus(void **state)
{
	const struct prophet_device device = { .elements = 1, .warps = 1, .bandwidth = 1 };
	struct prophet_task task = { .kind = PROPHET_SHARING, .run_ns = 10 };
	struct prophet *prophet = prophet_new(&device);

	(void)state;
	assert_float_equal(prophet_submit(prophet, &task, 0), 10, NS_OFF);
	task.run_ns = 5;
	/* equations 6 and 7: two instead of one for 5, which takes 10 */
	assert_float_equal(prophet_submit(prophet, &task, 0), 10, NS_OFF);
	/* equation 8: what is left of the first comes after that */
	assert_float_equal(prophet_completion(prophet, 0), 15, NS_OFF);
	prophet_free(prophet);

	prophet = prophet_new(&device);
	task.run_ns = 10;
	prophet_submit(prophet, &task, 0);
	assert_float_equal(prophet_submit(prophet, &task, 0), 20, NS_OFF);
	/* three instead of two for 10 of the 20 */
	assert_float_equal(prophet_submit(prophet, &task, 0), 15, NS_OFF);
	assert_float_equal(prophet_completion(prophet, 0), 25, NS_OFF);
	assert_float_equal(prophet_completion(prophet, 1), 25, NS_OFF);
	assert_true(isnan(prophet_completion(prophet, 3)));
	prophet_free(prophet);
}

static void transfers_have_the_bus_for_themselves(void **state)
{
	const struct prophet_device device = { .elements = 1, .warps = 1, .bandwidth = 1 };
	struct prophet_task task = { .kind = PROPHET_EXCLUSIVE, .run_ns = 10 };
	struct prophet *prophet = prophet_new(&device);

	(void)state;
	assert_float_equal(prophet_submit(prophet, &task, 0), 10, NS_OFF);
	task.run_ns = 5;
	assert_float_equal(prophet_submit(prophet, &task, 2), 15, NS_OFF);
	task = (struct prophet_task) { .kind = PROPHET_SHARING, .run_ns = 3 };
	/* equation 9: 4, 6 that remain, 5 that wait */
	assert_float_equal(prophet_submit(prophet, &task, 4), 18, NS_OFF);
	prophet_free(prophet);

	prophet = prophet_new(&device);
	task.run_ns = 10;
	prophet_submit(prophet, &task, 0);
	task = (struct prophet_task) { .kind = PROPHET_EXCLUSIVE, .run_ns = 4 };
	assert_float_equal(prophet_submit(prophet, &task, 5), 9, NS_OFF);
	/* the one that shares waits for all of that */
	assert_float_equal(prophet_completion(prophet, 0), 14, NS_OFF);
	prophet_free(prophet);
}

/* what is behind the end is not read, though the last byte says that the character goes on */
static void a_text_ends_where_it_ends(void **state)
{
	(void)state;
	assert_int_equal(screen_columns("rcs0"), 4);
	assert_int_equal(screen_columns("\342\226\210\342\226\201"), 2);
	assert_int_equal(screen_columns("ab\374\0and so on, and on"), 2);
}

/* bins that had become twice as wide once more would have no width at all, for ever */
static void bins_are_no_wider_than_time(void **state)
{
	static const int64_t moments[] = { 100, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX };
	struct stash *stash = stash_new(PAGE_MEMORY, PAGE_NO_ROOM);
	struct page_values *values;
	struct page_bins *bins;
	struct bin_width width;

	(void)state;
	bin_width_choose(&width, 0, 100, 10);
	values = page_values_new(&width, stash, 0);
	alarm(10);
	for (size_t nr = 0; nr < sizeof(moments) / sizeof(*moments); nr++)
		page_values_add(values, moments[nr], 1);
	assert_int_equal(width.wider_ns, INT64_MAX);
	assert_in_range(width.ns, INT64_MAX / 80, INT64_MAX / 10);
	assert_int_equal(page_values_finish(values), 4);
	bins = page_bins_new(&width, stash, 0);
	page_bins_add(bins, 1, INT64_MAX - 1, INT64_MAX);
	alarm(0);
	assert_int_equal(page_bins_finish(bins, INT64_MAX), 1);
	page_bins_free(bins);
	page_values_free(values);
	stash_free(stash);
}

#define NUMBERS	200000
#define SORTS	3

/* of any length, most of one sort about as long; the first ones as far apart as there are */
static uint64_t any_number(unsigned int nr, uint64_t *random)
{
	static const uint64_t first[] = { 0, UINT64_MAX, 0, 1, INT64_MAX, 1ull << 63, 2, 0 };

	*random = *random * 6364136223846793005 + 1442695040888963407;
	return nr < 24 ? first[nr / 3] :
	       *random >> (*random % 100 ? 20 + 20 * (nr % SORTS) : *random / 100 % 64);
}

struct bits_reader {
	guchar *bytes;
	gsize len, at;			/* @at: a bit */
};

static uint64_t next_bits(struct bits_reader *reader, unsigned int count)
{
	uint64_t value = 0;

	assert_true(reader->at + count <= 8 * reader->len);
	for (unsigned int nr = 0; nr < count; nr++, reader->at++)
		value |= (uint64_t)(reader->bytes[reader->at / 8] >> reader->at % 8 & 1) << nr;
	return value;
}

static uint64_t next_number(struct bits_reader *reader, int *eighths)
{
	int zeros = 0, more, count;

	while (!next_bits(reader, 1))
		zeros++;
	more = zeros % 2 ? -(zeros + 1) / 2 : zeros / 2;
	count = (*eighths + 4) / 8 + more;
	*eighths += more;
	return count < 2 ? (uint64_t)count : next_bits(reader, count - 1) | UINT64_C(1) << (count - 1);
}

static void bits_have_what_was_put(void **state)
{
	int usual_read[SORTS] = { 0 };
	struct bits_usual usual[SORTS] = { 0 };
	struct bits_reader reader = { 0 };
	uint64_t random = 1, size;
	struct bits *bits;
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	bits = bits_new(out);
	for (int nr = 0; nr < NUMBERS; nr++) {
		struct bits_place place = bits_begin(bits);

		bits_put(&place, nr % 4, 2);
		bits_number(&place, &usual[nr % SORTS], any_number(nr, &random));
		bits_signed(&place, &usual[nr % SORTS], -nr);
		bits_end(bits, place);
	}
	size = bits_size(bits);
	bits_free(bits);
	fclose(out);
	reader.bytes = g_base64_decode(text, &reader.len);
	assert_in_range(reader.len, size, size + 1);
	random = 1;
	for (int nr = 0; nr < NUMBERS; nr++) {
		assert_int_equal(next_bits(&reader, 2), nr % 4);
		assert_true(next_number(&reader, &usual_read[nr % SORTS]) == any_number(nr, &random));
		assert_int_equal(next_number(&reader, &usual_read[nr % SORTS]), nr ? 2 * nr - 1 : 0);
	}
	assert_int_equal((reader.at + 7) / 8, reader.len);
	g_free(reader.bytes);
	free(text);
}

#define STASH_STREAMS	3
/* of each stream, more than the memory of all */
#define STASH_BYTES	(PAGE_MEMORY / 2)

static uint8_t stash_byte(int stream, uint64_t nr)
{
	return (nr * 31 + stream) % 251;
}

/* Pieces of different lengths go across the blocks. */
static void fill_stash(struct byte_stream *const streams[STASH_STREAMS])
{
	uint8_t piece[100];

	for (uint64_t done = 0, size; done < STASH_BYTES; done += size) {
		size = MIN(1 + done % sizeof(piece), STASH_BYTES - done);
		for (int stream = 0; stream < STASH_STREAMS; stream++) {
			for (uint64_t nr = 0; nr < size; nr++)
				piece[nr] = stash_byte(stream, done + nr);
			bytes_add(streams[stream], piece, size);
		}
	}
}

static uint64_t wrong_bytes(const struct byte_stream *stream, int of)
{
	uint8_t room[BYTES_BLOCK];
	const uint8_t *block;
	uint64_t at = 0, wrong = 0;
	size_t len;

	for (uint64_t nr = 0; (len = bytes_block(stream, nr, room, &block)); nr++)
		for (size_t byte = 0; byte < len; byte++)
			wrong += block[byte] != stash_byte(of, at++);
	return wrong + (at != STASH_BYTES);
}

/* in memory, across its end and in the file */
static void streams_have_what_was_added(void **state)
{
	struct stash *stash = stash_new(PAGE_MEMORY, PAGE_NO_ROOM);
	struct byte_stream *streams[STASH_STREAMS];

	(void)state;
	for (int stream = 0; stream < STASH_STREAMS; stream++)
		streams[stream] = bytes_new(stash);
	fill_stash(streams);
	assert_true(stash_size(stash) > PAGE_MEMORY);
	for (int stream = 0; stream < STASH_STREAMS; stream++) {
		assert_int_equal(bytes_size(streams[stream]), STASH_BYTES);
		assert_int_equal(wrong_bytes(streams[stream], stream), 0);
		bytes_free(streams[stream]);
	}
	stash_free(stash);
}

/* Returns its pid; what it says goes to @out. */
static pid_t fill_without_room(FILE *out)
{
	static const struct rlimit none = { 0, 0 };
	struct stash *stash;
	struct byte_stream *streams[STASH_STREAMS];
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	dup2(fileno(out), STDERR_FILENO);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &none);
	stash = stash_new(PAGE_MEMORY, PAGE_NO_ROOM);
	for (int stream = 0; stream < STASH_STREAMS; stream++)
		streams[stream] = bytes_new(stash);
	fill_stash(streams);
	_exit(0);
}

static void no_room_for_streams_is_one_line(void **state)
{
	int pipes[2], status;
	char said[256];
	ssize_t len;
	FILE *out;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	out = fdopen(pipes[1], "w");
	pid = fill_without_room(out);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	len = read(pipes[0], said, sizeof(said) - 1);
	assert_true(len > 0);
	said[len] = '\0';
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
	assert_non_null(strstr(said, "cannot keep in a temporary file what the page shows: File too large; "
			       "there must be room for it in /tmp\n"));
	fclose(out);
	close(pipes[0]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_have_what_was_put),
		cmocka_unit_test(streams_have_what_was_added),
		cmocka_unit_test(no_room_for_streams_is_one_line),
		cmocka_unit_test(timespan_reads_seconds),
		cmocka_unit_test(timespan_refuses_the_rest),
		cmocka_unit_test(timespan_stays_inside_the_trace),
		cmocka_unit_test(depth_weighs_by_time),
		cmocka_unit_test(depth_holds_what_was_before_the_window),
		cmocka_unit_test(depth_is_rebuilt_from_those_who_leave),
		cmocka_unit_test(depth_of_an_empty_window_is_unknown),
		cmocka_unit_test(series_of_nothing_is_unknown),
		cmocka_unit_test(series_of_many_is_near_enough),
		cmocka_unit_test(series_of_many_equal_is_exact_in_the_mean),
		cmocka_unit_test(series_names_the_first_of_the_worst),
		cmocka_unit_test(series_merge_as_if_they_were_one),
		cmocka_unit_test(series_counts_by_powers_of_two),
		cmocka_unit_test(lengths_of_time_have_units),
		cmocka_unit_test(engines_have_names),
		cmocka_unit_test(welch_is_as_computed_by_hand),
		cmocka_unit_test(ratio_weighs_blocks_by_their_size),
		cmocka_unit_test(intervals_cover_the_truth_as_often_as_they_say),
		cmocka_unit_test(ranges_reach_further_than_ten_windows),
		cmocka_unit_test(one_more_may_be_as_long_as_the_worst),
		cmocka_unit_test(other_recordings_have_the_same_load_on_average),
		cmocka_unit_test(quantiles_take_values_enough),
		cmocka_unit_test(shares_are_max_min_fair),
		cmocka_unit_test(paths_tile_and_are_those_of_brute_force),
		cmocka_unit_test(runs_are_merged),
		cmocka_unit_test(runs_have_texts),
		cmocka_unit_test(supervisor_tells_crashes),
		cmocka_unit_test(supervisor_ends_hangs),
		cmocka_unit_test(supervisor_limits_memory),
		cmocka_unit_test(supervisor_passes_the_rest_on),
		cmocka_unit_test(browser_is_the_users),
		cmocka_unit_test(sequential_tasks_wait_for_all_before_them),
		cmocka_unit_test(tasks_share_the_elements_that_are_free),
		cmocka_unit_test(tasks_share_the_memory),
		cmocka_unit_test(transfers_share_the_bus),
		cmocka_unit_test(transfers_have_the_bus_for_themselves),
		cmocka_unit_test(a_text_ends_where_it_ends),
		cmocka_unit_test(bins_are_no_wider_than_time),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
