// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
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
	unsigned int count, room;	/* VMs, and those for which there is memory */
	guint64 needs[RESOURCES];	/* sums */
	unsigned int alike;		/* equal: hosts of a class and size with VMs of the same kinds */
};

struct places {
	const struct place_problem *problem;
	GHashTable *strains;		/* class and sorted kinds => double */
	unsigned int tried;
	unsigned int questions;
	bool frugal;			/* asks no more than problem->tries */
	bool refused;			/* it would have asked more */
	unsigned int *host_of;		/* by VM */
	struct crowd *crowds;		/* by host */
	unsigned int *hosts;		/* the largest first */
	unsigned int *shapes;		/* by host: equal for hosts of a class and size */
	GHashTable *alike_numbers;		/* shape and sorted kinds => number in crowd.alike */
	GArray *asked;			/* unsigned int: by crowd.alike, the round that asked last */
	unsigned int round;
	GArray *set;			/* scratch, unsigned int: the VMs of a host after a change */
	GArray *key;			/* scratch, unsigned int */
};

/* --- feasibility ------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	unsigned int one = *(const unsigned int *)a, other = *(const unsigned int *)b;

	return one < other ? -1 : one > other;
}

static GBytes *key_of(struct places *places, unsigned int first, const unsigned int *vms,
		      unsigned int count)
{
	unsigned int *key;

	g_array_set_size(places->key, count + 1);
	key = (unsigned int *)places->key->data;
	key[0] = first;
	for (unsigned int nr = 0; nr < count; nr++)
		key[nr + 1] = places->problem->vms[vms[nr]].kind;
	qsort(key + 1, count, sizeof(*key), compare_numbers);
	return g_bytes_new(key, (count + 1) * sizeof(*key));
}

static const double *known_strain(struct places *places, unsigned int class,
				  const unsigned int *vms, unsigned int count)
{
	GBytes *key = key_of(places, class, vms, count);
	const double *strain = g_hash_table_lookup(places->strains, key);

	g_bytes_unref(key);
	return strain;
}

double places_strain(struct places *places, unsigned int host, const unsigned int *vms,
		     unsigned int count)
{
	const struct place_problem *problem = places->problem;
	unsigned int class = problem->hosts[host].class;
	const double *known;
	double *strain;

	if (!count)
		return 0;
	known = known_strain(places, class, vms, count);
	if (known)
		return *known;
	strain = g_new(double, 1);
	*strain = problem->strain(problem->ctx, class, vms, count);
	places->tried++;
	g_hash_table_insert(places->strains, key_of(places, class, vms, count), strain);
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

static const unsigned int *needs_of(const struct places *places, unsigned int vm)
{
	static const unsigned int nothing[RESOURCES];

	return vm == NOBODY ? nothing : places->problem->vms[vm].needs;
}

static bool has_room(const struct places *places, unsigned int host, unsigned int out,
		     unsigned int in, unsigned int too)
{
	for (enum place_resource resource = 0; resource < RESOURCES; resource++)
		if (places->crowds[host].needs[resource] + needs_of(places, in)[resource] +
		    needs_of(places, too)[resource] >
		    (guint64)places->problem->hosts[host].has[resource] +
		    needs_of(places, out)[resource])
			return false;
	return true;
}

/* are the VMs of places->set within their limits? */
static bool is_bearable(struct places *places, unsigned int host)
{
	unsigned int class = places->problem->hosts[host].class, count = places->set->len;
	const unsigned int *vms = (const unsigned int *)places->set->data;

	if (places->frugal && places->tried >= places->problem->tries && count &&
	    !known_strain(places, class, vms, count)) {
		places->refused = true;
		return false;
	}
	return places_strain(places, host, vms, count) <= 1;
}

