// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * GVT-g's barriers count for nobody. Like i915's heartbeats, they execute no batch, only commands
 * that signal their completion: each takes less than this.
 */
#define BATCH_NS 1000

/* How late i915 may see the end of a heartbeat, without waiters (55 us on Linux 6.1) */
#define SEEN_LATE_NS 500000

/* @busy: the contexts that execute batches */
static bool is_hosts(const struct truth_piece *t, GHashTable *busy)
{
	return !t->vgpu_id && g_hash_table_contains(busy, GUINT_TO_POINTER(t->lrca));
}

/* Within the window: while Linux boots, i915's kernel context has other work, too */
static GHashTable *find_busy(const GArray *truth, const struct covered *window)
{
	GHashTable *busy = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (t->busy_ns >= BATCH_NS && t->stop_ns > window->begin_ns &&
		    t->start_ns < window->end_ns)
			g_hash_table_add(busy, GUINT_TO_POINTER(t->lrca));
	}
	return busy;
}

/* The host's work that the device executed */
struct executed {
	const struct truth_piece *piece;
	const struct traced_host *stay;	/* that contains most of it; NULL: not traced */
};

static int64_t overlap_ns(const struct traced_host *s, const struct truth_piece *t)
{
	return strcmp(s->engine, t->engine) ? 0 :
	       MIN(t->stop_ns, s->stop_ns) - MAX(t->start_ns, s->start_ns);
}

static const struct traced_host *find_stay(const struct truth_piece *t, const GArray *traced)
{
	const struct traced_host *best = NULL;
	int64_t best_ns = 0;

	for (guint i = 0; i < traced->len; i++) {
		const struct traced_host *s = &g_array_index(traced, struct traced_host, i);

		if (overlap_ns(s, t) <= best_ns)
			continue;
		best = s;
		best_ns = overlap_ns(s, t);
	}
	return best;
}

static gint by_start(gconstpointer left, gconstpointer right)
{
	const struct executed *a = left, *b = right;

	return (a->piece->start_ns > b->piece->start_ns) - (a->piece->start_ns < b->piece->start_ns);
}

/* Return: array of struct executed, ordered by time */
static GArray *find_executed(const GArray *truth, const GArray *traced,
			     const struct covered *window)
{
	g_autoptr(GHashTable) busy = find_busy(truth, window);
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct executed));

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);
		struct executed one = { t, NULL };

		if (!is_hosts(t, busy))
			continue;
		one.stay = find_stay(t, traced);
		g_array_append_val(all, one);
	}
	g_array_sort(all, by_start);
	return all;
}

static double within_ms(const struct covered *window, int64_t from_ns, int64_t to_ns)
{
	return MAX(0, MIN(to_ns, window->end_ns) - MAX(from_ns, window->begin_ns)) / 1e6;
}

static bool is_whole(const struct covered *window, int64_t from_ns, int64_t to_ns)
{
	return from_ns > window->begin_ns && to_ns < window->end_ns;
}

/* A heartbeat of i915, if no other context of the host executed in the stay */
static bool is_heartbeat(const struct traced_host *s, const GArray *truth)
{
	if (s->stop_ns - s->start_ns > SEEN_LATE_NS)
		return false;
	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (!t->vgpu_id && overlap_ns(s, t) > 0 && t->stop_ns - t->start_ns < BATCH_NS)
			return true;
	}
	return false;
}

/* A stay may span several contexts: the error of its ends, or the longest gap inside */
static double worst_of_stay(const struct traced_host *s, const GArray *executed,
			    const GArray *truth)
{
	int64_t until_ns = s->start_ns;
	bool empty = true;
	double worst_ns = 0;

	for (guint i = 0; i < executed->len; i++) {
		const struct executed *one = &g_array_index(executed, struct executed, i);

		if (one->stay != s)
			continue;
		worst_ns = fmax(worst_ns, llabs(one->piece->start_ns - until_ns));
		until_ns = one->piece->stop_ns;
		empty = false;
	}
	if (empty && is_heartbeat(s, truth))
		return 0;
	return fmax(worst_ns, llabs(s->stop_ns - until_ns));
}

static void count_traced(struct hosts *h, const struct traced_host *s, const GArray *executed,
			 const GArray *truth, const struct covered *window)
{
	h->traced_ms += within_ms(window, s->start_ns, s->stop_ns);
	if (!is_whole(window, s->start_ns, s->stop_ns))
		return;
	h->stays++;
	h->worst_ns = fmax(h->worst_ns, worst_of_stay(s, executed, truth));
}

static void count_executed(struct hosts *h, const struct executed *one,
			   const struct covered *window)
{
	const struct truth_piece *t = one->piece;

	h->truth_ms += within_ms(window, t->start_ns, t->stop_ns);
	if (is_whole(window, t->start_ns, t->stop_ns) && !one->stay)
		h->unseen_ns = fmax(h->unseen_ns, t->stop_ns - t->start_ns);
}

void hosts_compare(struct hosts *h, const GArray *truth, const GArray *traced,
		   const struct covered *window)
{
	g_autoptr(GArray) executed = NULL;

	*h = (struct hosts){ .recorded = traced };
	if (!traced)
		return;
	executed = find_executed(truth, traced, window);
	for (guint i = 0; i < traced->len; i++)
		count_traced(h, &g_array_index(traced, struct traced_host, i), executed, truth,
			     window);
	for (guint i = 0; i < executed->len; i++)
		count_executed(h, &g_array_index(executed, struct executed, i), window);
}
