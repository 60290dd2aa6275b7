// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "energy/share.h"
#include "trace/util.h"
#include "whatif/measure.h"
#include "goal-energy.h"

static double total_nj(const struct energy_use *use, unsigned int window)
{
	/* the total is the last */
	return use->nj[energy_use_cell(use, window, use->whose - 1)];
}

static double sum_nj(const struct energy_use *use)
{
	double nj = 0;

	for (unsigned int nr = 0; nr < use->windows; nr++)
		nj += total_nj(use, nr);
	return nj;
}

/* workloads that finished in a window, each as many as it costs now */
static double work_done(const struct energy_now *now, const struct energy_use *use, unsigned int window)
{
	double nj = 0;

	for (unsigned int nr = 0; nr < now->streams; nr++)
		nj += use->stream_done[window * use->streams + nr] * now->price_nj[nr];
	return nj / now->nj_per_workload;
}

static double all_work(const struct energy_now *now, const struct energy_use *use)
{
	double done = 0;

	for (unsigned int nr = 0; nr < use->windows; nr++)
		done += work_done(now, use, nr);
	return done;
}

/*
 * The bounds of windows are arbitrary: of each stream, one workload more or less may be finished than the energy is of.
 * Relative, as a standard deviation.
 */
static double blur_of(const struct energy_now *now, const struct energy_use *use)
{
	double squares = 0;

	for (unsigned int nr = 0; nr < now->streams; nr++)
		squares += pow(now->price_nj[nr], 2);
	return sqrt(squares) / (now->nj_per_workload * all_work(now, use) / use->windows);
}

/* by how much the ends of the range of windows are off the mean, relative to it */
static void reach(const struct energy_now *now, const struct energy_use *use, double mean, double *below, double *above)
{
	double *values = g_new(double, use->windows), least, most;

	*below = *above = INFINITY;
	for (unsigned int nr = 0; nr < use->windows; nr++) {
		values[nr] = total_nj(use, nr) / NJ_PER_J / work_done(now, use, nr);
		if (!isfinite(values[nr]))
			mean = NAN;
	}
	if (isfinite(mean)) {
		measure_reach(values, use->windows, &least, &most);
		*below = fmax(1 - least / mean, 0);
		*above = fmax(most / mean - 1, 0);
	}
	g_free(values);
}

static void set_prices(struct energy_now *now, const struct energy_use *use)
{
	double work_nj = 0, count = 0;

	for (unsigned int nr = 0; nr < now->streams; nr++) {
		double done = 0;

		for (unsigned int window = 0; window < use->windows; window++)
			done += use->stream_done[window * use->streams + nr];
		now->price_nj[nr] = done > 0 ? use->stream_nj[nr] / done : 0;
		work_nj += done > 0 ? use->stream_nj[nr] : 0;
		count += done;
	}
	now->nj_per_workload = work_nj / count;
}

struct energy_now *energy_now_new(const struct energy_use *use)
{
	struct energy_now *now = g_new0(struct energy_now, 1);
	double below, above;

	now->streams = use->streams;
	now->terms = use->terms;
	now->price_nj = g_new0(double, now->streams);
	set_prices(now, use);
	now->joules = sum_nj(use) / NJ_PER_J / all_work(now, use);
	reach(now, use, now->joules, &below, &above);
	now->spread = hypot(fmax(below, above), blur_of(now, use));
	now->off = g_new(double, now->terms);
	for (unsigned int nr = 0; nr < now->terms; nr++)
		now->off[nr] = use->off_nj[nr] / sum_nj(use);
	return now;
}

void energy_now_free(struct energy_now *now)
{
	g_free(now->price_nj);
	g_free(now->off);
	g_free(now);
}

/*
 * How far off is the quotient of both energies if each coefficient is off by its bound? Relative, to first order: what
 * a coefficient adds to both in the same proportion cancels out.
 */
static double off_of(const struct energy_now *now, const struct energy_use *use)
{
	double nj = sum_nj(use), off = 0;

	for (unsigned int nr = 0; nr < now->terms; nr++)
		off += fabs(use->off_nj[nr] / nj - now->off[nr]);
	return off;
}

struct energy_each energy_each(const struct energy_now *now, const struct energy_use *use, int64_t window_ns)
{
	double joules = sum_nj(use) / NJ_PER_J / all_work(now, use), off = off_of(now, use), below, above, spread;

	reach(now, use, joules, &below, &above);
	/* the load of windows varies independently of that of those now */
	spread = hypot(now->spread, blur_of(now, use));
	below = hypot(below, spread) + off;
	above = hypot(above, spread) + off;
	return (struct energy_each) {
		.joules = isfinite(joules) ? joules : NAN,
		.watts = sum_nj(use) / NJ_PER_J / (use->windows * ((double)window_ns / NSEC_PER_SEC)),
		.least = isfinite(below) ? joules * fmax(1 - below, 0) : 0,
		.most = isfinite(above) ? joules * (1 + above) : INFINITY,
	};
}
