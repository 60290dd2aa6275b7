// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "trace/util.h"
#include "result.h"


#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct energy_row, member), ##__VA_ARGS__ }
#define WHO(place)	{ NULL, COLUMN_TEXT, offsetof(struct energy_row, who), "VGPU", UNIT_PLAIN, place, 1 }
#define ENGINE(place)	{ NULL, COLUMN_TEXT, offsetof(struct energy_row, engine), "ENGINE", UNIT_PLAIN, place, 2 }
#define SHARE(place, title)	title, UNIT_PLAIN, ENERGY_SHARES, place
#define COST(type, key, member, title, unit, place) \
	{ key, COLUMN_##type, offsetof(struct energy_row, costs.member), title, unit, ENERGY_COSTS, place }
#define NUMBERS								\
	COLUMN(INTEGER, exec_ns, "EXEC-ms", UNIT_MS, ENERGY_SHARES, 3),	\
	COLUMN(REAL, joules, SHARE(4, "JOULES")),			\
	COLUMN(REAL, bound_joules, NULL, UNIT_MILLI),			\
	{ NULL, COLUMN_REAL, offsetof(struct energy_row, bound_percent), SHARE(5, "+-%") }, \
	COLUMN(REAL, watts, SHARE(6, "WATTS")),				\
	COLUMN(REAL, percent, SHARE(7, "%")),				\
	COLUMN(REAL, running_watts, SHARE(8, "RUNNING-W")),		\
	COST(INTEGER, "completed", completed, "DONE", UNIT_PLAIN, 3),	\
	COST(INTEGER, "workloads_known", priced, "KNOWN", UNIT_PLAIN, 4), \
	COST(REAL, "workload_mean_joules", mean_joules, "MEAN-mJ", UNIT_MILLI, 5), \
	COST(REAL, "workload_p50_joules", p50_joules, "P50-mJ", UNIT_MILLI, 6), \
	COST(REAL, "workload_p95_joules", p95_joules, "P95-mJ", UNIT_MILLI, 7), \
	COST(REAL, "workload_p99_joules", p99_joules, "P99-mJ", UNIT_MILLI, 8), \
	COST(REAL, "joules_per_workload", joules_per_workload, "mJ/DONE", UNIT_MILLI, 9), \
	COST(REAL, "turnaround_mean_ns", turnaround_mean_ns, NULL, UNIT_PLAIN, 0), \
	COST(REAL, "energy_delay_joule_seconds", energy_delay, "EDP-uJs", UNIT_MICRO, 10)

const struct column energy_columns[] = {
	COLUMN(TEXT, kind),
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
	WHO(ENERGY_SHARES), WHO(ENERGY_COSTS),
	COLUMN(TEXT, engine, "ENGINE", UNIT_PLAIN, ENERGY_SHARES, 2), ENGINE(ENERGY_COSTS),
	NUMBERS,
	{ 0 }
};

const struct column energy_sum_columns[] = {
	COLUMN(TEXT, kind),
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
	WHO(ENERGY_SHARES), WHO(ENERGY_COSTS),
	NUMBERS,
	{ 0 }
};

/* --- the energy of some shares ------------------------------------------------------------------ */

static void fill_energy(const struct energy_result *result, const unsigned int *of, unsigned int count,
			struct energy_row *row)
{
	const struct shares *shares = result->shares;
	double nj = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		nj += shares->nj[of[nr]];
	row->joules = nj / NJ_PER_J;
	row->bound_joules = result->powers_known ? energy_bound_nj(result, of, count) / NJ_PER_J : NAN;
	row->bound_percent = row->joules > 0 ? 100 * row->bound_joules / row->joules : NAN;
	row->watts = shares->length_ns > 0 ? nj / shares->length_ns : NAN;
	row->percent = shares->total_nj > 0 ? 100 * nj / shares->total_nj : NAN;
	row->running_watts = known(row->exec_ns) && row->exec_ns > 0 ? nj / row->exec_ns : NAN;
}

/* Without powers, nobody's energy is known. */
static void forget_energy(struct energy_row *row)
{
	row->joules = NAN;
	row->bound_joules = NAN;
	row->bound_percent = NAN;
	row->watts = NAN;
	row->percent = NAN;
	row->running_watts = NAN;
}

/* --- rows ------------------------------------------------------------------------------------- */

static const struct work_costs no_costs = {
	.completed = UNKNOWN, .priced = UNKNOWN, .mean_joules = NAN, .p50_joules = NAN, .p95_joules = NAN, .p99_joules = NAN,
	.joules_per_workload = NAN, .turnaround_mean_ns = NAN, .energy_delay = NAN,
};

static struct energy_row row_of(const struct energy_result *result, const unsigned int *of,
				unsigned int count)
{
	const struct consumer *consumer = energy_consumer(result, of[0]);
	const struct vgpu *vgpu = consumer->vgpu;
	struct energy_row row = {
		.kind = vgpu ? "vgpu" : "host", .dev = consumer->engine->dev,
		.vgpu_id = vgpu ? vgpu->id : 0, .vm = vgpu ? vgpu->vm : NULL,
		.who = vgpu ? vgpu_name(vgpu) : "host", .engine = count == 1 ? consumer->engine->name : NULL,
	};

	for (unsigned int nr = 0; nr < count; nr++)
		row.exec_ns += energy_busy_ns(result, of[nr]);
	fill_energy(result, of, count, &row);
	if (!energy_is_known(result, of, count))
		forget_energy(&row);
	row.costs = vgpu ? works_costs(result, &row) : no_costs;
	return row;
}

static struct energy_row row_of_nobody(const struct energy_result *result, const char *kind,
				       unsigned int whose)
{
	struct energy_row row = {
		.kind = kind, .dev = UNKNOWN, .vgpu_id = UNKNOWN, .who = kind, .exec_ns = UNKNOWN,
		.costs = no_costs,
	};

	fill_energy(result, &whose, 1, &row);
	return row;
}

static struct energy_row row_of_all(const struct energy_result *result)
{
	const struct shares *shares = result->shares;
	double bound_nj = result->timeline->counter.unit_nj;

	for (unsigned int whose = 0; shares->bound_nj && whose < SHARES(result->portions); whose++)
		bound_nj += shares->bound_nj[whose];
	return (struct energy_row) {
		.kind = "total", .dev = UNKNOWN, .vgpu_id = UNKNOWN, .who = "total", .exec_ns = UNKNOWN,
		.joules = shares->total_nj / NJ_PER_J,
		.bound_joules = bound_nj / NJ_PER_J,
		.watts = shares->length_ns > 0 ? shares->total_nj / shares->length_ns : NAN,
		.bound_percent = shares->total_nj > 0 ? 100 * bound_nj / shares->total_nj : NAN,
		.percent = shares->total_nj > 0 ? 100 : NAN, .running_watts = NAN, .costs = no_costs,
	};
}

/* by vGPU, the host last, then by engine */
static gint compare_consumers(gconstpointer a, gconstpointer b, gpointer ctx)
{
	const struct consumer *one = energy_consumer(ctx, *(const unsigned int *)a);
	const struct consumer *other = energy_consumer(ctx, *(const unsigned int *)b);

	if (one->vgpu != other->vgpu) {
		if (!one->vgpu || !other->vgpu)
			return one->vgpu ? -1 : 1;
		return one->vgpu->id < other->vgpu->id ? -1 : 1;
	}
	return (one->engine->index > other->engine->index) - (one->engine->index < other->engine->index);
}

static GArray *sort_consumers(struct energy_result *result)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(unsigned int));

	for (unsigned int who = 0; who < result->portions->consumers; who++)
		if (energy_is_selected(result, who))
			g_array_append_val(order, who);
	g_array_sort_with_data(order, compare_consumers, result);
	return order;
}

