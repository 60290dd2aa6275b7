// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Powers that neither outliers nor drift bend.
 */
#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "trace/util.h"
#include "fit-private.h"

/*
 * In standard deviations, for 95 % of the efficiency of least squares if there are no outliers: where
 * Huber's weights begin to fall, and where those of Tukey's biweight have fallen to nothing
 */
#define HUBER		1.345
#define BIWEIGHT	4.685
/* so that a power is defined even if there are only outliers of it */
#define LEAST_TRUST	1e-3
/* the standard deviation of a normal distribution, in medians of absolute deviations */
#define MAD_TO_SIGMA	1.4826
#define ROUNDS		100
#define SETTLED		1e-3
/* what lasts so long before and after is drift; at least as many intervals */
#define DRIFT_NS	(NSEC_PER_SEC / 10)
#define DRIFT_LEAST	5
#define DRIFT_ROUNDS	3
/* No frequency changes powers by more: a counter that stood for a while has no power 0, it is an outlier. */
#define DRIFT_MOST	10

/* --- outliers ---------------------------------------------------------------------------------- */

static double modelled(const struct fitting *f, const struct stint *stint)
{
	double nj = 0;

	for (guint nr = 0; nr < stint->count; nr++) {
		const struct portion *portion = portions_at(f->portions, stint, nr);
		double more = f->fit->watts[portion->quantity] * portion->ns;

		nj += portion_is_pair(f->portions, portion->quantity) ? -more : more;
	}
	return nj;
}

/* of each interval that can be used, as weighted in the fit; returns the array, the caller frees */
static double *deviations(const struct fitting *f)
{
	double *all = g_new(double, f->fit->used);
	guint count = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = portions_stint(f->portions, nr);

		if (!portions_certain(f->portions, stint))
			continue;
		all[count] = fabs(stint->nj - f->drift[count] * modelled(f, stint)) / sqrt(stint->length_ns);
		count++;
	}
	return all;
}

static double median_of(const double *values, unsigned int count)
{
	double *sorted = g_memdup2(values, count * sizeof(*values)), median;

	gsl_sort(sorted, 1, count);
	median = gsl_stats_median_from_sorted_data(sorted, 1, count);
	g_free(sorted);
	return median;
}

static double huber(double sigmas)
{
	return sigmas > HUBER ? HUBER / sigmas : 1;
}

static double biweight(double sigmas)
{
	double near = 1 - pow(sigmas / BIWEIGHT, 2);

	return near > 0 ? fmax(near * near, LEAST_TRUST) : LEAST_TRUST;
}

/* returns the largest change of a weight */
static double weigh(struct fitting *f, double (*weight)(double sigmas))
{
	double *all = deviations(f), change = 0;
	double sigma = MAD_TO_SIGMA * median_of(all, f->fit->used);

	for (unsigned int nr = 0; nr < f->fit->used; nr++) {
		double trust = sigma > 0 ? weight(all[nr] / sigma) : 1;

		change = fmax(change, fabs(trust - f->trust[nr]));
		f->trust[nr] = trust;
	}
	g_free(all);
	return change;
}

static void fit_again(struct fitting *f)
{
	g_free(f->fit->watts);
	fit_forget_sums(f);
	fit_sum_up(f);
	f->fit->watts = fit_watts_of(f, NULL);
}

static void settle(struct fitting *f, double (*weight)(double sigmas))
{
	for (unsigned int round = 0; round < ROUNDS && weigh(f, weight) > SETTLED; round++)
		fit_again(f);
}

/* --- drift ---------------------------------------------------------------------------------------- */

/* energy that was counted, and that the powers make, up to each interval */
static void sum_until(const struct fitting *f, double *counted, double *made)
{
	guint count = 0;

	counted[0] = made[0] = 0;
	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = portions_stint(f->portions, nr);

		if (!portions_certain(f->portions, stint))
			continue;
		counted[count + 1] = counted[count] + f->trust[count] * stint->nj;
		made[count + 1] = made[count] + f->trust[count] * modelled(f, stint);
		count++;
	}
}

/* half of the intervals that a drift is the mean of */
static unsigned int drift_reach(const struct fitting *f)
{
	int64_t all_ns = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++)
		all_ns += portions_stint(f->portions, nr)->length_ns;
	return MAX(DRIFT_NS * f->portions->stints->len / all_ns, DRIFT_LEAST);
}

/*
 * Frequency and temperature change all powers for longer than work takes: how much, is the mean of
 * what was counted in the neighbourhood over what the powers make of it.
 */
static void follow_drift(struct fitting *f)
{
	unsigned int used = f->fit->used, around = drift_reach(f);
	double *counted = g_new(double, used + 1), *made = g_new(double, used + 1);

	sum_until(f, counted, made);
	for (unsigned int nr = 0; nr < used; nr++) {
		unsigned int from = nr > around ? nr - around : 0, to = MIN(nr + around + 1, used);
		double counted_here = counted[to] - counted[from], made_here = made[to] - made[from];

		f->drift[nr] = made_here > 0 && counted[used] > 0 ?
			       CLAMP(counted_here / made_here * made[used] / counted[used], 1.0 / DRIFT_MOST, DRIFT_MOST) : 1;
	}
	g_free(counted);
	g_free(made);
}

/*
 * Intervals in which the GPU had another frequency must not bend the powers of all others: first
 * those for which Huber's estimator has one solution, then from there without the outliers, as an
 * M-estimator by weighting again and again (Maronna, Martin and Yohai, Robust Statistics, 2006,
 * chapter 4).
 */
void fit_robustly(struct fitting *f)
{
	f->fit->watts = fit_watts_of(f, NULL);
	settle(f, huber);
	settle(f, biweight);
	for (int round = 0; round < DRIFT_ROUNDS; round++) {
		follow_drift(f);
		fit_again(f);
		settle(f, biweight);
	}
}

/* of all intervals, outliers too */
double fit_residual(const struct fitting *f)
{
	double squares = 0, all = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = portions_stint(f->portions, nr);

		if (!portions_certain(f->portions, stint))
			continue;
		squares += pow(stint->nj - modelled(f, stint), 2) / stint->length_ns;
		all += stint->nj * stint->nj / stint->length_ns;
	}
	return all > 0 ? sqrt(squares / all) : NAN;
}
