// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "energy/share.h"
#include "joules/meter.h"
#include "output/table.h"
#include "trace/util.h"
#include "whatif/measure.h"
#include "forecast-energy.h"

#define MJ_PER_J	1e3

/* whose energy: guests by number, then */
#define ENERGY_HOST(mix)	((mix)->guests->len)
#define ENERGY_IDLE(mix)	((mix)->guests->len + 1)
#define ENERGY_TOTAL(mix)	((mix)->guests->len + 2)

/* an amount that is predicted for one more window; unknown numbers are NAN */
struct energy_range {
	double now;			/* as recorded, from the same coefficients */
	double then;			/* simulated, the mean of windows */
	double least, most;		/* of any window in any case, if all coefficients are off */
};

struct energy_forecast {
	struct energy_range joules;	/* of a window as long as the trace */
	struct energy_range per_workload;	/* joules of each finished workload */
};

static void *begin(struct model *model)
{
	return meter_new(model);
}

static void end(void *seen)
{
	meter_free(seen);
}

const struct whatif_observer forecast_energy_observer = { begin, end };

/* --- energy and work in windows ----------------------------------------------------------------- */

/* of a recording, or of one case of a simulation */
struct windows {
	unsigned int count;
	unsigned int whose;		/* number of those whose energy it is */
	double *nj, *bound_nj;		/* by window, then by whose */
	double *done;			/* finished workloads, by the same */
};

static struct windows new_windows(const struct mix *mix, unsigned int count)
{
	unsigned int whose = ENERGY_TOTAL(mix) + 1;

	return (struct windows) {
		count, whose, g_new0(double, count * whose), g_new0(double, count * whose),
		g_new0(double, count * whose),
	};
}

static void clear_windows(struct windows *windows)
{
	g_free(windows->nj);
	g_free(windows->bound_nj);
	g_free(windows->done);
}

static unsigned int cell(const struct windows *windows, unsigned int window, unsigned int whose)
{
	return window * windows->whose + whose;
}

/* @recorded: the vGPU is that of the trace; else it has the guest's id only; returns the guests' number: none */
static unsigned int guest_of(const struct mix *mix, const struct vgpu *vgpu, bool recorded)
{
	unsigned int nr;

	for (nr = 0; nr < mix->guests->len; nr++) {
		const struct whatif_guest *guest = &g_array_index(mix->guests, struct whatif_guest, nr);

		if (recorded ? guest->vgpu == vgpu : guest->id == vgpu->id)
			break;
	}
	return nr;
}

/* who a consumer is, and its power */
struct owner {
	unsigned int whose;
	int power;
};

static struct owner *owners_of(const struct mix *mix, const struct coef *coef, const struct timeline *meter,
			       bool recorded)
{
	struct owner *owners = g_new(struct owner, meter->consumers->len);

	for (guint nr = 0; nr < meter->consumers->len; nr++) {
		const struct consumer *consumer = &g_array_index(meter->consumers, struct consumer, nr);
		unsigned int guest = consumer->vgpu ? guest_of(mix, consumer->vgpu, recorded) : ENERGY_HOST(mix);
		const struct vgpu *vgpu = guest < mix->guests->len ?
			g_array_index(mix->guests, struct whatif_guest, guest).vgpu : NULL;

		owners[nr] = (struct owner) { guest, coef_find(coef, vgpu, consumer->engine->name) };
	}
	return owners;
}

static void add_energy(struct windows *windows, unsigned int window, unsigned int whose, double nj, double bound_nj)
{
	windows->nj[cell(windows, window, whose)] += nj;
	windows->bound_nj[cell(windows, window, whose)] += bound_nj;
}

static void fill_energy(const struct mix *mix, const struct coef *coef, const struct portions *portions,
			const struct owner *owners, struct windows *windows)
{
	int *powers = g_new(int, portions->consumers);

	for (unsigned int who = 0; who < portions->consumers; who++)
		powers[who] = owners[who].power;
	for (guint nr = 0; nr < windows->count; nr++) {
		struct coef_energy energy = coef_energy(coef, portions, portions_stint(portions, nr), powers);

		for (unsigned int who = 0; who < SHARES(portions); who++) {
			if (who != SHARE_UNKNOWN(portions))
				add_energy(windows, nr, who < portions->consumers ? owners[who].whose : ENERGY_IDLE(mix),
					   energy.nj[who], energy.bound_nj[who]);
			add_energy(windows, nr, ENERGY_TOTAL(mix), energy.nj[who], energy.bound_nj[who]);
		}
		coef_energy_clear(&energy);
	}
	g_free(powers);
}

static void measure(const struct mix *mix, const struct coef *coef, struct timeline *meter, struct portions *portions,
		    bool recorded, struct windows *windows)
{
	struct owner *owners = owners_of(mix, coef, meter, recorded);

	fill_energy(mix, coef, portions, owners, windows);
	portions_free(portions);
	g_free(owners);
}

