// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which columns a fit has: one for each power that the counter distinguishes.
 */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_eigen.h>

#include "fit-private.h"

/*
 * A column that the others explain up to 1 / VIF_MAX of its square is indistinguishable from them
 * (variance inflation factor: Belsley, Kuh and Welsch, Regression Diagnostics, 1980): its power
 * would be a hundred times less certain than alone.
 */
#define VIF_MAX		1e4
/* pairs that are together for less of the time share one saving, and so do those beyond so many */
#define PAIR_PART	0.005
#define MOST_PAIRS	64
#define NO_COLUMN	-1

/* --- which columns there are ------------------------------------------------------------------- */

static bool is_fitted(const struct portions *portions, unsigned int quantity)
{
	return quantity == PORTION_IDLE || quantity == PORTION_AWAKE || portion_is_pair(portions, quantity) ||
	       (quantity >= portion_busy(portions, 0) && quantity < portion_fair(portions, 0));
}

/* total time by quantity in intervals that can be used; returns their total length */
static double add_times(struct fitting *f, double *times)
{
	const struct portions *portions = f->portions;
	double all = 0;

	for (guint nr = 0; nr < portions->stints->len; nr++) {
		const struct stint *stint = portions_stint(portions, nr);

		if (!portions_certain(portions, stint))
			continue;
		f->fit->used++;
		all += stint->length_ns;
		for (guint i = 0; i < stint->count; i++)
			times[portions_at(portions, stint, i)->quantity] += portions_at(portions, stint, i)->ns;
	}
	return all;
}

static gint descending(gconstpointer a, gconstpointer b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one < other) - (one > other);
}

/* pairs that are together for more than this have a column each */
static double rare_time(const struct fitting *f, const double *times, double all)
{
	unsigned int first = portion_fair(f->portions, f->portions->consumers), count = f->fit->quantities - first;
	double *sorted, rare = PAIR_PART * all;

	if (count <= MOST_PAIRS)
		return rare;
	sorted = g_memdup2(&times[first], count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), descending);
	rare = fmax(rare, sorted[MOST_PAIRS]);
	g_free(sorted);
	return rare;
}

/* Executed for less than the mean interval between two samples, in all: a power would be fitted to noise. */
static bool is_scarce(const struct fitting *f, unsigned int quantity, const double *times, double all)
{
	return quantity >= portion_busy(f->portions, 0) && !portion_is_pair(f->portions, quantity) &&
	       times[quantity] * f->fit->used < all;
}

/* one for each quantity that occurs; rare pairs have one together, the last */
void fit_choose_columns(struct fitting *f)
{
	double *times = g_new0(double, f->fit->quantities), all = add_times(f, times);
	double most_rare = rare_time(f, times, all);
	bool rare = false;

	for (unsigned int quantity = 0; quantity < f->fit->quantities; quantity++) {
		bool is_rare = portion_is_pair(f->portions, quantity) && times[quantity] <= most_rare;

		f->fit->columns[quantity] = NO_COLUMN;
		if (!is_fitted(f->portions, quantity) || times[quantity] <= 0 || is_scarce(f, quantity, times, all))
			continue;
		if (is_rare)
			rare = true;
		else
			f->fit->columns[quantity] = f->columns++;
	}
	for (unsigned int quantity = 0; rare && quantity < f->fit->quantities; quantity++)
		if (portion_is_pair(f->portions, quantity) && times[quantity] > 0 && times[quantity] <= most_rare)
			f->fit->columns[quantity] = f->columns;
	f->columns += rare;
	g_free(times);
}

/* --- indistinguishable columns ------------------------------------------------------------------ */

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
			return portion_is_pair(f->portions, quantity);
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

/* until all are distinguishable */
void fit_merge_columns(struct fitting *f)
{
	bool again = true;

	fit_sum_up(f);
	while (again) {
		gsl_vector *vector = gsl_vector_alloc(f->columns);

		again = are_dependent(f, vector) && merge(f, vector);
		gsl_vector_free(vector);
		if (again) {
			fit_forget_sums(f);
			fit_sum_up(f);
		}
	}
}
