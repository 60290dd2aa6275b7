// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "output/table.h"
#include "trace/util.h"
#include "whatif/measure.h"
#include "energy-use.h"
#include "forecast-energy.h"

#define MJ_PER_J	1e3

/* an amount that is predicted for one more window; unknown numbers are NAN */
struct energy_range {
	double now;			/* as recorded, from the same coefficients */
	double then;			/* simulated, the mean of windows */
	/* of any window in any case, if all coefficients are off, and as much as the rehearsal is */
	double least, most;
};

struct energy_forecast {
	struct energy_range joules;	/* of a window as long as the trace */
	struct energy_range per_workload;	/* joules of each finished workload */
};

/* --- ranges -------------------------------------------------------------------------------------- */

static double joules_of(const struct energy_use *use, unsigned int window, unsigned int whose, bool each)
{
	unsigned int at = energy_use_cell(use, window, whose);

	return use->nj[at] / NJ_PER_J / (each ? use->done[at] > 0 ? use->done[at] : NAN : 1);
}

/* the sum over windows, or its quotient by all work */
static double mean_of(const struct energy_use *use, unsigned int whose, bool each)
{
	double nj = 0, done = 0;

	for (unsigned int nr = 0; nr < use->windows; nr++) {
		nj += use->nj[energy_use_cell(use, nr, whose)];
		done += use->done[energy_use_cell(use, nr, whose)];
	}
	return nj / NJ_PER_J / (each ? done > 0 ? done : NAN : use->windows);
}

/* half of the range, relative to the amount */
static double bound_part(const struct energy_use *use, unsigned int whose)
{
	double nj = 0, bound = 0;

	for (unsigned int nr = 0; nr < use->windows; nr++) {
		nj += use->nj[energy_use_cell(use, nr, whose)];
		bound += use->bound_nj[energy_use_cell(use, nr, whose)];
	}
	return nj > 0 ? bound / nj : bound > 0 ? NAN : 0;
}

static void widen(struct energy_range *range, const struct energy_use *use, unsigned int whose, bool each)
{
	double *values = g_new(double, use->windows), least, most, part = bound_part(use, whose);
	bool all = true;

	for (unsigned int nr = 0; nr < use->windows; nr++) {
		values[nr] = joules_of(use, nr, whose, each);
		all = all && isfinite(values[nr]);
	}
	if (all && isfinite(part)) {
		measure_reach(values, use->windows, &least, &most);
		range->least = fmin(range->least, fmax(least * (1 - part), 0));
		range->most = fmax(range->most, most * (1 + part));
	} else {
		range->least = range->most = NAN;
	}
	g_free(values);
}

/* all cases of a simulation */
struct all_cases {
	struct energy_use now, then;
	struct energy_use *rehearsed;	/* recording, simulated; NULL: none */
	struct energy_use *others;
	guint count;
};

/* as a load that begins or ends in the recording is simulated for all of the time: see correct() of the measures */
static void assume_error(struct energy_range *range, const struct energy_use *rehearsed, unsigned int whose, bool each)
{
	double off = fabs(range->now / mean_of(rehearsed, whose, each) - 1);

	if (!isfinite(off))
		return;
	range->least *= fmax(1 - off, 0);
	range->most *= 1 + off;
}

static struct energy_range range_of(const struct all_cases *all, unsigned int whose, bool each)
{
	struct energy_range range = {
		.now = mean_of(&all->now, whose, each), .then = mean_of(&all->then, whose, each),
		.least = INFINITY, .most = -INFINITY,
	};

	widen(&range, &all->then, whose, each);
	for (guint nr = 0; nr < all->count && !isnan(range.least); nr++)
		widen(&range, &all->others[nr], whose, each);
	if (all->rehearsed)
		assume_error(&range, all->rehearsed, whose, each);
	return range;
}

static struct all_cases measure_cases(const struct mix *mix, const struct energy_target *target)
{
	const GPtrArray *others = target->result->others;
	struct all_cases all = {
		energy_use_recorded(mix, target->coef), energy_use_simulated(mix, target->coef, target->result),
		NULL, g_new(struct energy_use, others->len), others->len,
	};

	if (mix->rehearsed) {
		all.rehearsed = g_new(struct energy_use, 1);
		*all.rehearsed = energy_use_simulated(mix, target->coef, mix->rehearsed);
	}
	for (guint nr = 0; nr < others->len; nr++)
		all.others[nr] = energy_use_simulated(mix, target->coef, others->pdata[nr]);
	return all;
}

static void clear_cases(struct all_cases *all)
{
	energy_use_clear(&all->now);
	energy_use_clear(&all->then);
	if (all->rehearsed)
		energy_use_clear(all->rehearsed);
	g_free(all->rehearsed);
	for (guint nr = 0; nr < all->count; nr++)
		energy_use_clear(&all->others[nr]);
	g_free(all->others);
}

static struct energy_forecast forecast_of(const struct mix *mix, const struct all_cases *all, unsigned int whose)
{
	struct energy_forecast forecast = { range_of(all, whose, false), range_of(all, whose, true) };

	/* of another trace: what was executed there is not in this one */
	if (whose < mix->guests->len && g_array_index(mix->guests, struct whatif_guest, whose).added)
		forecast.joules.now = forecast.per_workload.now = NAN;
	return forecast;
}

/* --- rows ---------------------------------------------------------------------------------------- */

