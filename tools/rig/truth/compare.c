// SPDX-License-Identifier: GPL-2.0-or-later
#include "compare.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

#include "match.h"

#define UTIL_TOLERANCE_PP 0.1

static const struct truth_piece *truth_at(const GArray *truth, guint i)
{
	return &g_array_index(truth, struct truth_piece, i);
}

static const struct traced_piece *traced_at(const GArray *traced, guint i)
{
	return &g_array_index(traced, struct traced_piece, i);
}

/* --- distributions --------------------------------------------------------- */

static struct distribution distribution(GArray *values)
{
	struct distribution d = { .count = values->len };
	double *v = (double *)values->data;

	if (!values->len)
		return d;
	d.mean = gsl_stats_mean(v, 1, values->len);
	for (guint i = 0; i < values->len; i++)
		v[i] = fabs(v[i]);
	gsl_sort(v, 1, values->len);
	d.p50 = gsl_stats_quantile_from_sorted_data(v, 1, values->len, 0.50);
	d.p95 = gsl_stats_quantile_from_sorted_data(v, 1, values->len, 0.95);
	d.p99 = gsl_stats_quantile_from_sorted_data(v, 1, values->len, 0.99);
	d.max = v[values->len - 1];
	return d;
}

static void offsets(struct comparison *c, const GArray *truth, const GArray *traced)
{
	g_autoptr(GArray) start = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) stop = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < traced->len; i++) {
		const struct traced_piece *p = traced_at(traced, i);
		double offset;

		if (p->match < 0)
			continue;
		if (p->start_ns != UNKNOWN_NS) {
			offset = p->start_ns - truth_at(truth, p->match)->start_ns;
			g_array_append_val(start, offset);
		}
		if (p->stop_ns != UNKNOWN_NS) {
			offset = p->stop_ns - truth_at(truth, p->last)->stop_ns;
			g_array_append_val(stop, offset);
		}
	}
	c->start = distribution(start);
	c->stop = distribution(stop);
}

/* --- workloads ------------------------------------------------------------- */

/* All pieces of one workload */
struct work {
	double difference_ns;
	unsigned int pieces;
	bool whole, matched, reset;
};

static struct work *work_of(GHashTable *works, uint64_t id)
{
	struct work *w = g_hash_table_lookup(works, &id);

	if (!w) {
		w = g_new(struct work, 1);
		*w = (struct work){ .whole = true, .matched = true };
		g_hash_table_insert(works, g_memdup2(&id, sizeof(id)), w);
	}
	return w;
}

static void add_piece(struct work *w, const struct traced_piece *p, const GArray *truth)
{
	const struct truth_piece *first, *last;

	if (!piece_is_whole(p))
		w->whole = false;
	if (p->match < 0)
		w->matched = false;
	if (!piece_is_whole(p) || p->match < 0)
		return;
	first = truth_at(truth, p->match);
	last = truth_at(truth, p->last);
	w->reset = w->reset || last->reset;
	w->pieces++;
	w->difference_ns += (p->stop_ns - p->start_ns) - (last->stop_ns - first->start_ns);
}

/* Workloads completely in the trace, and their differences */
static void workloads(struct comparison *c, const GArray *truth, const GArray *traced)
{
	g_autoptr(GHashTable) works = g_hash_table_new_full(g_int64_hash, g_int64_equal,
							    g_free, g_free);
	g_autoptr(GArray) exec = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) reset = g_array_new(FALSE, FALSE, sizeof(double));
	GHashTableIter iter;
	struct work *w;

	for (guint i = 0; i < traced->len; i++)
		add_piece(work_of(works, traced_at(traced, i)->workload_id),
			  traced_at(traced, i), truth);
	g_hash_table_iter_init(&iter, works);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&w)) {
		if (!w->whole)
			continue;
		c->workloads++;
		c->workloads_matched += w->matched;
		if (w->matched)
			g_array_append_val(w->reset ? reset : exec, w->difference_ns);
		if (w->matched && !w->reset)
			c->exec_piece_max = fmax(c->exec_piece_max, fabs(w->difference_ns) / w->pieces);
	}
	c->exec = distribution(exec);
	c->reset = distribution(reset);
}

/* --- pieces ---------------------------------------------------------------- */

static void count_traced(struct comparison *c, const GArray *truth, const GArray *traced)
{
	for (guint i = 0; i < traced->len; i++) {
		const struct traced_piece *p = traced_at(traced, i);

		if (p->match >= 0)
			c->matched++;
		else if (piece_is_whole(p))
			c->traced_unmatched++;
		if (p->match >= 0 && p->stop_ns != UNKNOWN_NS &&
		    p->complete != truth_at(truth, p->last)->complete)
			c->results_differ++;
		c->away_ns += p->away_ns;
	}
}

static bool reaches_into(const struct truth_piece *t, const struct covered *w)
{
	return t->vgpu_id && t->stop_ns > w->begin_ns && t->start_ns < w->end_ns;
}

/*
 * Put on the engine and preempted before a command was executed: i915 processes both at once, and
 * reports nothing.
 */
static bool is_empty(const struct truth_piece *t, double limit_ns)
{
	return !t->complete && !t->reset && !t->busy_ns && t->head == t->end &&
	       t->stop_ns - t->start_ns <= limit_ns;
}

