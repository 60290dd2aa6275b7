// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watts of each VM in top, from counters that only tell how long each executed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "host/counters.h"
#include "live/top-watts.h"
#include "trace/util.h"

#define LENGTH_NS	NSEC_PER_SEC
#define VMS		2
#define ENGINES		2

/* what they draw while they execute, beside what is drawn in any case */
static const double powers[VMS][ENGINES] = { { 3.1, 1.7 }, { 5.4, 2.9 } };
static const double base_watts = 0.9, idle_watts = 0.05;
static const char *const uuids[VMS] = { "one", "two" }, *const engines[ENGINES] = { "rcs0", "vcs0" };

/* a host whose VMs execute for some time in each second */
struct host {
	GPtrArray *old, *now;		/* struct vgpu_counters */
	double watts[VMS];		/* in the last second, each with its part of what both draw */
	double total_nj;
	int64_t exec_ns[VMS][ENGINES];
	int64_t at_ns;
};

static void free_vgpu(void *data)
{
	struct vgpu_counters *vgpu = data;

	for (guint nr = 0; nr < vgpu->engines->len; nr++) {
		struct engine_counters *engine = vgpu->engines->pdata[nr];

		g_free(engine->name);
		g_free(engine);
	}
	g_ptr_array_free(vgpu->engines, TRUE);
	g_free(vgpu->uuid);
	g_free(vgpu);
}

static GPtrArray *count(const struct host *host)
{
	GPtrArray *vgpus = g_ptr_array_new_with_free_func(free_vgpu);

	for (int vm = 0; vm < VMS; vm++) {
		struct vgpu_counters *vgpu = g_new0(struct vgpu_counters, 1);

		*vgpu = (struct vgpu_counters) {
			.id = vm + 1, .uuid = g_strdup(uuids[vm]), .at_ns = host->at_ns, .engines = g_ptr_array_new(),
		};
		for (int nr = 0; nr < ENGINES; nr++) {
			struct engine_counters *engine = g_new0(struct engine_counters, 1);

			engine->name = g_strdup(engines[nr]);
			engine->exec_ns = host->exec_ns[vm][nr];
			g_ptr_array_add(vgpu->engines, engine);
		}
		g_ptr_array_add(vgpus, vgpu);
	}
	return vgpus;
}

static void begin(struct host *host)
{
	*host = (struct host) { .at_ns = 5 * LENGTH_NS };
	host->now = count(host);
}

/* a second in which they execute for these parts of the time, and engines without regard to each other */
static void go_on(struct host *host, double part[VMS][ENGINES])
{
	double idle = 1;

	for (int nr = 0; nr < ENGINES; nr++)
		idle *= 1 - part[0][nr] - part[1][nr];
	host->total_nj = idle * idle_watts * LENGTH_NS;
	for (int vm = 0; vm < VMS; vm++) {
		host->watts[vm] = 0;
		for (int nr = 0; nr < ENGINES; nr++) {
			double alone = 1 - part[0][!nr] - part[1][!nr];

			/* half of the base while the other engine executes, too */
			host->watts[vm] += part[vm][nr] * (powers[vm][nr] + base_watts * (1 + alone) / 2);
			host->exec_ns[vm][nr] += part[vm][nr] * LENGTH_NS;
		}
		host->total_nj += host->watts[vm] * LENGTH_NS;
	}
	host->at_ns += LENGTH_NS;
	if (host->old)
		g_ptr_array_free(host->old, TRUE);
	host->old = host->now;
	host->now = count(host);
}

static void add(struct top_watts *watts, const struct host *host)
{
	top_watts_add(watts, host->total_nj, LENGTH_NS, host->old, host->now);
}

static void end(struct host *host, struct top_watts *watts)
{
	g_ptr_array_free(host->old, TRUE);
	g_ptr_array_free(host->now, TRUE);
	top_watts_free(watts);
}

static void go_on_somehow(struct host *host, GRand *dice)
{
	double part[VMS][ENGINES];

	for (int vm = 0; vm < VMS; vm++)
		for (int nr = 0; nr < ENGINES; nr++)
			part[vm][nr] = g_rand_double_range(dice, 0, 0.45);
	go_on(host, part);
}

