// SPDX-License-Identifier: GPL-2.0-or-later
#include "owner.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "fault.h"
#include "piece.h"

/* How far a context's execution may differ from its vGPU's demand */
#define TIME_TOLERANCE 0.25

/* The edges of the window: workloads in flight when it opens and closes */
#define COUNT_TOLERANCE 32
#define LENGTH_TOLERANCE 0.1

/* A context on an engine, from the device's log */
struct context {
	char engine[8];
	uint32_t lrca;
	int64_t done;			/* completed inside the window */
	int64_t completed, exec_ns;	/* finished workloads, in the whole log */
	int64_t unfinished_ns;		/* of a workload that was preempted */
	int64_t busy_ns;		/* on the engine inside the window */
	uint32_t vgpu_id;
};

/* A vGPU's demand for an engine */
struct demand {
	const char *engine;
	uint32_t vgpu_id;
	int64_t done;
	double exec_min_ns, exec_max_ns;
	double busy_ns;			/* execution time of completed workloads */
	gboolean met;
};

static struct context *context_of(GArray *contexts, const struct truth_piece *p)
{
	struct context new = { .lrca = p->lrca };

	for (guint i = 0; i < contexts->len; i++) {
		struct context *c = &g_array_index(contexts, struct context, i);

		if (c->lrca == p->lrca && !strcmp(c->engine, p->engine))
			return c;
	}
	g_strlcpy(new.engine, p->engine, sizeof(new.engine));
	g_array_append_val(contexts, new);
	return &g_array_index(contexts, struct context, contexts->len - 1);
}

static void add_piece(struct context *c, const struct truth_piece *p,
		      const struct interval *window)
{
	c->busy_ns += MAX(0, MIN(p->stop_ns, window->end_ns) - MAX(p->start_ns, window->begin_ns));
	c->unfinished_ns += p->stop_ns - p->start_ns;
	if (p->complete) {
		c->completed++;
		c->exec_ns += c->unfinished_ns;
	}
	if (p->complete || p->reset)
		c->unfinished_ns = 0;
}

/* Before and after the window, other runs may have had the same addresses. */
static gboolean is_played(const struct truth_piece *p, const struct interval *window,
			  int64_t warmup_ns)
{
	return p->stop_ns >= window->begin_ns - warmup_ns && p->start_ns < window->end_ns;
}

static GArray *find_contexts(const GArray *truth, const struct interval *window,
			     int64_t warmup_ns)
{
	GArray *contexts = g_array_new(FALSE, TRUE, sizeof(struct context));

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *p = &g_array_index(truth, struct truth_piece, i);
		struct context *c = context_of(contexts, p);

		if (!is_played(p, window, warmup_ns))
			continue;
		add_piece(c, p, window);
		c->done += p->complete && p->stop_ns >= window->begin_ns &&
			   p->stop_ns < window->end_ns;
	}
	return contexts;
}

static int64_t done_by(const struct load_log *log, const char *vgpu, const char *engine)
{
	int64_t done = 0;

	for (guint i = 0; i < log->streams->len; i++) {
		const struct stream_result *r =
			&g_array_index(log->streams, struct stream_result, i);

		if (!strcmp(r->vgpu, vgpu) && !strcmp(r->engine, engine))
			done += r->done;
	}
	return done;
}

/* Execution time of a stream's completed workloads, in ns */
static double stream_ns(const struct load_log *log, const char *vgpu,
			const struct scenario_stream *st)
{
	for (guint i = 0; i < log->streams->len; i++) {
		const struct stream_result *r =
			&g_array_index(log->streams, struct stream_result, i);

		if (!strcmp(r->vgpu, vgpu) && !strcmp(r->stream, st->name))
			return (double)r->done * st->exec_ns;
	}
	return 0;
}

static struct demand *demand_of(GArray *demands, uint32_t vgpu_id, const char *engine)
{
	struct demand new = { engine, vgpu_id, 0, INFINITY, 0, 0, FALSE };

