// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * GVT-g's barriers are nobody's. Their context executes no batch, only what signals, as do i915's
 * heartbeats: each is done in less than this.
 */
#define BATCH_NS 1000

/* @busy: the contexts that execute batches */
static bool is_hosts(const struct truth_piece *t, GHashTable *busy)
{
	return !t->vgpu_id && g_hash_table_contains(busy, GUINT_TO_POINTER(t->lrca));
}

static GHashTable *find_busy(const GArray *truth)
{
	GHashTable *busy = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (t->busy_ns >= BATCH_NS)
			g_hash_table_add(busy, GUINT_TO_POINTER(t->lrca));
	}
	return busy;
}

static bool overlap(const struct traced_host *s, const struct truth_piece *t)
{
	return !strcmp(s->engine, t->engine) &&
	       t->start_ns < s->stop_ns && t->stop_ns > s->start_ns;
}

static gint by_start(gconstpointer left, gconstpointer right)
{
	const struct truth_piece *const *a = left, *const *b = right;

	return ((*a)->start_ns > (*b)->start_ns) - ((*a)->start_ns < (*b)->start_ns);
}

/* What the device executed for the host, in the order of time */
static GPtrArray *host_pieces(const GArray *truth)
{
	g_autoptr(GHashTable) busy = find_busy(truth);
	GPtrArray *pieces = g_ptr_array_new();

	for (guint i = 0; i < truth->len; i++) {
		struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (is_hosts(t, busy))
			g_ptr_array_add(pieces, t);
	}
	g_ptr_array_sort(pieces, by_start);
	return pieces;
}

static double within_ms(const struct covered *window, int64_t from_ns, int64_t to_ns)
{
	return MAX(0, MIN(to_ns, window->end_ns) - MAX(from_ns, window->begin_ns)) / 1e6;
}

static bool is_whole(const struct covered *window, int64_t from_ns, int64_t to_ns)
{
	return from_ns > window->begin_ns && to_ns < window->end_ns;
}

/*
 * A heartbeat of i915, and nothing else of the host. It signals at once, and nobody waits for that:
 * i915 sees the end whenever it looks.
 */
static bool is_heartbeat(const struct traced_host *s, const GArray *truth)
{
	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (!t->vgpu_id && overlap(s, t) && t->stop_ns - t->start_ns < BATCH_NS)
			return true;
	}
	return false;
}

/* A stay is a context after another: how far its ends are off, or how long nobody was there */
static double worst_of_stay(const struct traced_host *s, const GPtrArray *pieces,
			    const GArray *truth)
{
	int64_t until_ns = s->start_ns;
	double worst_ns = 0;

	for (guint i = 0; i < pieces->len; i++) {
		const struct truth_piece *t = pieces->pdata[i];

		if (!overlap(s, t))
			continue;
		worst_ns = fmax(worst_ns, llabs(t->start_ns - until_ns));
		until_ns = t->stop_ns;
	}
	if (until_ns == s->start_ns && is_heartbeat(s, truth))
		return 0;
	return fmax(worst_ns, llabs(s->stop_ns - until_ns));
}

static bool is_seen(const struct truth_piece *t, const GArray *traced)
{
	for (guint i = 0; i < traced->len; i++)
		if (overlap(&g_array_index(traced, struct traced_host, i), t))
			return true;
	return false;
}

static void count_traced(struct hosts *h, const struct traced_host *s, const GPtrArray *pieces,
			 const GArray *truth, const struct covered *window)
{
	h->traced_ms += within_ms(window, s->start_ns, s->stop_ns);
	if (!is_whole(window, s->start_ns, s->stop_ns))
		return;
	h->stays++;
	h->worst_ns = fmax(h->worst_ns, worst_of_stay(s, pieces, truth));
}

static void count_executed(struct hosts *h, const struct truth_piece *t, const GArray *traced,
			   const struct covered *window)
{
	h->truth_ms += within_ms(window, t->start_ns, t->stop_ns);
	if (is_whole(window, t->start_ns, t->stop_ns) && !is_seen(t, traced))
		h->unseen_ns = fmax(h->unseen_ns, t->stop_ns - t->start_ns);
}

void hosts_compare(struct hosts *h, const GArray *truth, const GArray *traced,
		   const struct covered *window)
{
	g_autoptr(GPtrArray) pieces = host_pieces(truth);

	*h = (struct hosts){ .recorded = traced };
	for (guint i = 0; traced && i < traced->len; i++)
		count_traced(h, &g_array_index(traced, struct traced_host, i), pieces, truth,
			     window);
	for (guint i = 0; traced && i < pieces->len; i++)
		count_executed(h, pieces->pdata[i], traced, window);
}