static void watch(struct host *host, struct top_watts *watts, GRand *dice, int seconds)
{
	for (int second = 0; second < seconds; second++) {
		go_on_somehow(host, dice);
		add(watts, host);
	}
}

static void watts_are_known_once_loads_have_changed(void **state)
{
	GRand *dice = g_rand_new_with_seed(1);
	struct top_watts *watts = top_watts_new();
	double worst = 0, sum = 0;
	struct host host;

	(void)state;
	begin(&host);
	for (int second = 1; second <= 100; second++) {
		go_on_somehow(&host, dice);
		add(watts, &host);
		for (int vm = 0; vm < VMS; vm++) {
			double told = top_watts_of(watts, uuids[vm]);

			if (second < 5)
				assert_true(isnan(told));
			if (second >= 20) {
				assert_false(isnan(told));
				worst = fmax(worst, fabs(told / host.watts[vm] - 1));
				sum += fabs(told / host.watts[vm] - 1);
			}
		}
	}
	sum /= VMS * 81;
	print_message("# off by %.2f %% in the mean, by %.2f %% at worst\n", 100 * sum, 100 * worst);
	assert_true(sum < 0.05 && worst < 0.2);
	end(&host, watts);
	g_rand_free(dice);
}

static void watts_of_steady_loads_are_unknown(void **state)
{
	double part[VMS][ENGINES] = { { 0.3, 0.2 }, { 0.4, 0.1 } };
	struct top_watts *watts = top_watts_new();
	struct host host;

	(void)state;
	begin(&host);
	for (int second = 0; second < 30; second++) {
		go_on(&host, part);
		add(watts, &host);
	}
	for (int vm = 0; vm < VMS; vm++)
		assert_true(isnan(top_watts_of(watts, uuids[vm])));
	assert_true(isnan(top_watts_of(watts, "nobody")));
	end(&host, watts);
}

static void a_vgpu_that_is_made_anew_is_unknown_for_an_interval(void **state)
{
	GRand *dice = g_rand_new_with_seed(2);
	struct top_watts *watts = top_watts_new();
	struct host host;

	(void)state;
	begin(&host);
	watch(&host, watts, dice, 40);
	assert_false(isnan(top_watts_of(watts, uuids[0])));
	host.exec_ns[0][0] = 0;
	watch(&host, watts, dice, 1);
	assert_true(isnan(top_watts_of(watts, uuids[0])));
	watch(&host, watts, dice, 1);
	assert_false(isnan(top_watts_of(watts, uuids[0])));
	end(&host, watts);
	g_rand_free(dice);
}

/* its counter stands still while loads go on, or it counts nothing at all */
static void a_counter_that_stands_is_no_power(void **state)
{
	GRand *dice = g_rand_new_with_seed(3);
	struct top_watts *watts = top_watts_new();
	struct host host;

	(void)state;
	begin(&host);
	for (int second = 0; second < 30; second++) {
		go_on_somehow(&host, dice);
		host.total_nj = 0;
		add(watts, &host);
	}
	assert_true(isnan(top_watts_of(watts, uuids[0])));
	end(&host, watts);
	g_rand_free(dice);
}

static void an_interval_that_was_not_counted_is_unknown(void **state)
{
	GRand *dice = g_rand_new_with_seed(3);
	struct top_watts *watts = top_watts_new();
	struct host host;

	(void)state;
	begin(&host);
	watch(&host, watts, dice, 30);
	assert_false(isnan(top_watts_of(watts, uuids[0])));
	top_watts_skip(watts);
	assert_true(isnan(top_watts_of(watts, uuids[0])));
	watch(&host, watts, dice, 1);
	assert_false(isnan(top_watts_of(watts, uuids[0])));
	end(&host, watts);
	g_rand_free(dice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(watts_are_known_once_loads_have_changed),
		cmocka_unit_test(watts_of_steady_loads_are_unknown),
		cmocka_unit_test(a_vgpu_that_is_made_anew_is_unknown_for_an_interval),
		cmocka_unit_test(a_counter_that_stands_is_no_power),
		cmocka_unit_test(an_interval_that_was_not_counted_is_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