	for (guint i = 0; i < demands->len; i++) {
		struct demand *d = &g_array_index(demands, struct demand, i);

		if (d->vgpu_id == vgpu_id && !strcmp(d->engine, engine))
			return d;
	}
	g_array_append_val(demands, new);
	return &g_array_index(demands, struct demand, demands->len - 1);
}

static GArray *find_demands(const struct scenario *s, const struct load_log *log)
{
	GArray *demands = g_array_new(FALSE, TRUE, sizeof(struct demand));

	for (size_t v = 0; v < s->n_vgpus; v++) {
		for (size_t i = 0; i < s->vgpus[v].n_streams; i++) {
			const struct scenario_stream *st = &s->vgpus[v].streams[i];
			struct demand *d = demand_of(demands, v + 1, st->engine);

			d->exec_min_ns = fmin(d->exec_min_ns, st->exec_ns);
			d->exec_max_ns = fmax(d->exec_max_ns, st->exec_ns);
			d->done = done_by(log, s->vgpus[v].name, st->engine);
			d->busy_ns += stream_ns(log, s->vgpus[v].name, st);
		}
	}
	return demands;
}

/* The mismatch of a context and a demand, INFINITY: no match */
typedef double distance_fn(const struct demand *d, const struct context *c);

/* The same length of workloads, and about the same count */
static double by_count(const struct demand *d, const struct context *c)
{
	double exec_ns = c->completed ? (double)c->exec_ns / c->completed : 0;
	int64_t off = llabs(c->done - d->done);

	if (exec_ns < d->exec_min_ns * (1 - LENGTH_TOLERANCE) ||
	    exec_ns > d->exec_max_ns * (1 + LENGTH_TOLERANCE) || off > COUNT_TOLERANCE)
		return INFINITY;
	return off;
}

/*
 * The same time: for a context that executes other work as well, as that of a
 * guest's driver, or continues with the next workload without leaving the engine
 */
static double by_time(const struct demand *d, const struct context *c)
{
	double off = fabs(c->busy_ns - d->busy_ns);

	return off <= TIME_TOLERANCE * d->busy_ns + d->exec_max_ns ? off : INFINITY;
}

/* Join the best match of all remaining pairs. */
static gboolean join_best(GArray *demands, GArray *contexts, distance_fn *distance)
{
	struct demand *best_demand = NULL;
	struct context *best_context = NULL;
	double best = INFINITY;

	for (guint i = 0; i < demands->len * contexts->len; i++) {
		struct demand *d = &g_array_index(demands, struct demand, i / contexts->len);
		struct context *c = &g_array_index(contexts, struct context, i % contexts->len);

		if (d->met || !d->done || c->vgpu_id || strcmp(d->engine, c->engine) ||
		    distance(d, c) >= best)
			continue;
		best = distance(d, c);
		best_demand = d;
		best_context = c;
	}
	if (!best_demand)
		return FALSE;
	best_demand->met = TRUE;
	best_context->vgpu_id = best_demand->vgpu_id;
	return TRUE;
}

static gboolean all_met(const GArray *demands, const struct scenario *s, GError **error)
{
	for (guint i = 0; i < demands->len; i++) {
		const struct demand *d = &g_array_index(demands, struct demand, i);

		if (d->met || !d->done)
			continue;
		fault(error, "vGPU \"%s\" completed %" PRId64 " workloads on %s, but no context in the truth log fits",
		      s->vgpus[d->vgpu_id - 1].name, d->done, d->engine);
		return FALSE;
	}
	return TRUE;
}

gboolean owners_find(GArray *truth, const struct scenario *s, const struct load_log *log,
		     GError **error)
{
	g_autoptr(GArray) contexts = find_contexts(truth, &log->window, s->warmup_ns);
	g_autoptr(GArray) demands = find_demands(s, log);

	while (join_best(demands, contexts, by_count))
		;
	while (join_best(demands, contexts, by_time))
		;
	for (guint i = 0; i < truth->len; i++) {
		struct truth_piece *p = &g_array_index(truth, struct truth_piece, i);

		p->vgpu_id = context_of(contexts, p)->vgpu_id;
	}
	return all_met(demands, s, error);
}
