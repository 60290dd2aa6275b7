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

/* A piece without a start is the last piece that its stop can belong to. */
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
			p->match = p->last = i;
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

/* --- pieces that i915 saw only when they were over -------------------------- */

/* After @t, and before the context's next stay on the device: it can only be @t */
static struct traced_piece *seen_after(const GArray *truth, guint i, GArray *traced, guint *next)
{
	const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

	for (; *next < traced->len; ++*next) {
		struct traced_piece *p = &g_array_index(traced, struct traced_piece, *next);

		if (p->match >= 0 || position(p, t) <= 0)
			continue;
		return same_context(p, t) &&
		       (i + 1 == truth->len ||
			position(p, &g_array_index(truth, struct truth_piece, i + 1)) < 0) ? p : NULL;
	}
	return NULL;
}

static void join_late(GArray *truth, GArray *traced, double late_ns)
{
	guint next = 0;

	for (guint i = 0; i < truth->len; i++) {
		struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);
		struct traced_piece *p;

		if (t->match >= 0)
			continue;
		p = seen_after(truth, i, traced, &next);
		if (!p || p->complete != t->complete || p->start_ns - t->stop_ns > late_ns)
			continue;
		t->match = next;
		p->match = p->last = i;
	}
}

/* The traced piece that identifies the context's vGPU: at, before or after @t */
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

/* --- resumed workloads ----------------------------------------------------- */

static bool is_between(const struct truth_piece *t, const struct truth_piece *a,
		       const struct truth_piece *b)
{
	return !strcmp(t->engine, a->engine) && t->start_ns >= a->stop_ns &&
	       t->stop_ns <= b->start_ns;
}

/* Had i915 not yet reported this piece's end when @b began? It never reports the host's. */
static bool is_untold(const struct truth_piece *t, const struct truth_piece *b,
		      const GArray *traced)
{
	const struct traced_piece *p;

	if (!t->vgpu_id)
		return true;
	if (t->match < 0)
		return false;
	p = &g_array_index(traced, struct traced_piece, t->match);
	return p->stop_ns == UNKNOWN_NS || p->stop_ns > b->start_ns;
}

/* Was there a stay in between, and did i915 report no end meanwhile? */
static bool came_back_at_once(const struct truth_piece *a, const struct truth_piece *b,
			      const GArray *truth, const GArray *traced)
{
	unsigned int between = 0;

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = &g_array_index(truth, struct truth_piece, i);

		if (!is_between(t, a, b))
			continue;
		if (!is_untold(t, b, traced))
			return false;
		between++;
	}
	return between;
}

/* Does @b, the context's next stay, continue the workload of @a where @a ended? */
static bool goes_on(const struct truth_piece *a, const struct truth_piece *b)
{
	return !by_context(a->engine, a->lrca, b->engine, b->lrca) && !a->complete &&
	       !a->reset && a->tail == b->tail && a->end == b->head;
}

static void resume(GArray *truth, GArray *traced)
{
	struct truth_piece *t = (struct truth_piece *)truth->data;

	for (guint i = 1; i < truth->len; i++) {
		struct traced_piece *p;

		if (t[i].match >= 0 || t[i - 1].match < 0 || !goes_on(&t[i - 1], &t[i]))
			continue;
		p = &g_array_index(traced, struct traced_piece, t[i - 1].match);
		if (position(p, &t[i]) || !came_back_at_once(&t[i - 1], &t[i], truth, traced))
			continue;
		t[i].match = t[i - 1].match;
		t[i].resumed = true;
		p->last = i;
		p->away_ns += t[i].start_ns - t[i - 1].stop_ns;
	}
}

void match_pieces(GArray *truth, GArray *traced, double late_ns)
{
	g_array_sort(truth, compare_truth);
	g_array_sort(traced, compare_traced);
	join(truth, traced);
	join_late(truth, traced, late_ns);
	attribute(truth, traced);
	resume(truth, traced);
}

bool truth_is_due(const struct truth_piece *t, const struct covered *w)
{
	return t->vgpu_id && t->start_ns >= w->begin_ns && t->stop_ns <= w->end_ns;
}
