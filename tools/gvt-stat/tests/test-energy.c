// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of energy: least squares against all sets of columns, lines of samples, and a sampler that
 * reads a counter of files.
 */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

#include "energy/fit.h"
#include "energy/nnls.h"
#include "sampling/sampler.h"

#define ROWS	12
#define COLUMNS	5

/* --- least squares ------------------------------------------------------------------------------- */

struct problem {
	double a[ROWS][COLUMNS], b[ROWS];
	gsl_matrix *gram;
	gsl_vector *right, *x;
};

static void make_problem(struct problem *p, GRand *dice)
{
	p->gram = gsl_matrix_calloc(COLUMNS, COLUMNS);
	p->right = gsl_vector_calloc(COLUMNS);
	p->x = gsl_vector_alloc(COLUMNS);
	for (int row = 0; row < ROWS; row++) {
		p->b[row] = g_rand_double_range(dice, -1, 2);
		for (int i = 0; i < COLUMNS; i++)
			p->a[row][i] = g_rand_double_range(dice, -1, 1);
	}
	for (int i = 0; i < COLUMNS; i++)
		for (int row = 0; row < ROWS; row++) {
			*gsl_vector_ptr(p->right, i) += p->a[row][i] * p->b[row];
			for (int j = 0; j < COLUMNS; j++)
				*gsl_matrix_ptr(p->gram, i, j) += p->a[row][i] * p->a[row][j];
		}
}

static void free_problem(struct problem *p)
{
	gsl_matrix_free(p->gram);
	gsl_vector_free(p->right);
	gsl_vector_free(p->x);
}

static double error_of(const struct problem *p, const double *x)
{
	double squares = 0;

	for (int row = 0; row < ROWS; row++) {
		double rest = p->b[row];

		for (int i = 0; i < COLUMNS; i++)
			rest -= p->a[row][i] * x[i];
		squares += rest * rest;
	}
	return squares;
}

/* least squares of these columns; returns false if one of them is negative */
static bool solve_set(const struct problem *p, unsigned int set, double *x)
{
	gsl_matrix *gram = gsl_matrix_alloc(COLUMNS, COLUMNS);
	gsl_vector *right = gsl_vector_alloc(COLUMNS);
	bool good = true;

	for (int i = 0; i < COLUMNS; i++) {
		gsl_vector_set(right, i, set >> i & 1 ? gsl_vector_get(p->right, i) : 0);
		for (int j = 0; j < COLUMNS; j++)
			gsl_matrix_set(gram, i, j, set >> i & set >> j & 1 ? gsl_matrix_get(p->gram, i, j) : i == j);
	}
	gsl_linalg_cholesky_decomp1(gram);
	gsl_linalg_cholesky_svx(gram, right);
	for (int i = 0; i < COLUMNS; i++) {
		x[i] = gsl_vector_get(right, i);
		good = good && x[i] >= 0;
	}
	gsl_matrix_free(gram);
	gsl_vector_free(right);
	return good;
}

static void the_least_of_all_sets_is_found(void **state)
{
	GRand *dice = g_rand_new_with_seed(1);

	(void)state;
	for (int nr = 0; nr < 300; nr++) {
		double least = INFINITY, x[COLUMNS];
		struct problem p;

		make_problem(&p, dice);
		for (unsigned int set = 0; set < 1 << COLUMNS; set++)
			if (solve_set(&p, set, x))
				least = fmin(least, error_of(&p, x));
		nnls(p.gram, p.right, p.x);
		for (int i = 0; i < COLUMNS; i++)
			assert_true(gsl_vector_get(p.x, i) >= 0);
		assert_float_equal(error_of(&p, p.x->data), least, 1e-9);
		free_problem(&p);
	}
	g_rand_free(dice);
}

