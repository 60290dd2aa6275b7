// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "output/packed.h"
#include "page-times.h"

struct page_times {
	struct stream *bytes;		/* of each, packed, how much later than the one before it is */
	unsigned int count;
	int64_t last_ns;
};

struct page_times *page_times_new(struct stash *stash)
{
	struct page_times *times = g_new0(struct page_times, 1);

	times->bytes = stream_new(stash);
	return times;
}

void page_times_free(struct page_times *times)
{
	stream_free(times->bytes);
	g_free(times);
}

void page_times_add(struct page_times *times, int64_t ns)
{
	packed_number(times->bytes, (uint64_t)ns - (uint64_t)times->last_ns);
	times->last_ns = ns;
	times->count++;
}

static int64_t time_at(const GArray *all, unsigned int nr)
{
	return g_array_index(all, int64_t, nr);
}

static GArray *new_array(unsigned int count)
{
	return g_array_set_size(g_array_sized_new(FALSE, FALSE, sizeof(int64_t), count), count);
}

/* A number may begin in one block and end in the next one. */
static GArray *unpack(const struct page_times *times)
{
	GArray *all = new_array(times->count);
	int64_t *to = (int64_t *)all->data;
	uint8_t block[STREAM_BLOCK];
	uint64_t value = 0, ns = 0;
	unsigned int shift = 0;
	size_t len;

	for (uint64_t nr = 0; (len = stream_block(times->bytes, nr, block)); nr++)
		for (size_t at = 0; at < len; at++) {
			value |= (uint64_t)(block[at] & 0x7f) << shift;
			shift += 7;
			if (block[at] & 0x80)
				continue;
			*to++ = ns += value;
			value = shift = 0;
		}
	return all;
}

static GArray *merge_two(GArray *a, GArray *b)
{
	GArray *both = new_array(a->len + b->len);
	int64_t *to = (int64_t *)both->data;
	unsigned int at_a = 0, at_b = 0;

	while (at_a < a->len && at_b < b->len)
		*to++ = time_at(a, at_a) <= time_at(b, at_b) ? time_at(a, at_a++) : time_at(b, at_b++);
	while (at_a < a->len)
		*to++ = time_at(a, at_a++);
	while (at_b < b->len)
		*to++ = time_at(b, at_b++);
	g_array_free(a, TRUE);
	g_array_free(b, TRUE);
	return both;
}

static gint most_first(const void *a, const void *b)
{
	const GArray *first = *(GArray *const *)a;
	const GArray *second = *(GArray *const *)b;

	return (first->len < second->len) - (first->len > second->len);
}

/* Those with the fewest are merged first, so that most are copied once or twice. */
GArray *page_times_merge(const GPtrArray *times)
{
	GPtrArray *all = g_ptr_array_new();
	GArray *merged;

	for (unsigned int nr = 0; nr < times->len; nr++)
		g_ptr_array_add(all, unpack(times->pdata[nr]));
	while (all->len > 1) {
		GArray *both;

		g_ptr_array_sort(all, most_first);
		both = merge_two(all->pdata[all->len - 1], all->pdata[all->len - 2]);
		g_ptr_array_set_size(all, all->len - 2);
		g_ptr_array_add(all, both);
	}
	merged = all->len ? all->pdata[0] : new_array(0);
	g_ptr_array_free(all, TRUE);
	return merged;
}

/* from a place on the first one that is not before @ns; mostly it is near */
static unsigned int find(const GArray *all, unsigned int place, int64_t ns)
{
	unsigned int width = 1, end;

	for (; place + width <= all->len && time_at(all, place + width - 1) < ns; width *= 2)
		place += width;
	end = MIN(place + width, all->len);
	while (place < end) {
		unsigned int middle = place + (end - place) / 2;

		if (time_at(all, middle) < ns)
			place = middle + 1;
		else
			end = middle;
	}
	return place;
}

void page_times_refer(const GArray *all, int64_t origin_ns, const struct page_times *times,
		      struct stream *even, struct stream *odd)
{
	GArray *own = unpack(times);
	unsigned int place = 0;
	int64_t before_ns = origin_ns;

	for (unsigned int nr = 0; nr < own->len; nr++) {
		unsigned int before = place;
		int64_t ns = time_at(own, nr);

		place = find(all, place, ns);
		packed_number(nr % 2 ? odd : even, place < all->len && time_at(all, place) == ns ?
			      (uint64_t)(place - before) << 1 : (uint64_t)(ns - before_ns) << 1 | 1);
		before_ns = ns;
	}
	g_array_free(own, TRUE);
}
