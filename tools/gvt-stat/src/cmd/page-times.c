// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>

#include "output/packed.h"
#include "page-times.h"

#define TIME(array, nr)		g_array_index(array, int64_t, nr)

static GArray *merge_two(const GArray *a, const GArray *b)
{
	GArray *both = g_array_set_size(g_array_new(FALSE, FALSE, sizeof(int64_t)), a->len + b->len);
	unsigned int at_a = 0, at_b = 0;

	for (unsigned int nr = 0; nr < both->len; nr++) {
		bool first = at_b == b->len || (at_a < a->len && TIME(a, at_a) <= TIME(b, at_b));

		TIME(both, nr) = first ? TIME(a, at_a++) : TIME(b, at_b++);
	}
	return both;
}

GArray *page_times_merge(GArray *const *arrays, unsigned int count)
{
	GArray *first, *second, *both;

	if (!count)
		return g_array_new(FALSE, FALSE, sizeof(int64_t));
	if (count == 1)
		return g_array_ref(arrays[0]);
	first = page_times_merge(arrays, count / 2);
	second = page_times_merge(arrays + count / 2, count - count / 2);
	both = merge_two(first, second);
	g_array_unref(second);
	g_array_unref(first);
	return both;
}

/* the place of the first one from @at on that is not before @ns: mostly it is near */
static unsigned int find(const GArray *all, unsigned int at, int64_t ns)
{
	unsigned int step = 1, end;

	for (; at + step <= all->len && TIME(all, at + step - 1) < ns; step *= 2)
		at += step;
	end = MIN(at + step, all->len);
	while (at < end) {
		unsigned int middle = at + (end - at) / 2;

		if (TIME(all, middle) < ns)
			at = middle + 1;
		else
			end = middle;
	}
	return at;
}

void page_times_refer(const GArray *all, int64_t origin_ns, const GArray *times,
		      GByteArray *even, GByteArray *odd)
{
	unsigned int at = 0;
	int64_t before_ns = origin_ns;

	for (unsigned int nr = 0; nr < times->len; nr++) {
		int64_t ns = TIME(times, nr);
		unsigned int place = find(all, at, ns);
		bool there = place < all->len && TIME(all, place) == ns;

		packed_number(nr % 2 ? odd : even, there ? (uint64_t)(place - at) << 1 :
						   (uint64_t)(ns - before_ns) << 1 | 1);
		at = place;
		before_ns = ns;
	}
}