/* as where the intervals that are left are of a part of the consumers */
static void dependent_columns_have_powers(void **state)
{
	struct problem p;
	GRand *dice = g_rand_new_with_seed(2);
	gsl_error_handler_t *handler = gsl_set_error_handler_off();

	(void)state;
	make_problem(&p, dice);
	for (int i = 0; i < COLUMNS; i++)
		for (int j = 0; j < COLUMNS; j++)
			gsl_matrix_set(p.gram, i, j, 1);
	gsl_vector_set_all(p.right, 3);
	nnls(p.gram, p.right, p.x);
	assert_float_equal(gsl_blas_dasum(p.x), 3, 1e-9);
	gsl_set_error_handler(handler);
	free_problem(&p);
	g_rand_free(dice);
}

/* --- columns ------------------------------------------------------------------------------------- */

#define CONSUMERS	30
#define STINTS		1200

static void add_portion(struct portions *portions, struct stint *stint, unsigned int quantity, double ns)
{
	struct portion portion = { quantity, ns };

	g_array_append_val(portions->all, portion);
	stint->count++;
}

/* three at a time, all equally often */
static void the_number_of_columns_is_bounded(void **state)
{
	struct portions *portions = portions_empty(CONSUMERS);
	GRand *dice = g_rand_new_with_seed(3);
	struct fit *fit;

	(void)state;
	for (unsigned int nr = 0; nr < STINTS; nr++) {
		unsigned int a = nr % (CONSUMERS - 2), b = a + 1 + nr / CONSUMERS % (CONSUMERS - a - 2), c = CONSUMERS - 1;
		struct stint stint = { portions->all->len, 0, 1000000, g_rand_double_range(dice, 1e6, 3e6) };

		for (unsigned int nr_of = 0; nr_of < 3; nr_of++)
			add_portion(portions, &stint, portion_busy(portions, (unsigned int[]) { a, b, c }[nr_of]), 1e6);
		add_portion(portions, &stint, portion_together(portions, a, b), 2e6 / 3);
		add_portion(portions, &stint, portion_together(portions, a, c), 2e6 / 3);
		add_portion(portions, &stint, portion_together(portions, b, c), 2e6 / 3);
		g_array_append_val(portions->stints, stint);
	}
	fit = fit_new(portions);
	assert_true(fit->groups > 0);
	assert_in_range(fit->powers, 1, CONSUMERS + 65);
	fit_free(fit);
	portions_free(portions);
	g_rand_free(dice);
}

/* --- lines ---------------------------------------------------------------------------------------- */

static void a_line_is_read_as_it_was_written(void **state)
{
	struct energy_sample sample = {
		{ "msr", 1e9 / 16384, (uint64_t)1 << 32 }, UINT32_MAX, 1234, 20807, { 5, INT64_MIN, INT64_MAX },
	}, again;
	char fixed[ENERGY_FIXED_LEN], text[ENERGY_TEXT_LEN];

	(void)state;
	energy_sample_fixed(fixed, &sample.counter);
	energy_sample_text(text, fixed, &sample);
	assert_true(energy_sample_parse(text, &again));
	assert_memory_equal(&again.counter.source, "msr", 4);
	assert_true(again.counter.unit_nj == sample.counter.unit_nj && again.counter.range == sample.counter.range);
	assert_true(again.count == sample.count && again.age_ns == 1234 && again.edge_ns == 20807);
	assert_true(again.gpu.rc6_ns == 5 && again.gpu.awake_ns == INT64_MIN && again.gpu.mhz_s == INT64_MAX);
	assert_true(energy_sample_parse("gvt_energy: source=perf unit_nj=1 counter=18446744073709551615\nx", &again));
	assert_true(again.count == UINT64_MAX && !again.counter.range && !again.edge_ns);
}

/* --- a host of files ------------------------------------------------------------------------------ */

struct host {
	char *root, *path;
	int counter;
	GThread *thread;
	int stop;
};

static void put(const struct host *host, const char *name, const void *data, size_t size)
{
	char *path = g_build_filename(host->root, name, NULL);
	char *dir = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(dir, 0700), 0);
	assert_true(g_file_set_contents(path, data, size, NULL));
	g_free(dir);
	g_free(path);
}

