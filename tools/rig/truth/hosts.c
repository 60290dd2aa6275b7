// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts.h"

#include <math.h>
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

/* What the device executed for the host in a stay; it is a context after another */
static void count_stay(struct hosts *h, const struct traced_host *s, const GArray *truth,
		       GHashTable *busy)
{
	double traced_ns = s->stop_ns - s->start_ns, truth_ns = 0;
	unsigned int contexts = 0;

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (!is_hosts(t, busy) || !overlap(s, t))
			continue;
		truth_ns += t->stop_ns - t->start_ns;
		contexts++;
	}
	h->stays++;
	h->traced_ms += traced_ns / 1e6;
	h->truth_ms += truth_ns / 1e6;
	h->worst_ns = fmax(h->worst_ns, fabs(traced_ns - truth_ns) / MAX(contexts, 1));
}

static bool is_seen(const struct truth_piece *t, const GArray *traced)
{
	for (guint i = 0; i < traced->len; i++)
		if (overlap(&g_array_index(traced, struct traced_host, i), t))
			return true;
	return false;
}

void hosts_compare(struct hosts *h, const GArray *truth, const GArray *traced,
		   const struct covered *window)
{
	g_autoptr(GHashTable) busy = find_busy(truth);

	*h = (struct hosts){ .recorded = traced };
	for (guint i = 0; traced && i < traced->len; i++) {
		const struct traced_host *s = &g_array_index(traced, struct traced_host, i);

		if (s->start_ns > window->begin_ns && s->stop_ns < window->end_ns)
			count_stay(h, s, truth, busy);
	}
	for (guint i = 0; traced && i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (is_hosts(t, busy) && t->start_ns > window->begin_ns && t->stop_ns < window->end_ns &&
		    !is_seen(t, traced))
			h->unseen_ns = fmax(h->unseen_ns, t->stop_ns - t->start_ns);
	}
}