static void add_nobody(const struct energy_result *result, GArray *rows)
{
	struct energy_row idle = row_of_nobody(result, "idle", SHARE_IDLE(result->portions));
	struct energy_row unknown = row_of_nobody(result, "unknown", SHARE_UNKNOWN(result->portions));
	struct energy_row all = row_of_all(result);

	if (!result->powers_known)
		forget_energy(&idle);
	unknown.bound_joules = NAN;
	unknown.bound_percent = NAN;
	g_array_append_val(rows, idle);
	/* where everything was seen, nothing is unknown */
	if (unknown.joules > 0)
		g_array_append_val(rows, unknown);
	g_array_append_val(rows, all);
}

static void add_rows(struct energy_result *result)
{
	GArray *order = sort_consumers(result);
	const unsigned int *who = (const unsigned int *)order->data;

	for (guint from = 0, to; from < order->len; from = to) {
		struct energy_row sum;

		for (to = from; to < order->len &&
		     energy_consumer(result, who[to])->vgpu == energy_consumer(result, who[from])->vgpu; to++) {
			struct energy_row row = row_of(result, &who[to], 1);

			g_array_append_val(result->engines, row);
		}
		sum = row_of(result, &who[from], to - from);
		g_array_append_val(result->sums, sum);
	}
	add_nobody(result, result->engines);
	add_nobody(result, result->sums);
	g_array_free(order, TRUE);
}

/* --- what is indistinguishable ------------------------------------------------------------------- */

