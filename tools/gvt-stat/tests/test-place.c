// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The search for places against an oracle that tries all placements of six VMs, and what must
 * hold for any number of them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "place/bound.h"
#include "place/search.h"

#define SMALL		6
#define MOST_HOSTS	3
#define MOST_VMS	1000

/* a world of a law that the search does not know */
struct world {
	struct place_vm vms[MOST_VMS];
	struct place_host hosts[MOST_VMS];
	struct place_problem problem;
	double weight[MOST_VMS];	/* by which others' demand hurts a kind */
	double limit[MOST_VMS];		/* of the slowdown of a kind */
	guint32 salt;			/* of the noise; 0: there is none */
	unsigned int calls;
};

/* -1 to 1, always the same of the same set of kinds */
static double noise(const struct world *world, const unsigned int *vms, unsigned int count)
{
	guint32 hash = world->salt;

	for (unsigned int nr = 0; nr < count; nr++)
		hash += (world->vms[vms[nr]].kind + 1) * 2654435761u;
	hash ^= hash >> 15;
	hash *= 2246822519u;
	hash ^= hash >> 13;
	return world->salt ? hash / (double)G_MAXUINT32 * 2 - 1 : 0;
}

static double slowdown(const struct world *world, unsigned int vm, double others)
{
	const struct place_vm *of = &world->vms[vm];

	return 1 + world->weight[of->kind] * others + fmax(0, of->demand + others - 1);
}

static double strain(void *ctx, unsigned int class, const unsigned int *vms, unsigned int count)
{
	struct world *world = ctx;
	double sum = 0, worst = 0;

	world->calls++;
	for (unsigned int nr = 0; nr < count; nr++)
		sum += world->vms[vms[nr]].demand;
	for (unsigned int nr = 0; nr < count; nr++) {
		double others = sum - world->vms[vms[nr]].demand;

		worst = fmax(worst, slowdown(world, vms[nr], others) * (1 + 0.1 * class) /
				    world->limit[world->vms[vms[nr]].kind]);
	}
	return worst * (1 + (count > 1 ? 0.1 * noise(world, vms, count) : 0));
}

static void make_kind(struct world *world, GRand *random, unsigned int kind)
{
	world->weight[kind] = g_rand_double_range(random, 0, 2);
	world->limit[kind] = g_rand_double_range(random, 1.2, 3);
}

/* VMs of so many kinds; a kind has one demand and one type */
static void make_world(struct world *world, GRand *random, unsigned int vms, unsigned int kinds,
		       unsigned int hosts)
{
	static const unsigned int low_mb[] = { 64, 128, 256 };

	*world = (struct world) { .problem = {
		.vms = world->vms, .nr_vms = vms, .hosts = world->hosts, .nr_hosts = hosts,
		.strain = strain, .ctx = world, .tries = G_MAXUINT,
	} };
	for (unsigned int kind = 0; kind < kinds; kind++)
		make_kind(world, random, kind);
	for (unsigned int vm = 0; vm < vms; vm++) {
		if (vm < kinds)
			world->vms[vm] = (struct place_vm) {
				vm, g_rand_double_range(random, 0.02, 0.9),
				{ low_mb[g_rand_int_range(random, 0, 3)], 384, 4, 1 },
				PLACE_NOWHERE,
			};
		else
			world->vms[vm] = world->vms[vm % kinds];
	}
	for (unsigned int host = 0; host < hosts; host++)
		world->hosts[host] = (struct place_host) {
			g_rand_int_range(random, 0, 2),
			{ 128u << g_rand_int_range(random, 0, 3), 3072, 28, 7 },
		};
}

/* --- what must hold ------------------------------------------------------------------------ */

static unsigned int crowd_of(const struct world *world, const unsigned int *host_of,
			     unsigned int host, unsigned int *vms)
{
	unsigned int count = 0;

	for (unsigned int vm = 0; vm < world->problem.nr_vms; vm++)
		if (host_of[vm] == host)
			vms[count++] = vm;
	return count;
}