static void put_text(const struct host *host, const char *name, const char *text)
{
	put(host, name, text, strlen(text));
}

static void host_init(struct host *host)
{
	host->root = g_dir_make_tmp("gvt-energy-XXXXXX", NULL);
	assert_non_null(host->root);
}

static void host_clear(struct host *host)
{
	char *argv[] = { "rm", "-rf", host->root, NULL };

	assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
	g_free(host->root);
}

#define ZONE	"sys/class/powercap/intel-rapl:0:1/"

static void put_powercap(const struct host *host)
{
	put_text(host, "sys/class/powercap/intel-rapl:0/name", "package-0\n");
	put_text(host, ZONE "name", "uncore\n");
	put_text(host, ZONE "max_energy_range_uj", "262143328850\n");
	put_text(host, ZONE "energy_uj", "0000001000000\n");
}

static void put_msr(const struct host *host)
{
	char image[0x649] = { 0 };
	const uint64_t units = 0xa0e03, count = 0xff00000007;

	memcpy(image + 0x606, &units, sizeof(units));
	memcpy(image + 0x641, &count, sizeof(count));
	put(host, "dev/cpu/0/msr", image, sizeof(image));
}

static void powercap_goes_before_the_registers(void **state)
{
	struct energy_source *source;
	struct host host;
	uint64_t count;
	char *why = NULL;

	(void)state;
	host_init(&host);
	put_msr(&host);
	source = energy_source_open(host.root, &why);
	assert_non_null(source);
	assert_string_equal(energy_source_counter(source)->source, "msr");
	assert_float_equal(energy_source_counter(source)->unit_nj, 61035.15625, 0);
	assert_true(energy_source_read(source, &count) && count == 7);
	energy_source_close(source);
	put_powercap(&host);
	source = energy_source_open(host.root, &why);
	assert_non_null(source);
	assert_string_equal(energy_source_counter(source)->source, "powercap");
	assert_true(energy_source_counter(source)->range == 262143328851 && energy_source_counter(source)->unit_nj == 1000);
	assert_true(energy_source_read(source, &count) && count == 1000000);
	energy_source_close(source);
	host_clear(&host);
}

/* perf's clock of a CPU stands in for the GPU's energy, a joule a second */
static void perf_goes_before_powercap(void **state)
{
	struct energy_source *source;
	struct host host;
	uint64_t before, after;
	char *why = NULL;

	(void)state;
	host_init(&host);
	put_powercap(&host);
	put_text(&host, "sys/bus/event_source/devices/power/type", "1\n");
	put_text(&host, "sys/bus/event_source/devices/power/cpumask", "0\n");
	put_text(&host, "sys/bus/event_source/devices/power/events/energy-gpu", "event=0x00\n");
	put_text(&host, "sys/bus/event_source/devices/power/events/energy-gpu.unit", "Joules\n");
	put_text(&host, "sys/bus/event_source/devices/power/events/energy-gpu.scale", "1e-9\n");
	source = energy_source_open(host.root, &why);
	assert_non_null(source);
	if (strcmp(energy_source_counter(source)->source, "perf")) {
		print_message("# perf_event_open() is not permitted here\n");
		energy_source_close(source);
		host_clear(&host);
		skip();
	}
	assert_float_equal(energy_source_counter(source)->unit_nj, 1, 1e-12);
	assert_true(energy_source_read(source, &before));
	g_usleep(10000);
	assert_true(energy_source_read(source, &after));
	assert_in_range(after - before, 9000000, 10000000000);
	energy_source_close(source);
	host_clear(&host);
}

/* --- the sampler ---------------------------------------------------------------------------------- */

#define UPDATE_US	977
#define STEP_UJ		3000

