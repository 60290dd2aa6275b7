// SPDX-License-Identifier: GPL-2.0-or-later
#include "streams-private.h"

/* the depth that fits best is searched among these */
#define MOST_DEPTH	64
/* a depth is none if more of its pauses are negative, even by accident */
#define NEGATIVE_PART	0.05

GArray *flight_ends(const GArray *lives)
{
	GArray *ends = numbers_new();

	for (guint nr = 0; nr < lives->len; nr++)
		g_array_append_val(ends, life_at(lives, nr)->end_ns);
	g_array_sort(ends, numbers_compare);
	return ends;
}

unsigned int flight_most(const GArray *lives, const GArray *ends, unsigned int *at_most)
{
	unsigned int done = 0, most = 0;

	for (guint nr = 0; nr < lives->len; nr++) {
		while (done < ends->len &&
		       g_array_index(ends, int64_t, done) <= life_at(lives, nr)->queue_ns)
			done++;
		if (nr + 1 - done > most) {
			most = nr + 1 - done;
			*at_most = 0;
		}
		*at_most += nr + 1 - done == most;
	}
	return most;
}

GArray *flight_pauses(const GArray *lives, unsigned int depth)
{
	GArray *numbers = numbers_new();

	for (guint nr = depth; nr < lives->len; nr++) {
		int64_t pause = life_at(lives, nr)->queue_ns - life_at(lives, nr - depth)->end_ns;

		g_array_append_val(numbers, pause);
	}
	return numbers;
}

static bool often_negative(const GArray *numbers)
{
	guint negative = 0;

	for (guint nr = 0; nr < numbers->len; nr++)
		negative += g_array_index(numbers, int64_t, nr) < -NEGATIVE_NS;
	return negative > NEGATIVE_PART * numbers->len;
}

unsigned int flight_depth(const GArray *lives, unsigned int most)
{
	unsigned int best = most;
	int64_t least = INT64_MAX;

	for (unsigned int depth = 1; depth <= MIN(most, MOST_DEPTH); depth++) {
		GArray *numbers = flight_pauses(lives, depth);
		int64_t width = often_negative(numbers) ? INT64_MAX : numbers_spread(numbers);

		if (width < least) {
			least = width;
			best = depth;
		}
		g_array_free(numbers, TRUE);
	}
	return MAX(best, 1);
}
