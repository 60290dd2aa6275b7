// SPDX-License-Identifier: GPL-2.0-or-later
#include "service.h"

#include <math.h>

#include "piece.h"
#include "switched.h"

static struct service *service_at(const GArray *services, guint i)
{
	return &g_array_index(services, struct service, i);
}

static void free_intervals(gpointer intervals)
{
	g_array_free(intervals, TRUE);
}

static GHashTable *engines_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_intervals);
}

static void add_piece(GHashTable *engines, const struct truth_piece *p)
{
	GArray *a = g_hash_table_lookup(engines, p->engine);

	if (!a) {
		a = intervals_new();
		g_hash_table_insert(engines, g_strdup(p->engine), a);
	}
	intervals_add(a, p->start_ns, p->stop_ns);
}

static void merge(GHashTable *engines)
{
	GHashTableIter iter;
	GArray *a;

	g_hash_table_iter_init(&iter, engines);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&a))
		intervals_merge(a);
}

GHashTable *services_nobodys(const GArray *truth)
{
	GHashTable *engines = engines_new();

	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *p = &g_array_index(truth, struct truth_piece, i);

		if (!p->vgpu_id)
			add_piece(engines, p);
	}
	merge(engines);
	return engines;
}

/* Also what executes for no vGPU ends a gap, which is nobody's then */
static void add_gaps(GArray *services, const GArray *truth)
{
	g_autoptr(GArray) stays = switched_stays(truth);
	const struct truth_piece *all = (const struct truth_piece *)stays->data;
	int64_t stop_ns = 0;

	for (guint i = 1; i < stays->len; i++) {
		const struct truth_piece *last = &all[i - 1], *p = &all[i];

		if (strcmp(last->engine, p->engine)) {
			stop_ns = 0;
			continue;
		}
		stop_ns = MAX(stop_ns, last->stop_ns);
		if (p->vgpu_id && stop_ns < p->start_ns)
			intervals_add(service_at(services, p->vgpu_id - 1)->had, stop_ns, p->start_ns);
	}
}

GArray *services_new(const GArray *truth, const struct scenario *s)
{
	GArray *services = g_array_new(FALSE, FALSE, sizeof(struct service));

	for (size_t i = 0; i < s->n_vgpus; i++) {
		const struct service v = {
			.vgpu = &s->vgpus[i], .exec = intervals_new(),
			.had = intervals_new(), .engines = engines_new(),
		};

		g_array_append_val(services, v);
	}
	for (guint i = 0; i < truth->len; i++) {
		const struct truth_piece *p = &g_array_index(truth, struct truth_piece, i);

		if (!p->vgpu_id)
			continue;
		intervals_add(service_at(services, p->vgpu_id - 1)->exec, p->start_ns, p->stop_ns);
		add_piece(service_at(services, p->vgpu_id - 1)->engines, p);
	}
	add_gaps(services, truth);
	for (guint i = 0; i < services->len; i++) {
		merge(service_at(services, i)->engines);
		intervals_merge(service_at(services, i)->exec);
		intervals_add_all(service_at(services, i)->had, service_at(services, i)->exec);
		intervals_merge(service_at(services, i)->had);
	}
	return services;
}

void services_free(GArray *services)
{
	for (guint i = 0; i < services->len; i++) {
		g_array_free(service_at(services, i)->exec, TRUE);
		g_array_free(service_at(services, i)->had, TRUE);
		g_hash_table_destroy(service_at(services, i)->engines);
	}
	g_array_free(services, TRUE);
}

double services_least_to_most(const GArray *services, const struct interval *window,
			      bool with_gaps)
{
	double least = INFINITY, most = 0;

	for (guint i = 0; i < services->len; i++) {
		const struct service *v = service_at(services, i);
		double per_weight = (double)intervals_covered(with_gaps ? v->had : v->exec, window) /
				    v->vgpu->type->weight;

		if (!v->vgpu->n_streams)
			continue;
		least = fmin(least, per_weight);
		most = fmax(most, per_weight);
	}
	return most > 0 ? least / most : NAN;
}

struct worst_window services_worst_window(const GArray *services, const struct interval *whole,
					  int64_t length_ns, int64_t step_ns)
{
	struct worst_window worst = { NAN, whole->begin_ns };

	for (int64_t begin = whole->begin_ns; begin + length_ns <= whole->end_ns; begin += step_ns) {
		const struct interval window = { begin, begin + length_ns };
		double ratio = services_least_to_most(services, &window, false);

		if (isnan(worst.least_to_most) || ratio < worst.least_to_most)
			worst = (struct worst_window){ ratio, begin };
	}
	return worst;
}

static double longest_ns(const struct scenario_vgpu *v)
{
	double longest = 0;

	for (size_t i = 0; i < v->n_streams; i++)
		longest = fmax(longest, v->streams[i].exec_ns);
	return longest;
}

double services_bound(const struct scenario *s, int64_t length_ns)
{
	double weights = 0, exec_ns = 0, cycle_ns, served_ns;
	const struct scenario_vgpu *longest = NULL;

	for (size_t i = 0; i < s->n_vgpus; i++) {
		const struct scenario_vgpu *v = &s->vgpus[i];

		weights += v->n_streams ? v->type->weight : 0;
		if (longest_ns(v) > exec_ns) {
			exec_ns = longest_ns(v);
			longest = v;
		}
	}
	if (!longest || weights <= longest->type->weight)
		return NAN;
	cycle_ns = exec_ns * weights / longest->type->weight;
	served_ns = floor(length_ns / cycle_ns) * exec_ns +
		    fmax(0, fmod(length_ns, cycle_ns) - (cycle_ns - exec_ns));
	return served_ns / longest->type->weight /
	       ((length_ns - served_ns) / (weights - longest->type->weight));
}
