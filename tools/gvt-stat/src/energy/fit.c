// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "trace/util.h"
#include "fit.h"
#include "nnls.h"

/*
 * A column that the others explain up to 1 / VIF_MAX of its square is indistinguishable from them
 * (variance inflation factor: Belsley, Kuh and Welsch, Regression Diagnostics, 1980): its power
 * would be a hundred times less certain than alone.
 */
#define VIF_MAX		1e4
/* pairs that are together for less of the time share one saving */
#define PAIR_PART	0.005
#define NO_COLUMN	-1
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

/* sums of squares of a group of intervals */
struct sums {
	gsl_matrix *gram;
	gsl_vector *right;
};

struct fitting {
	struct fit *fit;
	const struct portions *portions;
	unsigned int columns;
	double *trust;			/* by interval that can be used: 1, less for outliers */
	double *drift;			/* by the same: how much more than elsewhere all powers are */
	struct sums groups[FIT_GROUPS], total;
	gsl_matrix *scaled;		/* the total's gram with columns of length 1 */
};

/* --- which columns there are ------------------------------------------------------------------- */

static bool is_pair(const struct portions *portions, unsigned int quantity)
{
	return quantity >= portion_fair(portions, portions->consumers);
}

static bool is_fitted(const struct portions *portions, unsigned int quantity)
{
	return quantity == PORTION_IDLE || is_pair(portions, quantity) ||
	       (quantity >= portion_busy(portions, 0) && quantity < portion_fair(portions, 0));
}

static const struct stint *stint_at(const struct portions *portions, guint nr)
{
	return &g_array_index(portions->stints, struct stint, nr);
}

static const struct portion *portion_at(const struct portions *portions, const struct stint *stint, guint nr)
{
	return &g_array_index(portions->all, struct portion, stint->first + nr);
}

static bool is_certain(const struct portions *portions, const struct stint *stint)
{
	for (guint nr = 0; nr < stint->count; nr++)
		if (portion_at(portions, stint, nr)->quantity == PORTION_LOST)
			return false;
	return true;
}

/* total time by quantity in intervals that can be used; returns their total length */
static double add_times(struct fitting *f, double *times)
{
	const struct portions *portions = f->portions;
	double all = 0;

	for (guint nr = 0; nr < portions->stints->len; nr++) {
		const struct stint *stint = stint_at(portions, nr);

		if (!is_certain(portions, stint))
			continue;
		f->fit->used++;
		all += stint->length_ns;
		for (guint i = 0; i < stint->count; i++)
			times[portion_at(portions, stint, i)->quantity] += portion_at(portions, stint, i)->ns;
	}
	return all;
}

/* one for each quantity that occurs; rare pairs have one together, the last */
static void choose_columns(struct fitting *f)
{
	double *times = g_new0(double, f->fit->quantities);
	double all = add_times(f, times);
	bool rare = false;

	for (unsigned int quantity = 0; quantity < f->fit->quantities; quantity++) {
		bool pair = is_pair(f->portions, quantity);

		f->fit->columns[quantity] = NO_COLUMN;
		if (!is_fitted(f->portions, quantity) || times[quantity] <= 0)
			continue;
		if (pair && times[quantity] < PAIR_PART * all)
			rare = true;
		else
			f->fit->columns[quantity] = f->columns++;
	}
	for (unsigned int quantity = 0; rare && quantity < f->fit->quantities; quantity++)
		if (is_pair(f->portions, quantity) && times[quantity] > 0 && times[quantity] < PAIR_PART * all)
			f->fit->columns[quantity] = f->columns;
	f->columns += rare;
	g_free(times);
}

/* --- sums of squares --------------------------------------------------------------------------- */

static struct sums new_sums(unsigned int columns)
{
	return (struct sums) { gsl_matrix_calloc(columns, columns), gsl_vector_calloc(columns) };
}

static void free_sums(struct sums *sums)
{
	gsl_matrix_free(sums->gram);
	gsl_vector_free(sums->right);
}

/* @drift: as of struct fitting */
static void add_stint(const struct fitting *f, struct sums *sums, const struct stint *stint,
		      double trust, double drift, double *row)
{
	double weight = trust / stint->length_ns;

	for (unsigned int i = 0; i < f->columns; i++)
		row[i] = 0;
	for (guint nr = 0; nr < stint->count; nr++) {
		const struct portion *portion = portion_at(f->portions, stint, nr);
		int column = f->fit->columns[portion->quantity];

		if (column >= 0)
			row[column] += drift * (is_pair(f->portions, portion->quantity) ? -portion->ns : portion->ns);
	}
	for (unsigned int i = 0; i < f->columns; i++) {
		*gsl_vector_ptr(sums->right, i) += weight * row[i] * stint->nj;
		for (unsigned int j = 0; row[i] && j < f->columns; j++)
			*gsl_matrix_ptr(sums->gram, i, j) += weight * row[i] * row[j];
	}
}

