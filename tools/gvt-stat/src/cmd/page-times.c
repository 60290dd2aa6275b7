// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>

#include <glib.h>

#include "output/packed.h"
#include "page-times.h"

/* so far apart are those that are found without those before */
#define MARK_STEP	64

/* one of the times */
struct place {
	int64_t ns;
	unsigned int nr;		/* @count: behind the last one */
	uint64_t next;			/* byte */
};

struct page_times {
	struct stream *bytes;		/* of each, packed, how much later than the one before it is */
	struct place first;
	GArray *marks;			/* struct place: each MARK_STEPth; NULL: not needed yet */
	uint8_t *block;			/* the one that was read last */
	uint64_t block_at;		/* where it begins */
	size_t block_len;		/* 0: none was read */
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
	if (times->marks)
		g_array_free(times->marks, TRUE);
	g_free(times->block);
	g_free(times);
}

void page_times_add(struct page_times *times, int64_t ns)
{
	packed_number(times->bytes, (uint64_t)ns - (uint64_t)times->last_ns);
	times->last_ns = ns;
	if (!times->count)
		times->first = (struct place) { ns, 0, stream_size(times->bytes) };
	times->count++;
}

/* Nothing is added any more. */
static void read_block(struct page_times *times, uint64_t at)
{
	if (!times->block)
		times->block = g_malloc(STREAM_BLOCK);
	times->block_at = at - at % STREAM_BLOCK;
	times->block_len = stream_block(times->bytes, at / STREAM_BLOCK, times->block);
}

/* What is left of a block is enough for any number, but for its last few. */
static bool is_whole(const struct page_times *times, uint64_t at)
{
	return at >= times->block_at && at + PACKED_MAX <= times->block_at + times->block_len;
}

static uint8_t byte_at(struct page_times *times, uint64_t at)
{
	if (at < times->block_at || at >= times->block_at + times->block_len)
		read_block(times, at);
	return times->block[at - times->block_at];
}

static uint64_t number_in_parts(struct page_times *times, uint64_t *at)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = byte_at(times, (*at)++);
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static uint64_t number_in_block(const struct page_times *times, uint64_t *at)
{
	const uint8_t *from = times->block + (*at - times->block_at), *to = from;
	uint64_t byte = *to++, value = byte & 0x7f;

	for (unsigned int shift = 7; byte & 0x80; shift += 7) {
		byte = *to++;
		value |= (byte & 0x7f) << shift;
	}
	*at += to - from;
	return value;
}

static void step(struct page_times *times, struct place *place)
{
	place->nr++;
	if (place->nr >= times->count)
		return;
	place->ns = (uint64_t)place->ns + (is_whole(times, place->next) ?
					   number_in_block(times, &place->next) :
					   number_in_parts(times, &place->next));
}

static bool is_there(const struct page_times *times, const struct place *place)
{
	return place->nr < times->count;
}

static struct page_times *merge_two(struct stash *stash, struct page_times *a, struct page_times *b)
{
	struct place at_a = a->first, at_b = b->first;
	struct page_times *both = page_times_new(stash);

	while (is_there(a, &at_a) || is_there(b, &at_b)) {
		bool first = !is_there(b, &at_b) || (is_there(a, &at_a) && at_a.ns <= at_b.ns);

		page_times_add(both, first ? at_a.ns : at_b.ns);
		step(first ? a : b, first ? &at_a : &at_b);
	}
	page_times_free(a);
	page_times_free(b);
	return both;
}

static gint most_first(const void *a, const void *b)
{
	const struct page_times *first = *(struct page_times *const *)a;
	const struct page_times *second = *(struct page_times *const *)b;

	return (first->count < second->count) - (first->count > second->count);
}

/* Those with the fewest are merged first, so that most are copied once or twice. */
struct page_times *page_times_merge(struct stash *stash, GPtrArray *all)
{
	if (!all->len)
		return page_times_new(stash);
	while (all->len > 1) {
		struct page_times *both;

		g_ptr_array_sort(all, most_first);
		both = merge_two(stash, all->pdata[all->len - 1], all->pdata[all->len - 2]);
		g_ptr_array_set_size(all, all->len - 2);
		g_ptr_array_add(all, both);
	}
	return all->pdata[0];
}

/* the last mark before @ns from number @from on, where there is one; mostly it is near */
static const struct place *find_mark(const GArray *marks, unsigned int from, int64_t ns)
{
	unsigned int at = from, width = 1, end;

#define MARK(nr) (&g_array_index(marks, struct place, nr))
	for (; at + width <= marks->len && MARK(at + width - 1)->ns < ns; width *= 2)
		at += width;
	end = MIN(at + width, marks->len);
	while (at < end) {
		unsigned int middle = at + (end - at) / 2;

		if (MARK(middle)->ns < ns)
			at = middle + 1;
		else
			end = middle;
	}
	return at > from ? MARK(at - 1) : NULL;
#undef MARK
}

static void make_marks(struct page_times *times)
{
	times->marks = g_array_new(FALSE, FALSE, sizeof(struct place));
	for (struct place at = times->first; is_there(times, &at); step(times, &at))
		if (at.nr % MARK_STEP == 0)
			g_array_append_val(times->marks, at);
}

/* from a place on to the first one that is not before @ns */
static void find(struct page_times *times, struct place *place, int64_t ns)
{
	const struct place *mark;

	if (!is_there(times, place) || place->ns >= ns)
		return;
	mark = find_mark(times->marks, place->nr / MARK_STEP + 1, ns);
	if (mark)
		*place = *mark;
	while (is_there(times, place) && place->ns < ns)
		step(times, place);
}

void page_times_refer(struct page_times *all, int64_t origin_ns, struct page_times *times,
		      struct stream *even, struct stream *odd)
{
	struct place place = all->first;
	int64_t before_ns = origin_ns;

	if (!all->marks)
		make_marks(all);
	for (struct place at = times->first; is_there(times, &at); step(times, &at)) {
		unsigned int before = place.nr;

		find(all, &place, at.ns);
		packed_number(at.nr % 2 ? odd : even, is_there(all, &place) && place.ns == at.ns ?
			      (uint64_t)(place.nr - before) << 1 :
			      (uint64_t)(at.ns - before_ns) << 1 | 1);
		before_ns = at.ns;
	}
}