/* the counter goes on as RAPL's does */
static void *count_on(void *ctx)
{
	struct host *host = ctx;
	gint64 at_us = g_get_monotonic_time();
	char text[32];

	for (uint64_t uj = 1000000; !g_atomic_int_get(&host->stop); uj += STEP_UJ) {
		snprintf(text, sizeof(text), "%013" G_GUINT64_FORMAT "\n", uj);
		if (pwrite(host->counter, text, strlen(text), 0) < 0)
			abort();
		at_us += UPDATE_US;
		g_usleep(MAX(at_us - g_get_monotonic_time(), 0));
	}
	return NULL;
}

struct collected {
	uint64_t last;
	unsigned int samples;
	bool descends, unread, refuse;
};

static bool collect(void *ctx, const char *text)
{
	struct collected *collected = ctx;
	struct energy_sample sample;

	collected->unread = collected->unread || !energy_sample_parse(text, &sample);
	collected->descends = collected->descends || sample.count < collected->last;
	collected->last = sample.count;
	collected->samples++;
	return !collected->refuse;
}

static struct energy_sampled sample_for(const struct host *host, unsigned int hz, gulong us,
					struct collected *collected)
{
	char *why = NULL;
	struct energy_source *source = energy_source_open(host->root, &why);
	struct energy_sampled sampled;
	struct energy_sampler *sampler;

	assert_non_null(source);
	sampler = energy_sampler_start(source, NULL, hz, collect, collected);
	g_usleep(us);
	sampled = energy_sampler_stop(sampler);
	energy_source_close(source);
	return sampled;
}

static void updates_are_found(void **state)
{
	struct collected collected = { 0 };
	struct energy_sampled sampled;
	struct host host = { 0 };
	int tries = 0;

	(void)state;
	host_init(&host);
	put_powercap(&host);
	host.path = g_build_filename(host.root, ZONE "energy_uj", NULL);
	host.counter = open(host.path, O_WRONLY);
	host.thread = g_thread_new("counter", count_on, &host);
	/* on a busy machine all updates of a try may be missed */
	do {
		collected = (struct collected) { 0 };
		sampled = sample_for(&host, 100, 500000, &collected);
	} while (!sampled.on_edges && ++tries < 20);
	g_atomic_int_set(&host.stop, 1);
	g_thread_join(host.thread);
	assert_false(collected.unread || collected.descends || sampled.failed);
	assert_int_equal(sampled.samples, collected.samples);
	assert_in_range(sampled.samples, 1, 60);
	assert_true(sampled.on_edges > 0 && sampled.cpu_ns > 0);
	close(host.counter);
	g_free(host.path);
	host_clear(&host);
}

static void a_counter_that_stands_is_sampled_all_the_same(void **state)
{
	struct collected collected = { 0 };
	struct energy_sampled sampled;
	struct host host = { 0 };

	(void)state;
	host_init(&host);
	put_powercap(&host);
	sampled = sample_for(&host, 100, 200000, &collected);
	assert_in_range(sampled.samples, 1, 40);
	assert_int_equal(sampled.on_edges, 0);
	/* one search, then one read for each */
	assert_true(sampled.reads < 2 * sampled.samples + 100);
	host_clear(&host);
}

static void it_ends_when_nobody_takes_samples(void **state)
{
	struct collected collected = { .refuse = true };
	struct energy_sampled sampled;
	struct host host = { 0 };

	(void)state;
	host_init(&host);
	put_powercap(&host);
	sampled = sample_for(&host, 1000, 100000, &collected);
	assert_true(sampled.failed && !sampled.unread);
	assert_true(!sampled.samples && collected.samples == 1);
	host_clear(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_of_all_sets_is_found),
		cmocka_unit_test(dependent_columns_have_powers),
		cmocka_unit_test(the_number_of_columns_is_bounded),
		cmocka_unit_test(a_line_is_read_as_it_was_written),
		cmocka_unit_test(powercap_goes_before_the_registers),
		cmocka_unit_test(perf_goes_before_powercap),
		cmocka_unit_test(updates_are_found),
		cmocka_unit_test(a_counter_that_stands_is_sampled_all_the_same),
		cmocka_unit_test(it_ends_when_nobody_takes_samples),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