/* is the host within its limits without @out, and with @in and @too? Each may be NOBODY */
static bool accepts(struct places *places, unsigned int host, unsigned int out, unsigned int in,
		    unsigned int too)
{
	const struct crowd *crowd = &places->crowds[host];

	places->questions++;
	if (!has_room(places, host, out, in, too))
		return false;
	g_array_set_size(places->set, 0);
	for (unsigned int nr = 0; nr < crowd->count; nr++)
		if (crowd->vms[nr] != out)
			g_array_append_val(places->set, crowd->vms[nr]);
	if (in != NOBODY)
		g_array_append_val(places->set, in);
	if (too != NOBODY)
		g_array_append_val(places->set, too);
	return is_bearable(places, host);
}

static bool may_ask(const struct places *places)
{
	return places->questions < MOST_QUESTIONS;
}

/* --- moves --------------------------------------------------------------------------------- */

/* the number of a host's state, the same for the same, so that its answers are the same */
static unsigned int number_alike(struct places *places, unsigned int host)
{
	const struct crowd *crowd = &places->crowds[host];
	GBytes *key = key_of(places, places->shapes[host], crowd->vms, crowd->count);
	gpointer found;

	if (g_hash_table_lookup_extended(places->alike_numbers, key, NULL, &found)) {
		g_bytes_unref(key);
		return GPOINTER_TO_UINT(found);
	}
	g_hash_table_insert(places->alike_numbers, key, GUINT_TO_POINTER(places->asked->len));
	g_array_set_size(places->asked, places->asked->len + 1);
	return places->asked->len - 1;
}

/* VMs came or went */
static void recount(struct places *places, unsigned int host, unsigned int vm, int sign)
{
	struct crowd *crowd = &places->crowds[host];

	for (enum place_resource resource = 0; resource < RESOURCES; resource++)
		crowd->needs[resource] += sign * (gint64)needs_of(places, vm)[resource];
	crowd->alike = number_alike(places, host);
}

static void take_away(struct places *places, unsigned int vm)
{
	unsigned int host = places->host_of[vm];
	struct crowd *crowd = &places->crowds[host];
	unsigned int at = 0;

	while (crowd->vms[at] != vm)
		at++;
	memmove(crowd->vms + at, crowd->vms + at + 1, (--crowd->count - at) * sizeof(*crowd->vms));
	places->host_of[vm] = PLACE_NOWHERE;
	recount(places, host, vm, -1);
}

static void put(struct places *places, unsigned int vm, unsigned int host)
{
	struct crowd *crowd = &places->crowds[host];

	if (places->host_of[vm] != PLACE_NOWHERE)
		take_away(places, vm);
	if (crowd->count == crowd->room) {
		crowd->room = 2 * crowd->room + 4;
		crowd->vms = g_renew(unsigned int, crowd->vms, crowd->room);
	}
	crowd->vms[crowd->count++] = vm;
	places->host_of[vm] = host;
	recount(places, host, vm, 1);
}

static bool is_fixed(const struct places *places, unsigned int vm)
{
	return places->problem->vms[vm].fixed != PLACE_NOWHERE;
}

static bool is_movable(const struct places *places, unsigned int vm)
{
	return places->host_of[vm] != PLACE_NOWHERE && !is_fixed(places, vm);
}

static double demand_of(const struct places *places, unsigned int vm)
{
	return places->problem->vms[vm].demand;
}

/* has none that is alike been asked in this round? */
static bool is_new(struct places *places, unsigned int host)
{
	unsigned int *asked = &g_array_index(places->asked, unsigned int,
					     places->crowds[host].alike);
	bool new = *asked != places->round;

	*asked = places->round;
	return new;
}

/*
 * the first host other than @but that accepts the VM; hosts that are alike are asked once
 * @least: VMs that are there already
 */
static unsigned int find_host(struct places *places, unsigned int vm, unsigned int but,
			      unsigned int least)
{
	places->round++;
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		if (host != but && places->crowds[host].count >= least &&
		    is_new(places, host) && accepts(places, host, NOBODY, vm, NOBODY))
			return host;
	return PLACE_NOWHERE;
}

static bool insert(struct places *places, unsigned int vm)
{
	unsigned int host = find_host(places, vm, PLACE_NOWHERE, 0);

	if (host == PLACE_NOWHERE)
		return false;
	put(places, vm, host);
	return true;
}

