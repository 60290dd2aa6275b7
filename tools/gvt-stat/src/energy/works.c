// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What workloads cost.
 */
#include <math.h>
#include <string.h>

#include "analysis/series.h"
#include "trace/quantities.h"
#include "trace/util.h"
#include "result.h"

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct dear_work, member), ##__VA_ARGS__ }

const struct column dear_work_columns[] = {
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, workload_id, "WORKLOAD"),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
	{ NULL, COLUMN_TEXT, offsetof(struct dear_work, who), "VGPU" },
	COLUMN(TEXT, engine, "ENGINE"),
	COLUMN(INTEGER, queue_ns, "QUEUE-s", UNIT_S),
	COLUMN(INTEGER, exec_ns, "EXEC-ms", UNIT_MS),
	COLUMN(INTEGER, turnaround_ns, "TOTAL-ms", UNIT_MS),
	COLUMN(REAL, joules, "mJ", UNIT_MILLI),
	COLUMN(REAL, bound_joules, NULL, UNIT_MILLI),
	{ NULL, COLUMN_REAL, offsetof(struct dear_work, bound_percent), "+-%" },
	{ 0 }
};

static const struct work *work_at(const struct energy_result *result, guint nr)
{
	return &g_array_index(result->timeline->works, struct work, nr);
}

static int64_t turnaround_of(const struct work *work)
{
	return known(work->end_ns) && known(work->queue_ns) ? work->end_ns - work->queue_ns : UNKNOWN;
}

/* by consumer: how far off its workloads are because its powers are, in parts of their energy; the caller frees */
static double *list_errors(const struct energy_result *result, const bool *of)
{
	double *errors = g_new0(double, result->portions->consumers);

	for (unsigned int who = 0; result->spread && who < result->portions->consumers; who++)
		if (of[who])
			errors[who] = energy_powers_bound_nj(result, &who, 1) / result->shares->nj[who];
	return errors;
}

/* An energy, and how far off it may be, with 95 % confidence. @nj is UNKNOWN if that is not known, or too much. */
struct price {
	int64_t nj;
	double bound_nj;
	guint nr;			/* of the workload */
};

/* Samples have to cover all of its execution. */
static struct price price_of(const struct energy_result *result, const double *errors, guint nr)
{
	const struct work_energy *energy = result->spread ? &result->spread->works[nr] : NULL;
	const struct work *work = work_at(result, nr);
	struct price price = { UNKNOWN, NAN, nr };

	if (!energy || energy->ns != work->exec_ns)
		return price;
	price.bound_nj = energy->nj * errors[work->who] + result->timeline->counter.unit_nj + ENERGY_SIGMAS * sqrt(energy->spread);
	if (price.bound_nj <= ENERGY_CERTAIN * energy->nj)
		price.nj = llround(energy->nj);
	return price;
}

/*
 * What executed while nothing was counted, as before the first sample, is of energy that is not in the total.
 * Of predicted energy, all is.
 */
static bool is_counted(const struct energy_result *result, guint nr)
{
	const struct work *work = work_at(result, nr);

	return work->completed && (!result->spread || result->spread->works[nr].ns > 0);
}

static double joules(double nj)
{
	return nj / NJ_PER_J;
}

static void add_works(const struct energy_result *result, const struct energy_row *row,
		      struct series *energies, struct series *turnarounds, int64_t *completed)
{
	bool *owns = energy_row_owns(result, row);
	double *errors = list_errors(result, owns);

	for (guint nr = 0; nr < result->timeline->works->len; nr++) {
		const struct work *work = work_at(result, nr);

		if (!is_counted(result, nr) || !owns[work->who])
			continue;
		(*completed)++;
		if (!isnan(row->joules))
			series_add(energies, price_of(result, errors, nr).nj, work->queue_ns, work->id);
		series_add(turnarounds, turnaround_of(work), work->queue_ns, work->id);
	}
	g_free(errors);
	g_free(owns);
}

