// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "search.h"

/* smaller differences of demand are rounding errors */
#define EPSILON		1e-9
/* limit on checks, most of which are cached, to end the improvement */
#define MOST_QUESTIONS	4000000
/* number of restarts with another order */
#define MOST_ORDERS	64

/* no VM */
#define NOBODY		G_MAXUINT

/* VMs on a host */
struct crowd {
	unsigned int *vms;
	unsigned int count;
};

struct state {
	unsigned int *host_of;
	struct crowd *crowds;		/* by host */
};

struct places {
	const struct place_problem *problem;
	GHashTable *strains;		/* class and sorted kinds => double */
	unsigned int tried;
	unsigned int questions;
	unsigned int room;		/* maximum number of VMs per host */
	struct state now;
	unsigned int *set;		/* scratch: the VMs of a host after a change */
	unsigned int *key;		/* scratch */
};

/* --- feasibility ------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	unsigned int one = *(const unsigned int *)a, other = *(const unsigned int *)b;

	return one < other ? -1 : one > other;
}

static GBytes *key_of(struct places *places, unsigned int class, const unsigned int *vms,
		      unsigned int count)
{
	places->key[0] = class;
	for (unsigned int nr = 0; nr < count; nr++)
		places->key[nr + 1] = places->problem->vms[vms[nr]].kind;
	qsort(places->key + 1, count, sizeof(*places->key), compare_numbers);
	return g_bytes_new(places->key, (count + 1) * sizeof(*places->key));
}

double places_strain(struct places *places, unsigned int host, const unsigned int *vms,
		     unsigned int count)
{
	const struct place_problem *problem = places->problem;
	unsigned int class = problem->hosts[host].class;
	double *strain;
	GBytes *key;

	if (!count)
		return 0;
	key = key_of(places, class, vms, count);
	strain = g_hash_table_lookup(places->strains, key);
	if (strain) {
		g_bytes_unref(key);
		return *strain;
	}
	strain = g_new(double, 1);
	*strain = problem->strain(problem->ctx, class, vms, count);
	places->tried++;
	g_hash_table_insert(places->strains, key, strain);
	return *strain;
}

enum place_resource places_lack(const struct places *places, unsigned int host,
				const unsigned int *vms, unsigned int count)
{
	for (enum place_resource resource = 0; resource < RESOURCES; resource++) {
		guint64 needs = 0;

		for (unsigned int nr = 0; nr < count; nr++)
			needs += places->problem->vms[vms[nr]].needs[resource];
		if (needs > places->problem->hosts[host].has[resource])
			return resource;
	}
	return RESOURCES;
}

/* is the host within its limits without @out, and with @in and @too? Each may be NOBODY */
static bool accepts(struct places *places, unsigned int host, unsigned int out, unsigned int in,
		    unsigned int too)
{
	const struct crowd *crowd = &places->now.crowds[host];
	unsigned int count = 0;

	places->questions++;
	for (unsigned int nr = 0; nr < crowd->count; nr++)
		if (crowd->vms[nr] != out)
			places->set[count++] = crowd->vms[nr];
	if (in != NOBODY)
		places->set[count++] = in;
	if (too != NOBODY)
		places->set[count++] = too;
	return places_lack(places, host, places->set, count) == RESOURCES &&
	       places_strain(places, host, places->set, count) <= 1;
}

static bool may_ask(const struct places *places)
{
	return places->tried < places->problem->tries && places->questions < MOST_QUESTIONS;
}

/* --- moves --------------------------------------------------------------------------------- */

static void take_away(struct places *places, unsigned int vm)
{
	unsigned int host = places->now.host_of[vm];
	struct crowd *crowd = &places->now.crowds[host];
	unsigned int at = 0;

	while (crowd->vms[at] != vm)
		at++;
	memmove(crowd->vms + at, crowd->vms + at + 1, (--crowd->count - at) * sizeof(*crowd->vms));
	places->now.host_of[vm] = PLACE_NOWHERE;
}

static void put(struct places *places, unsigned int vm, unsigned int host)
{
	struct crowd *crowd = &places->now.crowds[host];

	if (places->now.host_of[vm] != PLACE_NOWHERE)
		take_away(places, vm);
	crowd->vms[crowd->count++] = vm;
	places->now.host_of[vm] = host;
}

static bool is_fixed(const struct places *places, unsigned int vm)
{
	return places->problem->vms[vm].fixed != PLACE_NOWHERE;
}