/* Neighbours are in one group: what deviates for a while does so in both. */
static void add_stints(struct fitting *f)
{
	double *row = g_new(double, f->columns);
	guint count = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = stint_at(f->portions, nr);

		if (!is_certain(f->portions, stint))
			continue;
		add_stint(f, &f->groups[count * (guint64)f->fit->groups / f->fit->used], stint, 
			  f->trust[count], f->drift[count], row);
		count++;
	}
	g_free(row);
}

static void add_sums(struct sums *to, const struct sums *sums)
{
	gsl_matrix_add(to->gram, sums->gram);
	gsl_vector_add(to->right, sums->right);
}

/* --- indistinguishable columns ------------------------------------------------------------------ */

static double length_of(const struct fitting *f, unsigned int column)
{
	return sqrt(gsl_matrix_get(f->total.gram, column, column));
}

static void scale(struct fitting *f)
{
	if (f->scaled)
		gsl_matrix_free(f->scaled);
	f->scaled = gsl_matrix_alloc(f->columns, f->columns);
	for (unsigned int i = 0; i < f->columns; i++)
		for (unsigned int j = 0; j < f->columns; j++)
			gsl_matrix_set(f->scaled, i, j, gsl_matrix_get(f->total.gram, i, j) /
				       (length_of(f, i) * length_of(f, j)));
}

/* smallest and largest eigenvalue of the scaled matrix, and the eigenvector of the smallest */
static void extremes(const struct fitting *f, double *least, double *most, gsl_vector *of_least)
{
	gsl_eigen_symmv_workspace *space = gsl_eigen_symmv_alloc(f->columns);
	gsl_matrix *copy = gsl_matrix_alloc(f->columns, f->columns);
	gsl_matrix *vectors = gsl_matrix_alloc(f->columns, f->columns);
	gsl_vector *values = gsl_vector_alloc(f->columns);

	gsl_matrix_memcpy(copy, f->scaled);
	gsl_eigen_symmv(copy, values, vectors, space);
	*least = gsl_vector_min(values);
	*most = gsl_vector_max(values);
	gsl_matrix_get_col(of_least, vectors, gsl_vector_min_index(values));
	gsl_vector_free(values);
	gsl_matrix_free(vectors);
	gsl_matrix_free(copy);
	gsl_eigen_symmv_free(space);
}

/*
 * The smallest eigenvalue is at least 1 / the largest factor by which a variance is inflated, and
 * its vector has large members where columns are nearly dependent.
 */
static bool are_dependent(const struct fitting *f, gsl_vector *vector)
{
	double least, most;

	extremes(f, &least, &most, vector);
	f->fit->condition = least > 0 ? sqrt(most / least) : INFINITY;
	return least < 1 / VIF_MAX;
}

static bool is_pair_column(const struct fitting *f, unsigned int column)
{
	for (unsigned int quantity = 0; quantity < f->fit->quantities; quantity++)
		if (f->fit->columns[quantity] == (int)column)
			return is_pair(f->portions, quantity);
	return false;
}

/* the largest member of the vector, of savings or of powers; returns false if all are rounding */
static bool largest(const struct fitting *f, const gsl_vector *vector, bool pairs, unsigned int *column)
{
	double most = 1e-3;
	bool found = false;

	for (unsigned int nr = 0; nr < f->columns; nr++) {
		if (is_pair_column(f, nr) != pairs || fabs(gsl_vector_get(vector, nr)) <= most)
			continue;
		most = fabs(gsl_vector_get(vector, nr));
		*column = nr;
		found = true;
	}
	return found;
}

/* of the other powers, the one whose times are most like this one's */
static unsigned int most_like(const struct fitting *f, unsigned int column)
{
	unsigned int best = column;
	double most = -1;

	for (unsigned int nr = 0; nr < f->columns; nr++) {
		double like = gsl_matrix_get(f->scaled, nr, column);

		if (nr == column || is_pair_column(f, nr) || like <= most)
			continue;
		most = like;
		best = nr;
	}
	return best;
}

