// SPDX-License-Identifier: GPL-2.0-or-later
#include "match.h"

#include <string.h>

static gint by_context(const char *engine_a, uint32_t lrca_a, const char *engine_b, uint32_t lrca_b)
{
	int order = strcmp(engine_a, engine_b);

	return order ? order : (lrca_a > lrca_b) - (lrca_a < lrca_b);
}

static gint by_time(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static gint compare_truth(gconstpointer left, gconstpointer right)
{
	const struct truth_piece *a = left, *b = right;
	int order = by_context(a->engine, a->lrca, b->engine, b->lrca);

	return order ? order : by_time(a->start_ns, b->start_ns);
}

/* For sorting: a piece without a start began before all others. */
static gint compare_traced(gconstpointer left, gconstpointer right)
{
	const struct traced_piece *a = left, *b = right;
	int order = by_context(a->engine, a->lrca, b->engine, b->lrca);

	return order ? order : by_time(a->start_ns, b->start_ns);
}

/* Where the traced piece lies: negative before the truth piece, 0 over it. */
static int position(const struct traced_piece *p, const struct truth_piece *t)
{
	int order = by_context(p->engine, p->lrca, t->engine, t->lrca);

	if (order)
		return order;
	if (p->stop_ns != UNKNOWN_NS && p->stop_ns <= t->start_ns)
		return -1;
	if (p->start_ns != UNKNOWN_NS && p->start_ns >= t->stop_ns)
		return 1;
	return 0;
}

/* A piece without a start is the last one that its stop can belong to. */
static bool next_is_better(const GArray *truth, guint i, const struct traced_piece *p)
{
	return p->start_ns == UNKNOWN_NS && i + 1 < truth->len &&
	       !position(p, &g_array_index(truth, struct truth_piece, i + 1));
}

static void join(GArray *truth, GArray *traced)
{
	guint i = 0, j = 0;

	while (i < truth->len && j < traced->len) {
		struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);
		struct traced_piece *p = &g_array_index(traced, struct traced_piece, j);
		int where = position(p, t);

		if (!where && next_is_better(truth, i, p)) {
			i++;
			continue;
		}
		if (!where) {
			t->match = j;
			p->match = i;
		}
		if (where <= 0)
			j++;
		if (where >= 0)
			i++;
	}
}

static bool same_context(const struct traced_piece *p, const struct truth_piece *t)
{
	return !by_context(p->engine, p->lrca, t->engine, t->lrca);
}

/* The traced piece that tells whose context it is: at, before or after @t */
static const struct traced_piece *witness(GArray *traced, guint next, const struct truth_piece *t)
{
	const struct traced_piece *p = (const struct traced_piece *)traced->data;

	if (next < traced->len && !position(&p[next], t))
		return &p[next];
	if (next > 0 && same_context(&p[next - 1], t))
		return &p[next - 1];
	if (next < traced->len && same_context(&p[next], t))
		return &p[next];
	return NULL;
}

static void attribute(GArray *truth, GArray *traced)
{
	guint next = 0;

	for (guint i = 0; i < truth->len; i++) {
		struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);
		const struct traced_piece *p;

		while (next < traced->len &&
		       position(&g_array_index(traced, struct traced_piece, next), t) < 0)
			next++;
		p = witness(traced, next, t);
		if (p)
			t->vgpu_id = p->vgpu_id;
	}
}

void match_pieces(GArray *truth, GArray *traced)
{
	g_array_sort(truth, compare_truth);
	g_array_sort(traced, compare_traced);
	join(truth, traced);
	attribute(truth, traced);
}

bool truth_is_due(const struct truth_piece *t, const struct window *w)
{
	return t->vgpu_id && t->start_ns >= w->begin_ns && t->stop_ns <= w->end_ns;
}