static void add_done(const struct mix *mix, struct windows *windows, unsigned int window, unsigned int guest,
		     int64_t completed)
{
	windows->done[cell(windows, window, guest)] += completed;
	windows->done[cell(windows, window, ENERGY_TOTAL(mix))] += completed;
}

static struct windows recorded_windows(const struct mix *mix, const struct coef *coef)
{
	const struct mix_source *source = mix->sources->pdata[0];
	struct windows windows = new_windows(mix, 1);

	measure(mix, coef, source->seen, meter_portions(source->seen, source->follow.window.from_ns, mix->window_ns, 0, 1,
							source->dev), true, &windows);
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];
		const struct whatif_guest *guest = mix_guest(mix, stream);

		if (!guest->added)
			add_done(mix, &windows, 0, guest_of(mix, stream->vgpu, true), mix_recorded(mix, stream)->completed);
	}
	return windows;
}

static struct windows simulated_windows(const struct mix *mix, const struct coef *coef, const struct whatif_result *result)
{
	struct windows windows = new_windows(mix, result->windows);
	const GPtrArray *queues = model_vgpu_engines(result->model);

	measure(mix, coef, result->seen, meter_portions(result->seen, 0, result->window_ns, result->gap_ns, result->windows, UNKNOWN),
		false, &windows);
	for (unsigned int nr = 0; nr < queues->len; nr++) {
		const struct vgpu_engine *queue = queues->pdata[nr];
		unsigned int guest = guest_of(mix, queue->vgpu, false);

		for (unsigned int window = 0; guest < mix->guests->len && window < windows.count; window++)
			add_done(mix, &windows, window, guest, tally_of(result->tally, queue->index, window)->completed);
	}
	return windows;
}

/* --- ranges -------------------------------------------------------------------------------------- */

static double joules_of(const struct windows *windows, unsigned int window, unsigned int whose, bool each)
{
	unsigned int at = cell(windows, window, whose);

	return windows->nj[at] / NJ_PER_J / (each ? windows->done[at] > 0 ? windows->done[at] : NAN : 1);
}

/* the sum over windows, or its quotient by all work */
static double mean_of(const struct windows *windows, unsigned int whose, bool each)
{
	double nj = 0, done = 0;

	for (unsigned int nr = 0; nr < windows->count; nr++) {
		nj += windows->nj[cell(windows, nr, whose)];
		done += windows->done[cell(windows, nr, whose)];
	}
	return nj / NJ_PER_J / (each ? done > 0 ? done : NAN : windows->count);
}

/* half of the range, relative to the amount */
static double bound_part(const struct windows *windows, unsigned int whose)
{
	double nj = 0, bound = 0;

	for (unsigned int nr = 0; nr < windows->count; nr++) {
		nj += windows->nj[cell(windows, nr, whose)];
		bound += windows->bound_nj[cell(windows, nr, whose)];
	}
	return nj > 0 ? bound / nj : bound > 0 ? NAN : 0;
}

static void widen(struct energy_range *range, const struct windows *windows, unsigned int whose, bool each)
{
	double *values = g_new(double, windows->count), least, most, part = bound_part(windows, whose);
	bool all = true;

	for (unsigned int nr = 0; nr < windows->count; nr++) {
		values[nr] = joules_of(windows, nr, whose, each);
		all = all && isfinite(values[nr]);
	}
	if (all && isfinite(part)) {
		measure_reach(values, windows->count, &least, &most);
		range->least = fmin(range->least, fmax(least * (1 - part), 0));
		range->most = fmax(range->most, most * (1 + part));
	} else {
		range->least = range->most = NAN;
	}
	g_free(values);
}

/* all cases of a simulation */
struct all_cases {
	struct windows now, then;
	struct windows *others;
	guint count;
};

static struct energy_range range_of(const struct all_cases *all, unsigned int whose, bool each)
{
	struct energy_range range = {
		.now = mean_of(&all->now, whose, each), .then = mean_of(&all->then, whose, each),
		.least = INFINITY, .most = -INFINITY,
	};

	widen(&range, &all->then, whose, each);
	for (guint nr = 0; nr < all->count && !isnan(range.least); nr++)
		widen(&range, &all->others[nr], whose, each);
	return range;
}

static struct all_cases measure_cases(const struct mix *mix, const struct energy_target *target)
{
	const GPtrArray *others = target->result->others;
	struct all_cases all = {
		recorded_windows(mix, target->coef), simulated_windows(mix, target->coef, target->result),
		g_new(struct windows, others->len), others->len,
	};

	for (guint nr = 0; nr < others->len; nr++)
		all.others[nr] = simulated_windows(mix, target->coef, others->pdata[nr]);
	return all;
}

static void clear_cases(struct all_cases *all)
{
	clear_windows(&all->now);
	clear_windows(&all->then);
	for (guint nr = 0; nr < all->count; nr++)
		clear_windows(&all->others[nr]);
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

static void each_row(const struct mix *mix, const struct energy_target *target,
		     void (*call)(void *to, const void *row), void *to)
{
	struct all_cases all = measure_cases(mix, target);

	for (unsigned int whose = 0; whose <= ENERGY_TOTAL(mix); whose++) {
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
