// SPDX-License-Identifier: GPL-2.0-or-later
#include "streams-private.h"

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

int64_t numbers_spread(GArray *numbers)
{
	if (numbers->len <= 3)
		return INT64_MAX;
	g_array_sort(numbers, numbers_compare);
	return numbers_at(numbers, 0.9) - numbers_at(numbers, 0.1);
}

GArray *numbers_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(int64_t));
}