/* moves @other to another host, and puts @vm in its place */
static bool move_away(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->host_of[other], to;

	if (!accepts(places, host, other, vm, NOBODY))
		return false;
	to = find_host(places, other, host, 0);
	if (to == PLACE_NOWHERE)
		return false;
	put(places, other, to);
	put(places, vm, host);
	return true;
}

/* Of VMs of a kind on hosts that are alike, the result is the same. */
static bool is_first(const struct places *places, unsigned int vm, GHashTable *asked)
{
	const guint64 key = (guint64)places->problem->vms[vm].kind << 32 |
			    places->crowds[places->host_of[vm]].alike;

	return g_hash_table_add(asked, g_memdup2(&key, sizeof(key)));
}

/* @other trades places with a third VM, if @other's host then has room for @vm, too */
static bool exchange(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->host_of[other];
	GHashTable *asked = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	bool done = false;

	for (unsigned int third = 0; third < places->problem->nr_vms && !done && may_ask(places); third++) {
		unsigned int to = places->host_of[third];

		if (!is_movable(places, third) || to == host || !is_first(places, third, asked) ||
		    !accepts(places, host, other, third, vm) ||
		    !accepts(places, to, third, other, NOBODY))
			continue;
		put(places, third, host);
		put(places, other, to);
		put(places, vm, host);
		done = true;
	}
	g_hash_table_destroy(asked);
	return done;
}

