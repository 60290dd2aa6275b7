// SPDX-License-Identifier: GPL-2.0-only

#include <stdlib.h>

#include "die.h"
#include "heap.h"

struct happening {
	u64 at;
	u64 seq;
	sim_action action;
	void *subject;
	u64 token;
};

static struct happening *heap;
static size_t used, room;
static u64 seq, happened, now_ns;

u64 ktime_get_ns(void)
{
	return now_ns;
}

u64 sim_events(void)
{
	return happened;
}

static bool before(const struct happening *a, const struct happening *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void make_room(void)
{
	if (used < room)
		return;
	room = 2 * room + 64;
	heap = realloc(heap, room * sizeof(*heap));
	if (!heap)
		die("out of memory");
}

void sim_at(u64 at, sim_action action, void *subject, u64 token)
{
	const struct happening new = { max(at, now_ns), seq++, action, subject, token };
	size_t i;

	make_room();
	for (i = used++; i && before(&new, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = new;
}

void sim_after(u64 ns, sim_action action, void *subject, u64 token)
{
	sim_at(now_ns + ns, action, subject, token);
}

static struct happening take_first(void)
{
	const struct happening first = heap[0], last = heap[--used];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < used) {
		if (child + 1 < used && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}

bool sim_step(u64 end)
{
	struct happening first;

	if (!used || heap[0].at >= end) {
		now_ns = max(now_ns, end);
		return false;
	}

	first = take_first();
	now_ns = first.at;
	happened++;
	first.action(first.subject, first.token);
	return true;
}

void sim_set_clock(u64 now)
{
	used = 0;
	now_ns = now;
}

void sim_advance(u64 to)
{
	while (sim_step(to))
		;
}