static bool holds(struct world *world, const unsigned int *host_of, unsigned int host)
{
	unsigned int vms[MOST_VMS], count = crowd_of(world, host_of, host, vms);

	for (enum place_resource resource = 0; resource < RESOURCES; resource++) {
		unsigned int needs = 0;

		for (unsigned int nr = 0; nr < count; nr++)
			needs += world->vms[vms[nr]].needs[resource];
		if (needs > world->hosts[host].has[resource])
			return false;
	}
	return strain(world, world->hosts[host].class, vms, count) <= 1;
}

static double check_placement(struct world *world, const struct placement *placement)
{
	double demand = 0;
	unsigned int placed = 0;

	for (unsigned int host = 0; host < world->problem.nr_hosts; host++)
		assert_true(holds(world, placement->host_of, host));
	for (unsigned int vm = 0; vm < world->problem.nr_vms; vm++) {
		if (placement->host_of[vm] == PLACE_NOWHERE)
			continue;
		assert_true(placement->host_of[vm] < world->problem.nr_hosts);
		demand += world->vms[vm].demand;
		placed++;
	}
	assert_float_equal(placement->demand, demand, 1e-6);
	assert_int_equal(placement->placed, placed);
	assert_true(bound_hosts(&world->problem, placement->host_of).hosts <= placement->hosts_used);
	return demand;
}

static struct placement search(const struct world *world)
{
	struct places *places = places_new(&world->problem);
	struct placement placement = places_search(places);

	places_free(places);
	return placement;
}

/* first-fit in the order of decreasing demand, and nothing more */
static double first_fit(struct world *world)
{
	unsigned int host_of[MOST_VMS];
	double demand = 0;

	for (unsigned int vm = 0; vm < world->problem.nr_vms; vm++)
		host_of[vm] = PLACE_NOWHERE;
	for (double most = 1; most >= 0; most -= 0.001)
		for (unsigned int vm = 0; vm < world->problem.nr_vms; vm++) {
			unsigned int host = 0;

			if (world->vms[vm].demand <= most - 0.001 || world->vms[vm].demand > most)
				continue;
			for (; host < world->problem.nr_hosts; host++) {
				host_of[vm] = host;
				if (holds(world, host_of, host))
					break;
			}
			if (host < world->problem.nr_hosts)
				demand += world->vms[vm].demand;
			else
				host_of[vm] = PLACE_NOWHERE;
		}
	return demand;
}

/* --- the oracle ------------------------------------------------------------------------------ */

/* all placements of six VMs are numbers to the base of the hosts and nowhere */
static void decode(unsigned int number, unsigned int hosts, unsigned int *host_of)
{
	for (unsigned int vm = 0; vm < SMALL; vm++, number /= hosts + 1)
		host_of[vm] = number % (hosts + 1) < hosts ? number % (hosts + 1) : PLACE_NOWHERE;
}

static double demand_of(const struct world *world, const unsigned int *host_of)
{
	double demand = 0;

	for (unsigned int vm = 0; vm < SMALL; vm++)
		demand += host_of[vm] != PLACE_NOWHERE ? world->vms[vm].demand : 0;
	return demand;
}

static bool all_hold(struct world *world, const unsigned int *host_of)
{
	for (unsigned int host = 0; host < world->problem.nr_hosts; host++)
		if (!holds(world, host_of, host))
			return false;
	return true;
}

static double best_demand(struct world *world)
{
	unsigned int placements = pow(world->problem.nr_hosts + 1, SMALL), host_of[SMALL];
	double best = 0;

	for (unsigned int number = 0; number < placements; number++) {
		decode(number, world->problem.nr_hosts, host_of);
		if (demand_of(world, host_of) > best && all_hold(world, host_of))
			best = demand_of(world, host_of);
	}
	return best;
}