/* Let quantities of column @from be of @to (negative: of none), and close the gap. */
static void replace(struct fitting *f, unsigned int from, int to)
{
	for (unsigned int quantity = 0; quantity < f->fit->quantities; quantity++) {
		int *column = &f->fit->columns[quantity];

		if (*column == (int)from)
			*column = to;
		if (*column > (int)from)
			(*column)--;
	}
	f->columns--;
}

/* returns false if there is nothing that could be merged */
static bool merge(struct fitting *f, const gsl_vector *vector)
{
	unsigned int column, other;

	/* a saving is less than what is saved from */
	if (largest(f, vector, true, &column)) {
		replace(f, column, NO_COLUMN);
		return true;
	}
	if (!largest(f, vector, false, &column))
		return false;
	other = most_like(f, column);
	if (other == column)
		return false;
	replace(f, MAX(column, other), MIN(column, other));
	return true;
}

static void sum_up(struct fitting *f)
{
	for (unsigned int nr = 0; nr < f->fit->groups; nr++)
		f->groups[nr] = new_sums(f->columns);
	f->total = new_sums(f->columns);
	add_stints(f);
	for (unsigned int nr = 0; nr < f->fit->groups; nr++)
		add_sums(&f->total, &f->groups[nr]);
	scale(f);
}

static void forget_sums(struct fitting *f)
{
	for (unsigned int nr = 0; nr < f->fit->groups; nr++)
		free_sums(&f->groups[nr]);
	free_sums(&f->total);
}

/* until all are distinguishable */
static void merge_columns(struct fitting *f)
{
	bool again = true;

	sum_up(f);
	while (again) {
		gsl_vector *vector = gsl_vector_alloc(f->columns);

		again = are_dependent(f, vector) && merge(f, vector);
		gsl_vector_free(vector);
		if (again) {
			forget_sums(f);
			sum_up(f);
		}
	}
}

/* --- the powers -------------------------------------------------------------------------------- */

/* of all intervals but those of @without, which may be NULL; @x has columns of length 1 */
static void solve(const struct fitting *f, const struct sums *without, gsl_vector *x)
{
	gsl_matrix *gram = gsl_matrix_alloc(f->columns, f->columns);
	gsl_vector *right = gsl_vector_alloc(f->columns);

	gsl_matrix_memcpy(gram, f->total.gram);
	gsl_vector_memcpy(right, f->total.right);
	if (without) {
		gsl_matrix_sub(gram, without->gram);
		gsl_vector_sub(right, without->right);
	}
	for (unsigned int i = 0; i < f->columns; i++) {
		*gsl_vector_ptr(right, i) /= length_of(f, i);
		for (unsigned int j = 0; j < f->columns; j++)
			*gsl_matrix_ptr(gram, i, j) /= length_of(f, i) * length_of(f, j);
		/* columns may be missing in what is left: their power is then 0, not undefined */
		*gsl_matrix_ptr(gram, i, i) += 1e-12;
	}
	nnls(gram, right, x);
	gsl_vector_free(right);
	gsl_matrix_free(gram);
}

static double *watts_of(const struct fitting *f, const struct sums *without)
{
	double *watts = g_new0(double, f->fit->quantities);
	gsl_vector *x = gsl_vector_alloc(f->columns);

	solve(f, without, x);
	for (unsigned int quantity = 0; quantity < f->fit->quantities; quantity++) {
		int column = f->fit->columns[quantity];

		if (column >= 0)
			watts[quantity] = gsl_vector_get(x, column) / length_of(f, column);
	}
	gsl_vector_free(x);
	return watts;
}

/* --- outliers ---------------------------------------------------------------------------------- */

static double modelled(const struct fitting *f, const struct stint *stint)
{
	double nj = 0;

	for (guint nr = 0; nr < stint->count; nr++) {
		const struct portion *portion = portion_at(f->portions, stint, nr);
		double more = f->fit->watts[portion->quantity] * portion->ns;

		nj += is_pair(f->portions, portion->quantity) ? -more : more;
	}
	return nj;
}

/* of each interval that can be used, as weighted in the fit; returns the array, the caller frees */
static double *deviations(const struct fitting *f)
{
	double *all = g_new(double, f->fit->used);
	guint count = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = stint_at(f->portions, nr);

		if (!is_certain(f->portions, stint))
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
	forget_sums(f);
	sum_up(f);
	f->fit->watts = watts_of(f, NULL);
}

static void settle(struct fitting *f, double (*weight)(double sigmas))
{
	for (unsigned int round = 0; round < ROUNDS && weigh(f, weight) > SETTLED; round++)
		fit_again(f);
}

