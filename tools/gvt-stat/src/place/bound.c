// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "bound.h"

/* of a sum; smaller differences are rounding errors */
#define EPSILON		1e-9
/* sizes that are tried as limit between small and large; each of them gives a valid bound */
#define MOST_LIMITS	64

/* one resource */
struct dimension {
	GArray *items;			/* double: sizes of VMs that are free to go anywhere, ascending */
	GArray *used;			/* double: what is left of hosts that have fixed VMs */
	GArray *others;			/* double: sizes of the other hosts, descending */
	double largest;			/* of all hosts without VMs */
};

static double at(const GArray *values, unsigned int nr)
{
	return g_array_index(values, double, nr);
}

static double size_of(const struct place_problem *problem, unsigned int vm, unsigned int by)
{
	return by < RESOURCES ? problem->vms[vm].needs[by] :
	       problem->shares[(size_t)vm * problem->nr_engines + by - RESOURCES];
}

/* For how many VMs there is an id is what the scarcest resource has for VMs of the smallest size. */
static double vms_of(const struct place_problem *problem, unsigned int host, const unsigned int *least)
{
	unsigned int vms = G_MAXUINT;

	for (enum place_resource resource = 0; resource < RESOURCES; resource++)
		if (least[resource])
			vms = MIN(vms, problem->hosts[host].has[resource] / least[resource]);
	return vms;
}

static double room_of(const struct place_problem *problem, unsigned int host, unsigned int by,
		      const unsigned int *least)
{
	if (by == RESOURCE_VGPUS)
		return vms_of(problem, host, least);
	return by < RESOURCES ? problem->hosts[host].has[by] : 1;
}

static void find_least(const struct place_problem *problem, unsigned int least[RESOURCES])
{
	for (enum place_resource resource = 0; resource < RESOURCES; resource++) {
		least[resource] = problem->nr_vms ? G_MAXUINT : 0;
		for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
			least[resource] = MIN(least[resource], problem->vms[vm].needs[resource]);
	}
}

static int ascending(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return one < other ? -1 : one > other;
}

static int descending(const void *a, const void *b)
{
	return ascending(b, a);
}

static bool counts(const struct place_problem *problem, const unsigned int *host_of, unsigned int vm)
{
	return problem->vms[vm].fixed == PLACE_NOWHERE && (!host_of || host_of[vm] != PLACE_NOWHERE);
}

static void add_hosts(struct dimension *of, const struct place_problem *problem, unsigned int by)
{
	double *load = g_new0(double, problem->nr_hosts);
	bool *used = g_new0(bool, problem->nr_hosts);
	unsigned int least[RESOURCES];

	find_least(problem, least);
	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		if (problem->vms[vm].fixed != PLACE_NOWHERE) {
			load[problem->vms[vm].fixed] += size_of(problem, vm, by);
			used[problem->vms[vm].fixed] = true;
		}
	for (unsigned int host = 0; host < problem->nr_hosts; host++) {
		double room = room_of(problem, host, by, least), left = fmax(0, room - load[host]);

		of->largest = fmax(of->largest, room);
		g_array_append_val(used[host] ? of->used : of->others, left);
	}
	g_free(load);
	g_free(used);
	g_array_sort(of->others, descending);
}

static struct dimension dimension_of(const struct place_problem *problem, const unsigned int *host_of,
				     unsigned int by)
{
	struct dimension of = {
		g_array_new(FALSE, FALSE, sizeof(double)), g_array_new(FALSE, FALSE, sizeof(double)),
		g_array_new(FALSE, FALSE, sizeof(double)), 0,
	};

	add_hosts(&of, problem, by);
	for (unsigned int vm = 0; vm < problem->nr_vms; vm++)
		if (counts(problem, host_of, vm)) {
			double size = size_of(problem, vm, by);

			g_array_append_val(of.items, size);
		}
	g_array_sort(of.items, ascending);
	return of;
}

static void clear(struct dimension *of)
{
	g_array_free(of->items, TRUE);
	g_array_free(of->used, TRUE);
	g_array_free(of->others, TRUE);
}

/* what of a size counts, if items and hosts are measured in some way; @limit: between small and large */
typedef double (*measure_fn)(const struct dimension *of, double size, double limit);

/* L2: an item beside which nothing fits but small ones fills a host, small ones count nothing */
static double l2_item(const struct dimension *of, double size, double limit)
{
	if (size > of->largest - limit + EPSILON)
		return of->largest;
	return size >= limit ? size : 0;
}

static double l2_host(const struct dimension *of, double room, double limit)
{
	return room > of->largest - limit - EPSILON ? of->largest : room;
}

/* items that are not small, and how many of them fit at most */
static double count_item(const struct dimension *of, double size, double limit)
{
	(void)of;
	return size >= limit && limit > 0;
}

static double count_host(const struct dimension *of, double room, double limit)
{
	(void)of;
	return limit > 0 ? floor(room / limit + EPSILON) : 0;
}

static unsigned int hosts_for(const struct dimension *of, double limit, measure_fn item, measure_fn host)
{
	double most = host(of, of->largest, limit), left = 0;
	unsigned int hosts = 0;

	for (unsigned int nr = 0; nr < of->items->len; nr++)
		left += fmin(item(of, at(of->items, nr), limit), fmax(most, 1));
	for (unsigned int nr = 0; nr < of->used->len; nr++)
		left -= host(of, at(of->used, nr), limit);
	for (; hosts < of->others->len && left > EPSILON * of->items->len; hosts++)
		left -= host(of, at(of->others, hosts), limit);
	if (left > EPSILON * of->items->len)
		hosts += fmin(ceil(left / fmax(most, 1) - EPSILON), of->items->len);
	return of->used->len + hosts;
}

static bool is_new_size(const struct dimension *of, unsigned int nr)
{
	return at(of->items, nr) > (nr ? at(of->items, nr - 1) : 0);
}

static unsigned int bound_of(const struct dimension *of)
{
	unsigned int hosts = hosts_for(of, 0, l2_item, l2_host), sizes = 0, step;

	for (unsigned int nr = 0; nr < of->items->len; nr++)
		sizes += is_new_size(of, nr);
	step = sizes / MOST_LIMITS + 1;
	for (unsigned int nr = 0; nr < of->items->len; nr++) {
		double limit = at(of->items, nr);

		if (!is_new_size(of, nr) || sizes-- % step)
			continue;
		hosts = MAX(hosts, hosts_for(of, limit, count_item, count_host));
		if (limit <= of->largest / 2)
			hosts = MAX(hosts, hosts_for(of, limit, l2_item, l2_host));
	}
	return hosts;
}

struct bound bound_hosts(const struct place_problem *problem, const unsigned int *host_of)
{
	struct bound bound = { 0, RESOURCE_VGPUS };

	for (unsigned int by = 0; by < RESOURCES + problem->nr_engines; by++) {
		struct dimension of = dimension_of(problem, host_of, by);
		unsigned int hosts = bound_of(&of);

		clear(&of);
		if (hosts > bound.hosts)
			bound = (struct bound) { hosts, by };
	}
	return bound;
}