/* what the search misses of the oracle's demand: on average, and at worst */
static void compare_with_oracle(unsigned int seed, bool noisy, unsigned int rounds, double *mean,
				double *worst)
{
	GRand *random = g_rand_new_with_seed(seed);
	struct world *world = g_new(struct world, 1);

	*mean = *worst = 0;
	for (unsigned int round = 0; round < rounds; round++) {
		struct placement placement;
		double best, missed;

		make_world(world, random, SMALL, g_rand_int_range(random, 3, SMALL + 1),
			   g_rand_int_range(random, 1, MOST_HOSTS + 1));
		world->salt = noisy ? g_rand_int(random) | 1 : 0;
		placement = search(world);
		best = best_demand(world);
		missed = best > 0 ? 1 - check_placement(world, &placement) / best : 0;
		assert_true(missed >= -1e-9);
		*mean += missed / rounds;
		*worst = fmax(*worst, missed);
		g_free(placement.host_of);
	}
	g_free(world);
	g_rand_free(random);
}

static void misses_little_of_the_oracle(void **state)
{
	double mean, worst;

	(void)state;
	compare_with_oracle(1, false, 500, &mean, &worst);
	print_message("missed of the oracle's utilisation: mean %.3f %%, worst %.2f %%\n",
		      100 * mean, 100 * worst);
	assert_true(mean <= 0.003 && worst <= 0.03);
	/* where a further VM may relieve others, as no real law has it */
	compare_with_oracle(2, true, 500, &mean, &worst);
	print_message("the same with noise: mean %.3f %%, worst %.2f %%\n", 100 * mean, 100 * worst);
	assert_true(mean <= 0.003 && worst <= 0.03);
}

/* --- small ones ----------------------------------------------------------------------------------- */

static double no_strain(void *ctx, unsigned int class, const unsigned int *vms, unsigned int count)
{
	(void)ctx;
	(void)class;
	(void)vms;
	return count > 7;
}

static double full_strain(void *ctx, unsigned int class, const unsigned int *vms,
			  unsigned int count)
{
	(void)ctx;
	(void)class;
	(void)vms;
	return count > 1 ? 1.5 : 0.5;
}

#define SIZE(mb)	{ mb, 384, 4, 1 }

static void few_hosts_are_used(void **state)
{
	const struct place_vm vms[] = {
		{ 0, 0.2, SIZE(64), PLACE_NOWHERE }, { 0, 0.2, SIZE(64), PLACE_NOWHERE },
		{ 1, 0.1, SIZE(64), 1 },
	};
	const struct place_host hosts[] = { { 0, SIZE(512) }, { 0, { 512, 2048, 28, 7 } } };
	const struct place_problem problem = { vms, 3, hosts, 2, no_strain, NULL, 100 };
	struct places *places = places_new(&problem);
	struct placement placement = places_search(places);

	(void)state;
	assert_int_equal(placement.placed, 3);
	assert_int_equal(placement.hosts_used, 1);
	for (unsigned int vm = 0; vm < 3; vm++)
		assert_int_equal(placement.host_of[vm], 1);
	assert_false(placement.cut_short);
	g_free(placement.host_of);
	places_free(places);
}

static void nothing_fits_and_nothing_is_there(void **state)
{
	const struct place_vm vms[] = { { 0, 0.2, SIZE(1024), PLACE_NOWHERE } };
	const struct place_host hosts[] = { { 0, SIZE(512) } };
	const struct place_problem problems[] = {
		{ vms, 1, hosts, 1, no_strain, NULL, 100 }, { vms, 1, NULL, 0, no_strain, NULL, 100 },
		{ NULL, 0, hosts, 1, no_strain, NULL, 100 }, { NULL, 0, NULL, 0, no_strain, NULL, 100 },
		{ vms, 1, hosts, 1, no_strain, NULL, 0 },
	};

	(void)state;
	for (size_t nr = 0; nr < G_N_ELEMENTS(problems); nr++) {
		struct places *places = places_new(&problems[nr]);
		struct placement placement = places_search(places);

		assert_int_equal(placement.placed, 0);
		assert_int_equal(placement.tried, 0);
		g_free(placement.host_of);
		places_free(places);
	}
}