static bool is_movable(const struct places *places, unsigned int vm)
{
	return places->now.host_of[vm] != PLACE_NOWHERE && !is_fixed(places, vm);
}

static double demand_of(const struct places *places, unsigned int vm)
{
	return places->problem->vms[vm].demand;
}

/* Of successive equal empty hosts, it suffices to try the first. */
static bool is_like_an_empty_one(const struct places *places, unsigned int host)
{
	const struct place_host *hosts = places->problem->hosts;

	if (places->now.crowds[host].count || !host)
		return false;
	return !places->now.crowds[host - 1].count &&
	       !memcmp(&hosts[host], &hosts[host - 1], sizeof(*hosts));
}

/* the first host other than @but that accepts the VM */
static unsigned int find_host(struct places *places, unsigned int vm, unsigned int but)
{
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		if (host != but && !is_like_an_empty_one(places, host) &&
		    accepts(places, host, NOBODY, vm, NOBODY))
			return host;
	return PLACE_NOWHERE;
}

static bool insert(struct places *places, unsigned int vm)
{
	unsigned int host = find_host(places, vm, PLACE_NOWHERE);

	if (host == PLACE_NOWHERE)
		return false;
	put(places, vm, host);
	return true;
}

/* moves @other to another host, and puts @vm in its place */
static bool move_away(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->now.host_of[other], to;

	if (!accepts(places, host, other, vm, NOBODY))
		return false;
	to = find_host(places, other, host);
	if (to == PLACE_NOWHERE)
		return false;
	put(places, other, to);
	put(places, vm, host);
	return true;
}

/* @other trades places with a third VM, if @other's host then has room for @vm, too */
static bool exchange(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->now.host_of[other];

	for (unsigned int third = 0; third < places->problem->nr_vms && may_ask(places); third++) {
		unsigned int to = places->now.host_of[third];

		if (!is_movable(places, third) || to == host ||
		    !accepts(places, host, other, third, vm) ||
		    !accepts(places, to, third, other, NOBODY))
			continue;
		put(places, third, host);
		put(places, other, to);
		put(places, vm, host);
		return true;
	}
	return false;
}

/* @vm replaces @other if @vm has more demand */
static bool replace(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->now.host_of[other];

	if (demand_of(places, vm) <= demand_of(places, other) + EPSILON ||
	    !accepts(places, host, other, vm, NOBODY))
		return false;
	take_away(places, other);
	put(places, vm, host);
	return true;
}

/* @vm and a second VM without host replace @other if they have more demand together */
static bool replace_by_two(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->now.host_of[other];

	for (unsigned int too = 0; too < places->problem->nr_vms && may_ask(places); too++) {
		if (too == vm || places->now.host_of[too] != PLACE_NOWHERE ||
		    demand_of(places, vm) + demand_of(places, too) <=
		    demand_of(places, other) + EPSILON ||
		    !accepts(places, host, other, vm, too))
			continue;
		take_away(places, other);
		put(places, vm, host);
		put(places, too, host);
		return true;
	}
	return false;
}

/* tries to place @vm at the expense of @other, which has a place */
typedef bool (*change_fn)(struct places *places, unsigned int vm, unsigned int other);

static const change_fn changes[] = { move_away, exchange, replace, replace_by_two };

static bool make_room(struct places *places, unsigned int vm, change_fn change)
{
	for (unsigned int other = 0; other < places->problem->nr_vms && may_ask(places); other++)
		if (is_movable(places, other) && change(places, vm, other))
			return true;
	return false;
}

/* Tries one VM of each kind: the result is the same for the others. */
static bool improve_by(struct places *places, change_fn change)
{
	bool *asked = g_new0(bool, places->problem->nr_vms), done = false;

	for (unsigned int vm = 0; vm < places->problem->nr_vms && !done && may_ask(places); vm++) {
		unsigned int kind = places->problem->vms[vm].kind;

		if (places->now.host_of[vm] != PLACE_NOWHERE || asked[kind])
			continue;
		asked[kind] = true;
		done = change ? make_room(places, vm, change) : insert(places, vm);
	}
	g_free(asked);
	return done;
}

static bool improve_once(struct places *places)
{
	if (improve_by(places, NULL))
		return true;
	for (size_t nr = 0; nr < G_N_ELEMENTS(changes); nr++)
		if (improve_by(places, changes[nr]))
			return true;
	return false;
}

