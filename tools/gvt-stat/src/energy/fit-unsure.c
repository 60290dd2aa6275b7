// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which savings the counter does not show: those of pairs of which one is hardly ever seen without
 * the other. Their powers then have what is theirs alone, and the other's has what both need.
 */
#include <math.h>

#include <gsl/gsl_linalg.h>

#include "fit-private.h"

/* a power or saving with this variance inflation factor is ten times less certain than alone */
#define VIF_UNSURE	100

/* the factor of each column; the caller frees with gsl_vector_free() */
static gsl_vector *inflations(const struct fitting *f)
{
	gsl_matrix *inverse = gsl_matrix_alloc(f->columns, f->columns);
	gsl_vector *factors = gsl_vector_alloc(f->columns);

	gsl_matrix_memcpy(inverse, f->scaled);
	if (gsl_linalg_cholesky_decomp1(inverse) || gsl_linalg_cholesky_invert(inverse)) {
		gsl_vector_set_all(factors, INFINITY);
	} else {
		for (unsigned int nr = 0; nr < f->columns; nr++)
			gsl_vector_set(factors, nr, gsl_matrix_get(inverse, nr, nr));
	}
	gsl_matrix_free(inverse);
	return factors;
}

static double *times_of(const struct portions *portions)
{
	double *times = g_new0(double, portions->quantities);

	for (guint nr = 0; nr < portions->all->len; nr++) {
		const struct portion *portion = &g_array_index(portions->all, struct portion, nr);

		times[portion->quantity] += portion->ns;
	}
	return times;
}

/* A saving is at most the smaller power, but what a GPU draws that only is awake may be all of it. */
static double most_saved(const struct fit *fit, const struct portions *portions, unsigned int a, unsigned int b)
{
	double smaller = fmin(fit->watts[portion_busy(portions, a)], fit->watts[portion_busy(portions, b)]);

	return fmax(smaller, fit->watts[PORTION_AWAKE]);
}

void fit_find_unsure(struct fitting *f)
{
	const struct portions *portions = f->portions;
	struct fit *fit = f->fit;
	double *times = times_of(portions);
	gsl_vector *factors = inflations(f);

	for (unsigned int b = 0; b < portions->consumers; b++) {
		for (unsigned int a = 0; a < b; a++) {
			unsigned int pair = portion_together(portions, a, b);
			int column = fit->columns[pair];

			if (times[pair] > 0 && (column < 0 || gsl_vector_get(factors, column) > VIF_UNSURE))
				fit->unsure_nj[pair] = times[pair] * most_saved(fit, portions, a, b) / 2;
		}
	}
	gsl_vector_free(factors);
	g_free(times);
}