struct row {
	const char *coef;
	const char *kind;
	int64_t vgpu_id;
	const char *uuid, *vm, *who;
	double now_joules, joules, least_joules, most_joules, watts;
	double now_per_workload, per_workload, least_per_workload, most_per_workload;
	double mj_now, mj, mj_least, mj_most;
	char name[ENGINE_NAME_LEN * 4];
};

#define COLUMN(type, member, ...) { #member, COLUMN_##type, offsetof(struct row, member), ##__VA_ARGS__ }
#define SHOWN(type, member, ...) { NULL, COLUMN_##type, offsetof(struct row, member), __VA_ARGS__ }

static const struct column columns[] = {
	COLUMN(TEXT, coef),
	COLUMN(TEXT, kind),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, uuid),
	COLUMN(TEXT, vm),
	SHOWN(TEXT, who, "VGPU"),
	COLUMN(REAL, now_joules, "NOW-J"),
	COLUMN(REAL, joules, "THEN-J"),
	COLUMN(REAL, least_joules, "LEAST"),
	COLUMN(REAL, most_joules, "MOST"),
	COLUMN(REAL, watts, "WATTS"),
	COLUMN(REAL, now_per_workload),
	COLUMN(REAL, per_workload),
	COLUMN(REAL, least_per_workload),
	COLUMN(REAL, most_per_workload),
	SHOWN(REAL, mj_now, "NOW-mJ/DONE"),
	SHOWN(REAL, mj, "THEN-mJ"),
	SHOWN(REAL, mj_least, "LEAST"),
	SHOWN(REAL, mj_most, "MOST"),
	{ 0 }
};

static void name_row(const struct mix *mix, unsigned int whose, struct row *row)
{
	static const char *const kinds[] = { "host", "idle", "total" };
	const struct whatif_guest *guest;

	row->vgpu_id = UNKNOWN;
	if (whose >= mix->guests->len) {
		row->kind = row->who = kinds[whose - mix->guests->len];
		row->vgpu_id = whose == ENERGY_HOST(mix) ? 0 : UNKNOWN;
		return;
	}
	guest = &g_array_index(mix->guests, struct whatif_guest, whose);
	row->kind = "vgpu";
	row->vgpu_id = guest->id;
	row->uuid = guest->vgpu->uuid;
	row->vm = guest->vgpu->vm;
	g_snprintf(row->name, sizeof(row->name), guest->vgpu->vm ? "%" PRId64 " (%s)" : "%" PRId64, guest->id, guest->vgpu->vm);
	row->who = row->name;
}

static void fill_row(const struct mix *mix, const struct energy_target *target, const struct all_cases *all,
		     unsigned int whose, struct row *row)
{
	struct energy_forecast forecast = forecast_of(mix, all, whose);
	const struct energy_range *joules = &forecast.joules, *each = &forecast.per_workload;

	*row = (struct row) {
		.coef = target->coef->path,
		.now_joules = joules->now, .joules = joules->then, .least_joules = joules->least,
		.most_joules = joules->most,
		.watts = joules->then / ((double)target->result->window_ns / NSEC_PER_SEC),
		.now_per_workload = each->now, .per_workload = each->then, .least_per_workload = each->least,
		.most_per_workload = each->most,
		.mj_now = MJ_PER_J * each->now, .mj = MJ_PER_J * each->then, .mj_least = MJ_PER_J * each->least,
		.mj_most = MJ_PER_J * each->most,
	};
	name_row(mix, whose, row);
}

/* guests are in the order in which they were first seen, rows by vGPU like those of other tables */
static unsigned int whose_row(const struct mix *mix, unsigned int row)
{
	if (row >= mix->guests->len)
		return row;
	for (unsigned int whose = 0; whose < mix->guests->len; whose++) {
		unsigned int before = 0;

		for (unsigned int nr = 0; nr < mix->guests->len; nr++)
			before += g_array_index(mix->guests, struct whatif_guest, nr).id <
				  g_array_index(mix->guests, struct whatif_guest, whose).id;
		if (before == row)
			return whose;
	}
	g_assert_not_reached();
}

static void each_row(const struct mix *mix, const struct energy_target *target,
		     void (*call)(void *to, const void *row), void *to)
{
	struct all_cases all = measure_cases(mix, target);

	for (unsigned int nr = 0; nr <= ENERGY_TOTAL(mix); nr++) {
		unsigned int whose = whose_row(mix, nr);
		struct row row;

		fill_row(mix, target, &all, whose, &row);
		/* a host without work of its own */
		if (whose != ENERGY_HOST(mix) || row.joules != 0 || row.now_joules != 0)
			call(to, &row);
	}
	clear_cases(&all);
}

static void add_line(void *table, const void *row)
{
	table_line(table, row);
}

void forecast_energy_print(const struct mix *mix, const GArray *targets)
{
	for (guint nr = 0; nr < targets->len; nr++) {
		const struct energy_target *target = &g_array_index(targets, struct energy_target, nr);
		struct table *table = table_new(columns);
		char *title = g_strdup_printf("Energy predicted from %s%s: of a window, and of each finished workload", target->coef->path,
					      target->coef->speed == 1 ? "" : ", a GPU of another speed");

		each_row(mix, target, add_line, table);
		table_print(table, title, stdout);
		g_free(title);
	}
}

json_t *forecast_energy_json(const struct mix *mix, const GArray *targets)
{
	struct json_lines lines = { columns, json_array() };

	for (guint nr = 0; nr < targets->len; nr++)
		each_row(mix, &g_array_index(targets, struct energy_target, nr), json_lines_add, &lines);
	return lines.lines;
}