static void count_due(struct comparison *c, const struct truth_piece *t, double limit_ns)
{
	if (t->match >= 0)
		return;
	if (is_empty(t, limit_ns))
		c->empty++;
	else
		c->truth_unmatched++;
}

static void count_truth(struct comparison *c, const GArray *truth, double limit_ns)
{
	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = truth_at(truth, i);

		c->in_wait += t->match >= 0 && t->in_wait;
		c->resumed += t->resumed;
		if (truth_is_due(t, &c->window))
			count_due(c, t, limit_ns);
		else if (t->match >= 0 || reaches_into(t, &c->window))
			c->edges++;
	}
}

/* --- shares ---------------------------------------------------------------- */

static struct share *share_of(GArray *shares, uint32_t vgpu_id, const char *engine)
{
	struct share new = { .vgpu_id = vgpu_id };

	for (guint i = 0; i < shares->len; i++) {
		struct share *s = &g_array_index(shares, struct share, i);

		if (s->vgpu_id == vgpu_id && !strcmp(s->engine, engine))
			return s;
	}
	g_strlcpy(new.engine, engine, sizeof(new.engine));
	g_array_append_val(shares, new);
	return &g_array_index(shares, struct share, shares->len - 1);
}

/* Per cent of the window that [start, stop] covers; unknown reaches to the edge */
static double covered(const struct covered *w, int64_t start_ns, int64_t stop_ns)
{
	if (start_ns == UNKNOWN_NS || start_ns < w->begin_ns)
		start_ns = w->begin_ns;
	if (stop_ns == UNKNOWN_NS || stop_ns > w->end_ns)
		stop_ns = w->end_ns;
	return stop_ns <= start_ns ? 0 :
	       100.0 * (stop_ns - start_ns) / (w->end_ns - w->begin_ns);
}

/* Pieces traced but not on the engine, or vice versa */
static double offset_of(const struct traced_piece *p, const GArray *truth)
{
	double offset_ns = p->away_ns;

	if (p->start_ns != UNKNOWN_NS)
		offset_ns += llabs(p->start_ns - truth_at(truth, p->match)->start_ns);
	if (p->stop_ns != UNKNOWN_NS)
		offset_ns += llabs(p->stop_ns - truth_at(truth, p->last)->stop_ns);
	return offset_ns;
}

static void share_traced(struct comparison *c, const GArray *truth, const GArray *traced)
{
	for (guint i = 0; i < traced->len; i++) {
		const struct traced_piece *p = traced_at(traced, i);
		struct share *s = share_of(c->shares, p->vgpu_id, p->engine);

		s->traced_util += covered(&c->window, p->start_ns, p->stop_ns);
		s->traced_done += p->stop_ns != UNKNOWN_NS && p->complete;
		if (p->match < 0)
			continue;
		s->pieces++;
		s->offset_ns += offset_of(p, truth);
	}
}

/*
 * Workloads finished by the device count if the trace should show the end, which for a
 * piece cut by the edge depends on the side of the event.
 */
static bool end_is_traced(const struct truth_piece *t, const struct covered *w,
			  const GArray *traced)
{
	if (t->match >= 0)
		return traced_at(traced, t->match)->stop_ns != UNKNOWN_NS;
	return truth_is_due(t, w);
}

static void share_truth(struct comparison *c, const GArray *truth, const GArray *traced)
{
	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *t = truth_at(truth, i);
		struct share *s;

		if (!t->vgpu_id)
			continue;
		s = share_of(c->shares, t->vgpu_id, t->engine);
		s->truth_util += covered(&c->window, t->start_ns, t->stop_ns);
		s->truth_done += t->complete && end_is_traced(t, &c->window, traced);
	}
}

static void finish_share(struct share *s, const struct covered *w)
{
	if (s->pieces)
		s->offset_ns /= s->pieces;
	s->tolerance = UTIL_TOLERANCE_PP +
		       100.0 * s->offset_ns * s->pieces / (w->end_ns - w->begin_ns);
}

static gint compare_shares(gconstpointer left, gconstpointer right)
{
	const struct share *a = left, *b = right;

	return a->vgpu_id != b->vgpu_id ? (a->vgpu_id > b->vgpu_id ? 1 : -1) :
					  strcmp(a->engine, b->engine);
}

static void share_out(struct comparison *c, const GArray *truth, const GArray *traced)
{
	c->shares = g_array_new(FALSE, FALSE, sizeof(struct share));
	share_traced(c, truth, traced);
	share_truth(c, truth, traced);
	for (guint i = 0; i < c->shares->len; i++)
		finish_share(&g_array_index(c->shares, struct share, i), &c->window);
	g_array_sort(c->shares, compare_shares);
}

/* --------------------------------------------------------------------------- */

void compare(struct comparison *c, const GArray *truth, const GArray *traced,
	     const struct covered *window, double limit_ns)
{
	*c = (struct comparison){ .window = *window };
	count_traced(c, truth, traced);
	count_truth(c, truth, limit_ns);
	workloads(c, truth, traced);
	offsets(c, truth, traced);
	share_out(c, truth, traced);
}

void comparison_free(struct comparison *c)
{
	g_array_free(c->shares, TRUE);
}