/* --- drift ---------------------------------------------------------------------------------------- */

/* energy that the counter told, and that the powers make, up to each interval */
static void sum_until(const struct fitting *f, double *told, double *made)
{
	guint count = 0;

	told[0] = made[0] = 0;
	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = stint_at(f->portions, nr);

		if (!is_certain(f->portions, stint))
			continue;
		told[count + 1] = told[count] + f->trust[count] * stint->nj;
		made[count + 1] = made[count] + f->trust[count] * modelled(f, stint);
		count++;
	}
}

/* half of the intervals that a drift is the mean of */
static unsigned int drift_reach(const struct fitting *f)
{
	int64_t all_ns = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++)
		all_ns += stint_at(f->portions, nr)->length_ns;
	return MAX(DRIFT_NS * f->portions->stints->len / all_ns, DRIFT_LEAST);
}

/*
 * Frequency and temperature change all powers for longer than work takes: how much, is the mean of
 * what was counted in the neighbourhood over what the powers make of it.
 */
static void follow_drift(struct fitting *f)
{
	unsigned int used = f->fit->used, around = drift_reach(f);
	double *told = g_new(double, used + 1), *made = g_new(double, used + 1);

	sum_until(f, told, made);
	for (unsigned int nr = 0; nr < used; nr++) {
		unsigned int from = nr > around ? nr - around : 0, to = MIN(nr + around + 1, used);
		double told_here = told[to] - told[from], made_here = made[to] - made[from];

		f->drift[nr] = made_here > 0 && told[used] > 0 ?
			       told_here / made_here * made[used] / told[used] : 1;
	}
	g_free(told);
	g_free(made);
}

/*
 * Intervals in which the GPU had another frequency must not bend the powers of all others: first
 * those for which Huber's estimator has one solution, then from there without the outliers, as an
 * M-estimator by weighting again and again (Maronna, Martin and Yohai, Robust Statistics, 2006,
 * chapter 4).
 */
static void fit_robustly(struct fitting *f)
{
	f->fit->watts = watts_of(f, NULL);
	settle(f, huber);
	settle(f, biweight);
	for (int round = 0; round < DRIFT_ROUNDS; round++) {
		follow_drift(f);
		fit_again(f);
		settle(f, biweight);
	}
}

/* of all intervals, outliers too */
static double residual_of(const struct fitting *f)
{
	double squares = 0, all = 0;

	for (guint nr = 0; nr < f->portions->stints->len; nr++) {
		const struct stint *stint = stint_at(f->portions, nr);

		if (!is_certain(f->portions, stint))
			continue;
		squares += pow(stint->nj - modelled(f, stint), 2) / stint->length_ns;
		all += stint->nj * stint->nj / stint->length_ns;
	}
	return all > 0 ? sqrt(squares / all) : NAN;
}

struct fit *fit_new(const struct portions *portions)
{
	struct fit *fit = g_new0(struct fit, 1);
	struct fitting f = { .fit = fit, .portions = portions };

	fit->quantities = portions->quantities;
	fit->columns = g_new(int, fit->quantities);
	fit->condition = NAN;
	fit->residual = NAN;
	choose_columns(&f);
	/* without a group, more intervals than powers have to be left */
	if (!f.columns || fit->used < 2 * f.columns + 2) {
		fit->watts = g_new0(double, fit->quantities);
		return fit;
	}
	fit->groups = MIN(FIT_GROUPS, fit->used);
	f.trust = g_new(double, fit->used);
	f.drift = g_new(double, fit->used);
	for (unsigned int nr = 0; nr < fit->used; nr++)
		f.trust[nr] = f.drift[nr] = 1;
	merge_columns(&f);
	fit->powers = f.columns;
	fit_robustly(&f);
	fit->residual = residual_of(&f);
	for (unsigned int nr = 0; nr < fit->groups; nr++)
		fit->without[nr] = watts_of(&f, &f.groups[nr]);
	forget_sums(&f);
	gsl_matrix_free(f.scaled);
	g_free(f.trust);
	g_free(f.drift);
	return fit;
}

void fit_free(struct fit *fit)
{
	for (unsigned int nr = 0; nr < fit->groups; nr++)
		g_free(fit->without[nr]);
	g_free(fit->watts);
	g_free(fit->columns);
	g_free(fit);
}

bool fit_same(const struct fit *fit, unsigned int a, unsigned int b)
{
	return fit->columns[a] >= 0 && fit->columns[a] == fit->columns[b];
}
