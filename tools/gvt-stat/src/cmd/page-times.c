// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "output/packed.h"
#include "page-times.h"

struct page_times {
	struct stream *bytes;		/* of each, packed, how much later than the one before it is */
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
}

/* times that are read one after the other */
struct cursor {
	const struct page_times *times;
	uint64_t blocks;		/* so many were begun */
	const uint8_t *at, *end;	/* in the last one of them */
	int64_t ns;			/* the time that is next */
	const struct page_reference *reference;	/* NULL: these are referred to */
	uint64_t nr;			/* of @ns among its times */
	int64_t before_ns;		/* the time before */
	uint64_t place;			/* that this one had */
	uint8_t room[STREAM_BLOCK];
};

/* Several of them, whose times are over when they leave; the first one has the earliest. */
struct heap {
	struct cursor **cursors;
	unsigned int count;
};

/* Returns false behind the last one. */
static bool next_block(struct cursor *cursor)
{
	size_t len = stream_block(cursor->times->bytes, cursor->blocks, cursor->room, &cursor->at);

	cursor->blocks++;
	cursor->end = cursor->at + len;
	return len;
}

/* A number may begin in one block and end in the next one. Returns false behind the last time. */
static bool next_time(struct cursor *cursor)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		if (cursor->at == cursor->end && !next_block(cursor))
			return false;
		byte = *cursor->at++;
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	cursor->ns = (int64_t)((uint64_t)cursor->ns + value);
	return true;
}

/* All that come after place @nr are in order. */
static void sink(struct heap *heap, unsigned int nr)
{
	struct cursor *cursor = heap->cursors[nr];
	unsigned int child;

	while ((child = 2 * nr + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    heap->cursors[child + 1]->ns < heap->cursors[child]->ns)
			child++;
		if (cursor->ns <= heap->cursors[child]->ns)
			break;
		heap->cursors[nr] = heap->cursors[child];
		nr = child;
	}
	heap->cursors[nr] = cursor;
}

static void heap_init(struct heap *heap, unsigned int most)
{
	*heap = (struct heap) { .cursors = g_new(struct cursor *, most) };
}

static void heap_add(struct heap *heap, struct cursor cursor)
{
	struct cursor *one = g_new(struct cursor, 1);

	*one = cursor;
	if (next_time(one))
		heap->cursors[heap->count++] = one;
	else
		g_free(one);
}

static void heap_order(struct heap *heap)
{
	for (unsigned int nr = heap->count / 2; nr > 0; nr--)
		sink(heap, nr - 1);
}

static const struct cursor *first(const struct heap *heap)
{
	return heap->count ? heap->cursors[0] : NULL;
}

/* The first one goes on. */
static void advance(struct heap *heap)
{
	if (!next_time(heap->cursors[0])) {
		g_free(heap->cursors[0]);
		heap->cursors[0] = heap->cursors[--heap->count];
	}
	if (heap->count)
		sink(heap, 0);
}

static void heap_clear(struct heap *heap)
{
	for (unsigned int nr = 0; nr < heap->count; nr++)
		g_free(heap->cursors[nr]);
	g_free(heap->cursors);
}

/* @place: of the first time of all that is not before this one; @same: it is this one */
static void tell(struct cursor *cursor, uint64_t place, bool same)
{
	const struct page_reference *to = cursor->reference;

	packed_number(cursor->nr % 2 ? to->odd : to->even,
		      same ? (place - cursor->place) << 1 :
			     ((uint64_t)cursor->ns - (uint64_t)cursor->before_ns) << 1 | 1);
	cursor->nr++;
	cursor->before_ns = cursor->ns;
	cursor->place = place;
}

static void refer(struct heap *all, struct heap *references)
{
	uint64_t place = 0;

	for (; references->count; advance(references)) {
		int64_t ns = first(references)->ns;

		for (; all->count && first(all)->ns < ns; advance(all))
			place++;
		tell(references->cursors[0], place, all->count && first(all)->ns == ns);
	}
}

void page_times_refer(const GPtrArray *all, int64_t origin_ns, const GArray *references)
{
	struct heap told, telling;

	heap_init(&told, all->len);
	for (unsigned int nr = 0; nr < all->len; nr++)
		heap_add(&told, (struct cursor) { .times = all->pdata[nr] });
	heap_init(&telling, references->len);
	for (unsigned int nr = 0; nr < references->len; nr++) {
		const struct page_reference *one = &g_array_index(references, struct page_reference, nr);

		heap_add(&telling, (struct cursor) {
			.times = one->times, .reference = one, .before_ns = origin_ns,
		});
	}
	heap_order(&told);
	heap_order(&telling);
	refer(&told, &telling);
	heap_clear(&told);
	heap_clear(&telling);
}
