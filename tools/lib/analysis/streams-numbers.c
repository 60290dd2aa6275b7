// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "streams-private.h"

/* closer numbers count as equal: clocks and CPUs are no more exact */
#define FLOOR_NS	200.0
/* the distance to this neighbour gives the density of numbers */
#define NEIGHBOUR	3
/* average bits by which the logarithm of that density falls short of the true one's */
#define NEIGHBOUR_BITS	(log2(NEIGHBOUR) - (1.5 - 0.57721566) / M_LN2)
/* bits of a lone number: to within a second, in ns */
#define LONE_BITS	30.0

gint numbers_compare(gconstpointer a, gconstpointer b)
{
	const int64_t *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

int64_t numbers_at(const GArray *sorted, double part)
{
	return g_array_index(sorted, int64_t, (guint)(part * (sorted->len - 1)));
}

int64_t numbers_median(GArray *numbers)
{
	g_array_sort(numbers, numbers_compare);
	return numbers_at(numbers, 0.5);
}

GArray *numbers_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(int64_t));
}

static double distance(const GArray *sorted, guint nr, guint begin)
{
	double at = g_array_index(sorted, int64_t, nr);

	return fmax(at - g_array_index(sorted, int64_t, begin),
		    g_array_index(sorted, int64_t, begin + NEIGHBOUR) - at);
}

/* distance to the NEIGHBOURth neighbour, on either side */
static double nearest(const GArray *sorted, guint nr)
{
	double least = INFINITY;

	for (guint back = 0; back <= NEIGHBOUR; back++)
		if (nr >= back && nr - back + NEIGHBOUR < sorted->len)
			least = fmin(least, distance(sorted, nr, nr - back));
	return least;
}

double numbers_bits(GArray *numbers)
{
	guint begin = 0, end = 0;
	double bits = 0;

	if (numbers->len <= NEIGHBOUR)
		return numbers->len * LONE_BITS;
	g_array_sort(numbers, numbers_compare);
	for (guint nr = 0; nr < numbers->len; nr++) {
		double at = g_array_index(numbers, int64_t, nr), within = nearest(numbers, nr), others = NEIGHBOUR;

		while (at - g_array_index(numbers, int64_t, begin) > FLOOR_NS)
			begin++;
		while (end < numbers->len && g_array_index(numbers, int64_t, end) - at <= FLOOR_NS)
			end++;
		if (within < FLOOR_NS) {
			within = FLOOR_NS;
			others = end - begin - 1;
		}
		bits += log2(2 * within * numbers->len / others) + (others == NEIGHBOUR ? NEIGHBOUR_BITS : 0);
	}
	return bits;
}

double numbers_choice_bits(double some, double all)
{
	double part = all > 0 ? some / all : 0;

	return part > 0 && part < 1 ?
	       -all * (part * log2(part) + (1 - part) * log2(1 - part)) : 0;
}