static void add_name(const struct energy_result *result, GString *names, unsigned int whose)
{
	const struct consumer *consumer;

	g_string_append(names, names->len ? " = " : "");
	if (whose == SHARE_IDLE(result->portions)) {
		g_string_append(names, "idle");
		return;
	}
	consumer = energy_consumer(result, whose);
	g_string_append_printf(names, "%s%s on %s", consumer->vgpu ? "vGPU " : "",
			       consumer->vgpu ? vgpu_name(consumer->vgpu) : "host", consumer->engine->name);
}

static bool is_named(const struct energy_result *result, unsigned int whose)
{
	for (unsigned int other = 0; other < whose; other++)
		if (fit_same(result->fit, energy_quantity(result, whose), energy_quantity(result, other)))
			return true;
	return false;
}

static void name_same(struct energy_result *result)
{
	for (unsigned int whose = 0; whose < SHARE_UNKNOWN(result->portions); whose++) {
		unsigned int count = 0;
		GString *names;

		if (is_named(result, whose))
			continue;
		names = g_string_new(NULL);
		for (unsigned int other = whose; other < SHARE_UNKNOWN(result->portions); other++)
			if (fit_same(result->fit, energy_quantity(result, whose), energy_quantity(result, other))) {
				add_name(result, names, other);
				count++;
			}
		if (count > 1)
			g_ptr_array_add(result->same, g_strdup(names->str));
		g_string_free(names, TRUE);
	}
}

/* --- all of it ---------------------------------------------------------------------------------- */

/* each vGPU the same part, and of it each of its engines; none goes to rows that show no energy */
static double *equal_parts(const struct energy_result *result)
{
	const struct timeline *timeline = result->timeline;
	const int *columns = result->fit->columns;
	guint count = timeline->consumers->len, vgpus = 0;
	double *parts = g_new0(double, count);

	for (guint nr = 0; nr < count; nr++) {
		const struct vgpu *vgpu = g_array_index(timeline->consumers, struct consumer, nr).vgpu;
		unsigned int engines = 0, before = 0;

		for (guint other = 0; other < count; other++) {
			bool same = g_array_index(timeline->consumers, struct consumer, other).vgpu == vgpu &&
				    columns[portion_busy(result->portions, other)] >= 0;

			engines += same;
			before += same && other < nr;
		}
		if (!vgpu || columns[portion_busy(result->portions, nr)] < 0)
			continue;
		parts[nr] = 1.0 / engines;
		vgpus += !before;
	}
	for (guint nr = 0; vgpus && nr < count; nr++)
		parts[nr] /= vgpus;
	return parts;
}

static void fill(struct energy_result *result)
{
	result->engines = g_array_new(FALSE, FALSE, sizeof(struct energy_row));
	result->sums = g_array_new(FALSE, FALSE, sizeof(struct energy_row));
	result->same = g_ptr_array_new_with_free_func(g_free);
	name_same(result);
	add_rows(result);
}

int64_t energy_intervals(const struct timeline *timeline, int64_t length_ns)
{
	const struct window *window = &timeline->follow->window;

	return length_ns ? (window->to_ns - window->from_ns + length_ns - 1) / length_ns : 0;
}

static struct spread *spread_out(const struct energy_result *result, enum static_rule rule, int64_t length_ns)
{
	const struct spread_source source = {
		result->timeline, result->portions, result->fit, result->shares,
		rule == STATIC_EQUAL ? result->equal : NULL,
	};

	return spread_new(&source, result->timeline->follow->window.from_ns, MAX(length_ns, 1),
			  energy_intervals(result->timeline, length_ns));
}

struct energy_result *energy_result_new(const struct timeline *timeline, enum static_rule rule, int64_t length_ns)
{
	struct energy_result *result = g_new0(struct energy_result, 1);

	result->timeline = timeline;
	result->portions = portions_new(timeline);
	result->fit = fit_new(result->portions);
	result->powers_known = result->fit->groups > 0;
	result->equal = equal_parts(result);
	result->shares = shares_new(result->portions, result->fit, rule, result->equal);
	result->spread = spread_out(result, rule, length_ns);
	fill(result);
	return result;
}

struct energy_result *energy_result_of(const struct timeline *timeline, struct portions *portions, struct fit *fit,
				       struct shares *shares)
{
	struct energy_result *result = g_new0(struct energy_result, 1);

	*result = (struct energy_result) {
		.timeline = timeline, .portions = portions, .fit = fit, .shares = shares, .powers_known = true,
	};
	fill(result);
	return result;
}

void energy_result_free(struct energy_result *result)
{
	g_ptr_array_free(result->same, TRUE);
	g_array_free(result->engines, TRUE);
	g_array_free(result->sums, TRUE);
	g_clear_pointer(&result->spread, spread_free);
	shares_free(result->shares);
	fit_free(result->fit);
	portions_free(result->portions);
	g_free(result->equal);
	g_free(result);
}