struct work_costs works_costs(const struct energy_result *result, const struct energy_row *row)
{
	struct series *energies = series_new(), *turnarounds = series_new();
	struct summary energy, turnaround;
	struct work_costs costs;
	int64_t completed = 0;

	add_works(result, row, energies, turnarounds, &completed);
	energy = series_summary(energies);
	turnaround = series_summary(turnarounds);
	costs = (struct work_costs) {
		.completed = quantity_known(result->timeline->follow->trace, QUANTITY_COMPLETIONS) ? completed : UNKNOWN,
		.priced = energy.count,
		.mean_joules = joules(energy.mean_ns), .p50_joules = joules(energy.p50_ns),
		.p95_joules = joules(energy.p95_ns), .p99_joules = joules(energy.p99_ns),
		.joules_per_workload = completed ? row->joules / completed : NAN,
		.turnaround_mean_ns = turnaround.mean_ns,
	};
	costs.energy_delay = costs.joules_per_workload * costs.turnaround_mean_ns / NSEC_PER_SEC;
	series_free(energies);
	series_free(turnarounds);
	return costs;
}

/* --- the dearest --------------------------------------------------------------------------------- */

static gint compare_prices(gconstpointer a, gconstpointer b)
{
	const struct price *one = a, *other = b;

	if (one->nj != other->nj)
		return one->nj > other->nj ? -1 : 1;
	return (one->nr > other->nr) - (one->nr < other->nr);
}

/* by consumer: is its energy known, and shown? The caller frees. */
static bool *list_shown(const struct energy_result *result)
{
	bool *shown = g_new0(bool, result->portions->consumers);

	for (guint nr = 0; nr < result->engines->len; nr++) {
		const struct energy_row *row = &g_array_index(result->engines, struct energy_row, nr);
		bool *owns = energy_row_owns(result, row);

		for (guint who = 0; who < result->portions->consumers; who++)
			if (owns[who] && !strcmp(row->kind, "vgpu") && !isnan(row->joules))
				shown[who] = true;
		g_free(owns);
	}
	return shown;
}

static GArray *list_prices(const struct energy_result *result)
{
	GArray *prices = g_array_new(FALSE, FALSE, sizeof(struct price));
	bool *shown = list_shown(result);
	double *errors = list_errors(result, shown);

	for (guint nr = 0; nr < result->timeline->works->len; nr++) {
		const struct work *work = work_at(result, nr);
		struct price price = price_of(result, errors, nr);

		if (is_counted(result, nr) && known(price.nj) && shown[work->who])
			g_array_append_val(prices, price);
	}
	g_free(errors);
	g_free(shown);
	g_array_sort(prices, compare_prices);
	return prices;
}

GArray *works_dearest(const struct energy_result *result, unsigned int most)
{
	GArray *prices = list_prices(result);
	GArray *dearest = g_array_new(FALSE, FALSE, sizeof(struct dear_work));

	for (guint nr = 0; nr < MIN(prices->len, most); nr++) {
		const struct price *price = &g_array_index(prices, struct price, nr);
		const struct work *work = work_at(result, price->nr);
		const struct consumer *consumer = energy_consumer(result, work->who);
		const struct dear_work one = {
			.dev = consumer->engine->dev, .workload_id = work->id, .vgpu_id = consumer->vgpu->id,
			.vm = consumer->vgpu->vm, .who = vgpu_name(consumer->vgpu), .engine = consumer->engine->name,
			.queue_ns = work->queue_ns, .exec_ns = work->exec_ns, .turnaround_ns = turnaround_of(work),
			.joules = joules(price->nj), .bound_joules = joules(price->bound_nj),
			.bound_percent = 100 * price->bound_nj / price->nj,
		};

		g_array_append_val(dearest, one);
	}
	g_array_free(prices, TRUE);
	return dearest;
}
