// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "trace/util.h"
#include "streams-private.h"

/* more workloads than this part found the queue full: others may have waited in the guest */
#define FULL_PART	0.05

static void add_work(struct stream *stream, int64_t exec_ns, int64_t at_ns, unsigned int lag)
{
	const struct stream_work work = { exec_ns, MAX(at_ns, 0), lag };

	g_array_append_val(stream->work, work);
}

static int64_t pause_of(const GArray *work, guint nr)
{
	return g_array_index(work, struct stream_work, nr).at_ns;
}

/* a burst is what comes from one pause to the next of at least half the longest one */
static bool begins_burst(const GArray *work, guint nr, int64_t longest_ns)
{
	return pause_of(work, nr) >= longest_ns - pause_of(work, nr);
}

static int64_t longest_pause(const GArray *work)
{
	int64_t longest_ns = 0;

	for (guint nr = 0; nr < work->len; nr++)
		longest_ns = MAX(longest_ns, pause_of(work, nr));
	return longest_ns;
}

/*
 * The work is repeated: a burst at its beginning or end that was not seen whole would become one of
 * a length that the guest never has, and what the scheduler learns of pauses depends on that. At
 * least half of the work is kept.
 */
static void keep_whole_bursts(GArray *work)
{
	int64_t longest_ns = longest_pause(work);
	guint bursts = 0, from = 0, to = 0;

	for (guint nr = work->len; nr-- > 0; ) {
		if (!begins_burst(work, nr, longest_ns))
			continue;
		from = nr;
		if (!bursts++)
			to = nr;
	}
	if (bursts == work->len || to - from < (work->len + 1) / 2)
		return;
	g_array_set_size(work, to);
	if (from)
		g_array_remove_range(work, 0, from);
}

static void add_closed(struct stream *stream, const GArray *lives)
{
	for (guint nr = stream->depth; nr < lives->len; nr++)
		add_work(stream, life_at(lives, nr)->exec_ns, life_at(lives, nr)->queue_ns -
			 life_at(lives, nr - stream->depth)->end_ns, stream->depth);
	keep_whole_bursts(stream->work);
	if (stream->work->len)
		return;
	/* too few to tell a pause */
	for (guint nr = 0; nr < lives->len; nr++)
		add_work(stream, life_at(lives, nr)->exec_ns, 0, stream->depth);
}

static void add_open(struct stream *stream, const GArray *lives, struct window window)
{
	for (guint nr = 0; nr < lives->len; nr++) {
		const struct life *life = life_at(lives, nr);

		if (life->queue_ns >= window.from_ns && life->queue_ns < window.to_ns)
			add_work(stream, life->exec_ns, life->queue_ns - window.from_ns, 0);
	}
}

/* When they would have come, had the guest been able to queue them */
static void add_clocked(struct stream *stream, const GArray *lives, const struct clock *clock,
			struct window window)
{
	for (guint nr = 0; nr < lives->len; nr++) {
		int64_t at_ns = llround(clock->first_ns + nr * clock->period_ns);

		if (at_ns >= window.from_ns && at_ns < window.to_ns)
			add_work(stream, life_at(lives, nr)->exec_ns, at_ns - window.from_ns, 0);
	}
}

/* A guest with several contexts: each workload waited for what happened last before it */
static void add_contexts(struct stream *stream, const GArray *lives, const GArray *ends)
{
	unsigned int done = 0;

	for (guint nr = 1; nr < lives->len; nr++) {
		const struct life *life = life_at(lives, nr), *before = life_at(lives, nr - 1);

		while (done < ends->len && g_array_index(ends, int64_t, done) <= life->queue_ns)
			done++;
		if (!done || g_array_index(ends, int64_t, done - 1) < before->queue_ns)
			add_work(stream, life->exec_ns, life->queue_ns - before->queue_ns, 0);
		else
			add_work(stream, life->exec_ns, life->queue_ns -
				 g_array_index(ends, int64_t, done - 1), MAX(nr + 1 - done, 1));
	}
}

static unsigned int count_contexts(const GArray *lives)
{
	GHashTable *seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	unsigned int count;

	for (guint nr = 0; nr < lives->len; nr++)
		if (known(life_at(lives, nr)->guest_lrca))
			g_hash_table_add(seen, (gpointer)&life_at(lives, nr)->guest_lrca);
	count = g_hash_table_size(seen);
	g_hash_table_destroy(seen);
	return MAX(count, 1);
}

/* The limit of a guest is seen if it was reached often */
static void limit_open(struct stream *stream, unsigned int most)
{
	bool reached = most > 1 && stream->full > FULL_PART;

	stream->depth = reached ? most : STREAM_NO_LIMIT;
	stream->doubts |= 1u << (reached ? STREAM_BACKLOGGED : STREAM_UNLIMITED);
}

void work_infer(const struct queue *queue, struct stream *stream, struct window window)
{
	const GArray *lives = queue->lives;
	GArray *ends = flight_ends(lives);
	unsigned int at_most = 0, most = flight_most(lives, ends, &at_most);
	struct clock clock;
	bool clocked;

	stream->contexts = count_contexts(lives);
	stream->full = (double)at_most / lives->len;
	stream->depth = flight_depth(lives, most);
	clocked = stream->contexts == 1 && clock_find(lives, most, &clock);
	stream->open = clocked || (stream->contexts == 1 && clock_is_open(lives, stream->depth));
	if (clocked)
		stream->depth = most;
	else if (stream->open)
		limit_open(stream, most);
	if (clocked)
		add_clocked(stream, lives, &clock, window);
	else if (stream->open)
		add_open(stream, lives, window);
	else if (stream->contexts > 1 && lives->len > 1)
		add_contexts(stream, lives, ends);
	else
		add_closed(stream, lives);
	g_array_free(ends, TRUE);
}