/* --- fewer hosts --------------------------------------------------------------------------- */

static struct state copy_state(const struct places *places, const struct state *from)
{
	const struct place_problem *problem = places->problem;
	struct state to = {
		g_memdup2(from->host_of, problem->nr_vms * sizeof(*from->host_of)),
		g_new(struct crowd, problem->nr_hosts),
	};

	for (unsigned int host = 0; host < problem->nr_hosts; host++) {
		to.crowds[host] = (struct crowd) {
			g_new(unsigned int, places->room), from->crowds[host].count,
		};
		memcpy(to.crowds[host].vms, from->crowds[host].vms,
		       from->crowds[host].count * sizeof(unsigned int));
	}
	return to;
}

static void clear_state(const struct places *places, struct state *state)
{
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		g_free(state->crowds[host].vms);
	g_free(state->crowds);
	g_free(state->host_of);
}

/* moves the VM to the first non-empty host that accepts it */
static bool join_others(struct places *places, unsigned int vm, unsigned int but)
{
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		if (host != but && places->now.crowds[host].count &&
		    accepts(places, host, NOBODY, vm, NOBODY)) {
			put(places, vm, host);
			return true;
		}
	return false;
}

static bool leave(struct places *places, unsigned int host)
{
	while (places->now.crowds[host].count) {
		unsigned int vm = places->now.crowds[host].vms[0];

		if (is_fixed(places, vm) || !may_ask(places) || !join_others(places, vm, host))
			return false;
	}
	return true;
}

static void empty_hosts(struct places *places)
{
	for (unsigned int host = places->problem->nr_hosts; host-- > 0 && may_ask(places);) {
		struct state before;

		if (!places->now.crowds[host].count)
			continue;
		before = copy_state(places, &places->now);
		if (!leave(places, host)) {
			clear_state(places, &places->now);
			places->now = before;
		} else {
			clear_state(places, &before);
		}
	}
}

/* --- orders -------------------------------------------------------------------------------- */

/* the quality of a placement, in order of priority */
struct worth {
	double demand;
	unsigned int placed;
	unsigned int hosts_used;
};

static struct worth worth_of(const struct places *places, const struct state *state)
{
	struct worth worth = { 0 };

	for (unsigned int vm = 0; vm < places->problem->nr_vms; vm++) {
		if (state->host_of[vm] == PLACE_NOWHERE)
			continue;
		worth.demand += demand_of(places, vm);
		worth.placed++;
	}
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		worth.hosts_used += state->crowds[host].count > 0;
	return worth;
}

static bool is_better(const struct worth *one, const struct worth *other)
{
	if (one->demand > other->demand + EPSILON || one->demand < other->demand - EPSILON)
		return one->demand > other->demand;
	if (one->placed != other->placed)
		return one->placed > other->placed;
	return one->hosts_used < other->hosts_used;
}

static void place_fixed(struct places *places)
{
	for (unsigned int vm = 0; vm < places->problem->nr_vms; vm++)
		if (is_fixed(places, vm))
			put(places, vm, places->problem->vms[vm].fixed);
}

static void start_anew(struct places *places)
{
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		places->now.crowds[host].count = 0;
	for (unsigned int vm = 0; vm < places->problem->nr_vms; vm++)
		places->now.host_of[vm] = PLACE_NOWHERE;
	place_fixed(places);
}

static void place_in_order(struct places *places, const unsigned int *order)
{
	start_anew(places);
	for (unsigned int nr = 0; nr < places->problem->nr_vms; nr++)
		if (places->now.host_of[order[nr]] == PLACE_NOWHERE)
			insert(places, order[nr]);
	while (may_ask(places) && improve_once(places))
		;
	empty_hosts(places);
}

static int compare_demand(const void *a, const void *b, void *ctx)
{
	unsigned int one = *(const unsigned int *)a, other = *(const unsigned int *)b;
	const struct place_vm *vms = ctx;

	if (vms[one].demand != vms[other].demand)
		return vms[one].demand > vms[other].demand ? -1 : 1;
	return one < other ? -1 : one > other;
}