static void a_resource_that_lacks_is_named(void **state)
{
	const struct place_vm vms[] = {
		{ 0, 0.2, { 64, 384, 4, 1 }, PLACE_NOWHERE }, { 0, 0.2, { 64, 384, 4, 1 }, PLACE_NOWHERE },
	};
	const struct place_host hosts[] = {
		{ 0, { 64, 3072, 28, 7 } }, { 0, { 128, 700, 28, 7 } }, { 0, { 128, 768, 7, 7 } },
		{ 0, { 128, 768, 8, 1 } }, { 0, { 128, 768, 8, 2 } },
	};
	const struct place_problem problem = { vms, 2, hosts, 5, no_strain, NULL, 100 };
	const unsigned int both[] = { 0, 1 };
	struct places *places = places_new(&problem);

	(void)state;
	for (unsigned int host = 0; host < 5; host++)
		assert_int_equal(places_lack(places, host, both, 2), host);
	places_free(places);
}

static void who_is_fixed_stays_beyond_a_limit(void **state)
{
	const struct place_vm vms[] = {
		{ 0, 0.2, SIZE(64), 0 }, { 0, 0.2, SIZE(64), 0 }, { 1, 0.9, SIZE(64), PLACE_NOWHERE },
	};
	const struct place_host hosts[] = { { 0, { 512, 3072, 28, 7 } } };
	const struct place_problem problem = { vms, 3, hosts, 1, full_strain, NULL, 100 };
	struct places *places = places_new(&problem);
	struct placement placement = places_search(places);

	(void)state;
	assert_int_equal(placement.placed, 2);
	assert_int_equal(placement.host_of[2], PLACE_NOWHERE);
	assert_float_equal(places_strain(places, 0, (unsigned int[]) { 0, 1 }, 2), 1.5, 0);
	g_free(placement.host_of);
	places_free(places);
}

/* --- many ------------------------------------------------------------------------------------------ */

static void a_thousand_are_placed_within_bounds(void **state)
{
	GRand *random = g_rand_new_with_seed(3);
	struct world *world = g_new(struct world, 1);
	struct placement one, other;

	(void)state;
	make_world(world, random, MOST_VMS, 20, 150);
	world->problem.tries = 20000;
	one = search(world);
	check_placement(world, &one);
	print_message("1000 VMs on 150 hosts: %u placed, %.1f GPUs of demand (first-fit %.1f), %u predictions%s\n",
		      one.placed, one.demand, first_fit(world), one.tried,
		      one.cut_short ? ", cut short" : "");
	assert_true(one.demand >= first_fit(world));
	assert_true(one.tried < 40000);
	other = search(world);
	assert_memory_equal(one.host_of, other.host_of, MOST_VMS * sizeof(*one.host_of));
	g_free(one.host_of);
	g_free(other.host_of);
	g_free(world);
	g_rand_free(random);
}

static void a_set_is_asked_for_once(void **state)
{
	GRand *random = g_rand_new_with_seed(4);
	struct world *world = g_new(struct world, 1);
	struct placement placement;
	struct places *places;

	(void)state;
	make_world(world, random, 40, 2, 3);
	places = places_new(&world->problem);
	assert_float_equal(places_strain(places, 0, (unsigned int[]) { 0, 1 }, 2),
			   places_strain(places, 0, (unsigned int[]) { 1, 0 }, 2), 0);
	assert_int_equal(world->calls, 1);
	places_free(places);
	for (unsigned int host = 0; host < 3; host++)
		world->hosts[host].class = 0;
	world->calls = 0;
	placement = search(world);
	/* of two kinds, up to seven: (8 * 9) / 2 - 1 sets */
	assert_true(world->calls <= 35);
	assert_int_equal(placement.tried, world->calls);
	g_free(placement.host_of);
	g_free(world);
	g_rand_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(misses_little_of_the_oracle),
		cmocka_unit_test(few_hosts_are_used),
		cmocka_unit_test(nothing_fits_and_nothing_is_there),
		cmocka_unit_test(a_resource_that_lacks_is_named),
		cmocka_unit_test(who_is_fixed_stays_beyond_a_limit),
		cmocka_unit_test(a_thousand_are_placed_within_bounds),
		cmocka_unit_test(a_set_is_asked_for_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
