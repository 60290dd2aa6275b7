// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <glib.h>

#include "trace/util.h"
#include "waterfill.h"

/* include/linux/sched/prio.h and this driver: a step of nice */
#define NICE_STEP	1.25

/* order by the level that satisfies them */
static gint compare_claims(gconstpointer a, gconstpointer b)
{
	const struct claim *one = *(const struct claim *const *)a;
	const struct claim *two = *(const struct claim *const *)b;
	double left = one->want * two->weight, right = two->want * one->weight;

	return (left > right) - (left < right);
}

static double level_of(const GPtrArray *sorted, double total)
{
	double weights = 0;

	for (unsigned int nr = 0; nr < sorted->len; nr++)
		weights += ((const struct claim *)sorted->pdata[nr])->weight;
	for (unsigned int nr = 0; nr < sorted->len; nr++) {
		const struct claim *claim = sorted->pdata[nr];

		if (claim->want * weights > total * claim->weight)
			return total / weights;
		total = fmax(total - claim->want, 0);
		weights -= claim->weight;
	}
	return INFINITY;
}

double waterfill(struct claim *claims, unsigned int n, double total)
{
	GPtrArray *sorted = g_ptr_array_sized_new(n);
	double level;

	for (unsigned int nr = 0; nr < n; nr++)
		g_ptr_array_add(sorted, &claims[nr]);
	g_ptr_array_sort(sorted, compare_claims);
	level = level_of(sorted, total);
	for (unsigned int nr = 0; nr < n; nr++) {
		claims[nr].due = fmin(claims[nr].want, level * claims[nr].weight);
		claims[nr].satisfied = claims[nr].due >= claims[nr].want;
	}
	g_ptr_array_free(sorted, TRUE);
	return level;
}

double waterfill_weight(int64_t weight, int64_t nice)
{
	if (!known(weight) || weight <= 0)
		return NAN;
	return weight * (known(nice) ? pow(NICE_STEP, -nice) : 1);
}