static unsigned int *by_demand(const struct places *places)
{
	/* at least one element, as there may be no VMs */
	unsigned int *order = g_new(unsigned int, places->problem->nr_vms + 1);

	for (unsigned int nr = 0; nr < places->problem->nr_vms; nr++)
		order[nr] = nr;
	qsort_r(order, places->problem->nr_vms, sizeof(*order), compare_demand,
		(void *)places->problem->vms);
	return order;
}

/*
 * VMs without a host come first: D. Joslin and D. Clements, "Squeaky Wheel" Optimization,
 * Journal of Artificial Intelligence Research 10, 1999. Returns false if all VMs have one.
 */
static bool complainers_first(const struct places *places, unsigned int *order)
{
	unsigned int count = places->problem->nr_vms, front = 0, back = 0;
	unsigned int *others = g_new(unsigned int, count + 1);

	for (unsigned int nr = 0; nr < count; nr++)
		if (places->now.host_of[order[nr]] == PLACE_NOWHERE)
			order[front++] = order[nr];
		else
			others[back++] = order[nr];
	memcpy(order + front, others, back * sizeof(*order));
	g_free(others);
	return front;
}

static void keep_best(struct places *places, struct state *best)
{
	struct worth now = worth_of(places, &places->now), then = worth_of(places, best);

	if (!is_better(&now, &then))
		return;
	clear_state(places, best);
	*best = copy_state(places, &places->now);
}

/* uses a fixed seed, so that results are reproducible */
static void shuffle(const struct places *places, GRand *random, unsigned int *order)
{
	for (unsigned int nr = places->problem->nr_vms; nr > 1; nr--) {
		unsigned int other = g_rand_int_range(random, 0, nr), kept = order[nr - 1];

		order[nr - 1] = order[other];
		order[other] = kept;
	}
}

/* Alternates between orders by complaint and random ones, as the former may repeat in a cycle. */
static void try_orders(struct places *places, struct state *best)
{
	unsigned int *order = by_demand(places);
	GRand *random = g_rand_new_with_seed(1);

	place_in_order(places, order);
	keep_best(places, best);
	for (unsigned int nr = 1; nr < MOST_ORDERS && may_ask(places); nr++) {
		if (!complainers_first(places, order))
			break;
		if (nr % 2 == 0)
			shuffle(places, random, order);
		place_in_order(places, order);
		keep_best(places, best);
	}
	g_rand_free(random);
	g_free(order);
}

struct placement places_search(struct places *places)
{
	struct placement placement = { 0 };
	struct worth worth;
	struct state best;

	start_anew(places);
	best = copy_state(places, &places->now);
	try_orders(places, &best);
	worth = worth_of(places, &best);
	placement = (struct placement) {
		.host_of = best.host_of, .demand = worth.demand, .placed = worth.placed,
		.hosts_used = worth.hosts_used, .tried = places->tried,
		.cut_short = !may_ask(places),
	};
	best.host_of = NULL;
	clear_state(places, &best);
	return placement;
}

/* --- setup ------------------------------------------------------------------------------------ */

/* the maximum number of VMs on a host, by its resources and its fixed VMs */
static unsigned int most_room(const struct place_problem *problem)
{
	unsigned int room = 0;

	for (unsigned int host = 0; host < problem->nr_hosts; host++)
		room = MAX(room, problem->hosts[host].has[RESOURCE_VGPUS]);
	return MIN(room, problem->nr_vms);
}

static unsigned int most_fixed(const struct place_problem *problem)
{
	unsigned int fixed = 0;

	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		fixed += problem->vms[vm].fixed != PLACE_NOWHERE;
	return fixed;
}

static void free_key(void *key)
{
	g_bytes_unref(key);
}

struct places *places_new(const struct place_problem *problem)
{
	struct places *places = g_new0(struct places, 1);

	places->problem = problem;
	places->room = most_room(problem) + most_fixed(problem) + 2;
	places->strains = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, free_key, g_free);
	places->set = g_new(unsigned int, places->room + 2);
	places->key = g_new(unsigned int, places->room + 3);
	places->now.host_of = g_new(unsigned int, problem->nr_vms);
	places->now.crowds = g_new0(struct crowd, problem->nr_hosts);
	for (unsigned int host = 0; host < problem->nr_hosts; host++)
		places->now.crowds[host].vms = g_new(unsigned int, places->room);
	return places;
}

void places_free(struct places *places)
{
	clear_state(places, &places->now);
	g_hash_table_destroy(places->strains);
	g_free(places->set);
	g_free(places->key);
	g_free(places);
}