/* @vm replaces @other if @vm has more demand */
static bool replace(struct places *places, unsigned int vm, unsigned int other)
{
	unsigned int host = places->host_of[other];

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
	unsigned int host = places->host_of[other];

	for (unsigned int too = 0; too < places->problem->nr_vms && may_ask(places); too++) {
		if (too == vm || places->host_of[too] != PLACE_NOWHERE ||
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
	GHashTable *asked = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	bool done = false;

	for (unsigned int other = 0; other < places->problem->nr_vms && !done && may_ask(places); other++)
		done = is_movable(places, other) && is_first(places, other, asked) &&
		       change(places, vm, other);
	g_hash_table_destroy(asked);
	return done;
}

/* Tries one VM of each kind: the result is the same for the others. */
static bool improve_by(struct places *places, change_fn change)
{
	bool *asked = g_new0(bool, places->problem->nr_vms), done = false;

	for (unsigned int vm = 0; vm < places->problem->nr_vms && !done && may_ask(places); vm++) {
		unsigned int kind = places->problem->vms[vm].kind;

		if (places->host_of[vm] != PLACE_NOWHERE || asked[kind])
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

/* moves all VMs to hosts that are not empty; notes those that it moved */
static bool leave(struct places *places, unsigned int host, GArray *moved)
{
	while (places->crowds[host].count) {
		unsigned int vm = places->crowds[host].vms[0], to;

		if (is_fixed(places, vm) || !may_ask(places))
			return false;
		to = find_host(places, vm, host, 1);
		if (to == PLACE_NOWHERE)
			return false;
		put(places, vm, to);
		g_array_append_val(moved, vm);
	}
	return true;
}

/* Returns whether a host became empty. */
static bool empty_hosts(struct places *places)
{
	GArray *moved = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	bool done = false;

	for (unsigned int nr = places->problem->nr_hosts; nr-- > 0 && may_ask(places);) {
		unsigned int host = places->hosts[nr];

		g_array_set_size(moved, 0);
		if (!places->crowds[host].count)
			continue;
		if (leave(places, host, moved)) {
			done = true;
			continue;
		}
		for (unsigned int back = 0; back < moved->len; back++)
			put(places, g_array_index(moved, unsigned int, back), host);
	}
	g_array_free(moved, TRUE);
	return done;
}

/* --- orders -------------------------------------------------------------------------------- */

static double demand_of_placed(const struct places *places)
{
	double demand = 0;

	for (unsigned int vm = 0; vm < places->problem->nr_vms; vm++)
		demand += places->host_of[vm] != PLACE_NOWHERE ? demand_of(places, vm) : 0;
	return demand;
}

static struct placement look(const struct places *places)
{
	struct placement now = { .demand = demand_of_placed(places) };

	for (unsigned int vm = 0; vm < places->problem->nr_vms; vm++)
		now.placed += places->host_of[vm] != PLACE_NOWHERE;
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		now.hosts_used += places->crowds[host].count > 0;
	return now;
}

/* in order of priority */
static bool is_better(const struct placement *one, const struct placement *other)
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
	for (unsigned int vm = 0; vm < places->problem->nr_vms; vm++)
		if (places->host_of[vm] != PLACE_NOWHERE)
			take_away(places, vm);
	place_fixed(places);
}

static void improve(struct places *places)
{
	places->frugal = true;
	do
		while (may_ask(places) && improve_once(places))
			;
	while (empty_hosts(places) && may_ask(places));
}

static void place_in_order(struct places *places, const unsigned int *order)
{
	start_anew(places);
	for (unsigned int nr = 0; nr < places->problem->nr_vms; nr++)
		if (places->host_of[order[nr]] == PLACE_NOWHERE)
			insert(places, order[nr]);
	improve(places);
}

/* --- host by host -------------------------------------------------------------------------- */

/*
 * R. Panigrahy, K. Talwar, L. Uyeda, U. Wieder: Heuristics for vector bin packing, Microsoft Research, 2011,
 * the norm-based greedy: a host gets the VM that leaves the smallest weighted sum of squares of what is left
 * of its resources and engines, so that these run out together. VMs that are alone in filling an engine get
 * company that does not need it.
 */
struct filling {
	unsigned int dimensions;
	double *weights;		/* by dimension: needs of all VMs by what all hosts have */
	double *left;			/* by dimension: part of the host */
	unsigned int kinds;
	GArray **pools;			/* by kind: unsigned int, its VMs that have no host */
	bool *refused;			/* by kind: the host did not accept it */
};

/* the part of a host's resource, or of an engine's time, that a VM needs */
static double part_of(const struct place_problem *problem, unsigned int vm, unsigned int host,
		      unsigned int dimension)
{
	if (dimension >= RESOURCES)
		return problem->shares[(size_t)vm * problem->nr_engines + dimension - RESOURCES];
	return problem->vms[vm].needs[dimension] / fmax(problem->hosts[host].has[dimension], 1);
}

static double weight_of(const struct place_problem *problem, unsigned int dimension)
{
	double needs = 0, has = 0;

	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		needs += dimension < RESOURCES ? problem->vms[vm].needs[dimension] :
			 problem->shares[(size_t)vm * problem->nr_engines + dimension - RESOURCES];
	for (unsigned int host = 0; host < problem->nr_hosts; host++)
		has += dimension < RESOURCES ? problem->hosts[host].has[dimension] : 1;
	return needs / fmax(has, 1);
}

static double rest_with(const struct places *places, const struct filling *filling, unsigned int host,
			unsigned int vm)
{
	double rest = 0;

	for (unsigned int nr = 0; nr < filling->dimensions; nr++) {
		double left = filling->left[nr] - part_of(places->problem, vm, host, nr);

		rest += filling->weights[nr] * left * left;
	}
	return rest;
}

static unsigned int last_of(const GArray *pool)
{
	return g_array_index(pool, unsigned int, pool->len - 1);
}

/* a kind that is not refused yet and has room; filling->kinds: none */
static unsigned int next_kind(const struct places *places, const struct filling *filling, unsigned int host)
{
	unsigned int best = filling->kinds;
	double least = INFINITY;

	for (unsigned int kind = 0; kind < filling->kinds; kind++) {
		const GArray *pool = filling->pools[kind];
		double rest;

		if (filling->refused[kind] || !pool->len ||
		    !has_room(places, host, NOBODY, last_of(pool), NOBODY))
			continue;
		rest = rest_with(places, filling, host, last_of(pool));
		if (rest < least) {
			least = rest;
			best = kind;
		}
	}
	return best;
}

static void take_part(const struct places *places, struct filling *filling, unsigned int host, unsigned int vm)
{
	for (unsigned int nr = 0; nr < filling->dimensions; nr++)
		filling->left[nr] = fmax(0, filling->left[nr] - part_of(places->problem, vm, host, nr));
}

static void fill_host(struct places *places, struct filling *filling, unsigned int host)
{
	unsigned int kind;

	for (unsigned int nr = 0; nr < filling->dimensions; nr++)
		filling->left[nr] = 1;
	for (unsigned int nr = 0; nr < places->crowds[host].count; nr++)
		take_part(places, filling, host, places->crowds[host].vms[nr]);
	memset(filling->refused, 0, filling->kinds * sizeof(*filling->refused));
	while ((kind = next_kind(places, filling, host)) < filling->kinds) {
		unsigned int vm = last_of(filling->pools[kind]);

		filling->refused[kind] = !accepts(places, host, NOBODY, vm, NOBODY);
		if (filling->refused[kind])
			continue;
		take_part(places, filling, host, vm);
		put(places, vm, host);
		g_array_set_size(filling->pools[kind], filling->pools[kind]->len - 1);
	}
}

static struct filling filling_of(const struct places *places)
{
	const struct place_problem *problem = places->problem;
	unsigned int dimensions = RESOURCES + problem->nr_engines;
	struct filling filling = {
		dimensions, g_new(double, dimensions), g_new(double, dimensions), 0, NULL, NULL,
	};

	for (unsigned int nr = 0; nr < dimensions; nr++)
		filling.weights[nr] = weight_of(problem, nr);
	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		filling.kinds = MAX(filling.kinds, problem->vms[vm].kind + 1);
	filling.pools = g_new(GArray *, filling.kinds);
	filling.refused = g_new(bool, filling.kinds);
	for (unsigned int kind = 0; kind < filling.kinds; kind++)
		filling.pools[kind] = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	for (unsigned int vm = problem->nr_vms; vm-- > 0;)
		if (places->host_of[vm] == PLACE_NOWHERE)
			g_array_append_val(filling.pools[problem->vms[vm].kind], vm);
	return filling;
}

static void place_host_by_host(struct places *places)
{
	struct filling filling;

	start_anew(places);
	filling = filling_of(places);
	for (unsigned int nr = 0; nr < places->problem->nr_hosts; nr++)
		fill_host(places, &filling, places->hosts[nr]);
	for (unsigned int kind = 0; kind < filling.kinds; kind++)
		g_array_free(filling.pools[kind], TRUE);
	g_free(filling.pools);
	g_free(filling.refused);
	g_free(filling.weights);
	g_free(filling.left);
	improve(places);
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
		if (places->host_of[order[nr]] == PLACE_NOWHERE)
			order[front++] = order[nr];
		else
			others[back++] = order[nr];
	memcpy(order + front, others, back * sizeof(*order));
	g_free(others);
	return front;
}

static void keep_best(struct places *places, struct placement *best)
{
	struct placement now = look(places);

	if (best->host_of && !is_better(&now, best))
		return;
	g_free(best->host_of);
	*best = now;
	best->host_of = g_memdup2(places->host_of, places->problem->nr_vms * sizeof(*best->host_of));
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

/* no placement can be better by more than what the caller does not mind */
static bool is_enough(const struct places *places, const struct placement *best)
{
	return best->placed == places->problem->nr_vms && best->hosts_used <= places->problem->enough;
}

/* Alternates between orders by complaint and random ones, as the former may repeat in a cycle. */
static void try_orders(struct places *places, struct placement *best)
{
	unsigned int *order = by_demand(places);
	GRand *random = g_rand_new_with_seed(1);

	place_host_by_host(places);
	keep_best(places, best);
	places->frugal = best->placed == places->problem->nr_vms;
	places->questions = 0;
	if (!is_enough(places, best)) {
		place_in_order(places, order);
		keep_best(places, best);
	}
	for (unsigned int nr = 1; nr < MOST_ORDERS && may_ask(places) && !places->refused; nr++) {
		if (is_enough(places, best) || !complainers_first(places, order))
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
	struct placement best = { 0 };

	try_orders(places, &best);
	best.tried = places->tried;
	best.cut_short = !is_enough(places, &best) && (!may_ask(places) || places->refused);
	return best;
}

/* --- setup ------------------------------------------------------------------------------------ */

static void free_key(void *key)
{
	g_bytes_unref(key);
}

static void number_shapes(struct places *places)
{
	const struct place_problem *problem = places->problem;
	GHashTable *seen = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, free_key, NULL);

	for (unsigned int host = 0; host < problem->nr_hosts; host++) {
		GBytes *key = g_bytes_new(&problem->hosts[host], sizeof(problem->hosts[host]));
		gpointer found;

		if (!g_hash_table_lookup_extended(seen, key, NULL, &found))
			found = GUINT_TO_POINTER(g_hash_table_size(seen));
		places->shapes[host] = GPOINTER_TO_UINT(found);
		g_hash_table_replace(seen, key, found);
	}
	g_hash_table_destroy(seen);
}

/* for how many VMs of the mean size a host has room */
static double room_of(const struct places *places, unsigned int host, const double *mean)
{
	double room = INFINITY;

	for (enum place_resource resource = 0; resource < RESOURCES; resource++)
		room = fmin(room, places->problem->hosts[host].has[resource] / fmax(mean[resource], EPSILON));
	return room;
}

struct ranked {
	double room;			/* INFINITY: used in any case */
	unsigned int host;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->room != other->room)
		return one->room > other->room ? -1 : 1;
	return one->host < other->host ? -1 : one->host > other->host;
}

/* First come those that fixed VMs use in any case, then the largest: fewer are needed of these. */
static void order_hosts(struct places *places)
{
	const struct place_problem *problem = places->problem;
	struct ranked *ranked = g_new(struct ranked, problem->nr_hosts);
	double mean[RESOURCES] = { 0 };

	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		for (enum place_resource resource = 0; resource < RESOURCES; resource++)
			mean[resource] += (double)problem->vms[vm].needs[resource] / problem->nr_vms;
	for (unsigned int host = 0; host < problem->nr_hosts; host++)
		ranked[host] = (struct ranked) { room_of(places, host, mean), host };
	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		if (is_fixed(places, vm))
			ranked[problem->vms[vm].fixed].room = INFINITY;
	qsort(ranked, problem->nr_hosts, sizeof(*ranked), compare_ranked);
	for (unsigned int nr = 0; nr < problem->nr_hosts; nr++)
		places->hosts[nr] = ranked[nr].host;
	g_free(ranked);
}

struct places *places_new(const struct place_problem *problem)
{
	struct places *places = g_new0(struct places, 1);

	places->problem = problem;
	places->strains = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, free_key, g_free);
	places->alike_numbers = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, free_key, NULL);
	places->asked = g_array_new(FALSE, TRUE, sizeof(unsigned int));
	places->set = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	places->key = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	places->host_of = g_new(unsigned int, problem->nr_vms + 1);
	places->crowds = g_new0(struct crowd, problem->nr_hosts);
	places->hosts = g_new(unsigned int, problem->nr_hosts);
	places->shapes = g_new(unsigned int, problem->nr_hosts);
	number_shapes(places);
	order_hosts(places);
	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		places->host_of[vm] = PLACE_NOWHERE;
	for (unsigned int host = 0; host < problem->nr_hosts; host++)
		places->crowds[host].alike = number_alike(places, host);
	return places;
}

void places_free(struct places *places)
{
	for (unsigned int host = 0; host < places->problem->nr_hosts; host++)
		g_free(places->crowds[host].vms);
	g_hash_table_destroy(places->strains);
	g_hash_table_destroy(places->alike_numbers);
	g_array_free(places->asked, TRUE);
	g_array_free(places->set, TRUE);
	g_array_free(places->key, TRUE);
	g_free(places->crowds);
	g_free(places->hosts);
	g_free(places->shapes);
	g_free(places->host_of);
	g_free(places);
}
