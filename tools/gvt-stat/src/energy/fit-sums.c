// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Least squares by sums over groups of intervals, so that each group can be left out.
 */
#include <math.h>

#include "fit-private.h"
#include "nnls.h"

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
		const struct portion *portion = portions_at(f->portions, stint, nr);
		int column = f->fit->columns[portion->quantity];

		if (column >= 0)
			row[column] += drift * (portion_is_pair(f->portions, portion->quantity) ? -portion->ns : portion->ns);
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
		const struct stint *stint = portions_stint(f->portions, nr);

		if (!portions_certain(f->portions, stint))
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

double fit_length_of(const struct fitting *f, unsigned int column)
{
	double square = gsl_matrix_get(f->total.gram, column, column);

	/* of a column that rounding has left nothing of, the power is 0, not undefined */
	return square > 0 ? sqrt(square) : 1;
}

static void scale(struct fitting *f)
{
	if (f->scaled)
		gsl_matrix_free(f->scaled);
	f->scaled = gsl_matrix_alloc(f->columns, f->columns);
	for (unsigned int i = 0; i < f->columns; i++)
		for (unsigned int j = 0; j < f->columns; j++)
			gsl_matrix_set(f->scaled, i, j, gsl_matrix_get(f->total.gram, i, j) /
				       (fit_length_of(f, i) * fit_length_of(f, j)));
}

void fit_sum_up(struct fitting *f)
{
	for (unsigned int nr = 0; nr < f->fit->groups; nr++)
		f->groups[nr] = new_sums(f->columns);
	f->total = new_sums(f->columns);
	add_stints(f);
	for (unsigned int nr = 0; nr < f->fit->groups; nr++)
		add_sums(&f->total, &f->groups[nr]);
	scale(f);
}

void fit_forget_sums(struct fitting *f)
{
	for (unsigned int nr = 0; nr < f->fit->groups; nr++)
		free_sums(&f->groups[nr]);
	free_sums(&f->total);
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
		*gsl_vector_ptr(right, i) /= fit_length_of(f, i);
		for (unsigned int j = 0; j < f->columns; j++)
			*gsl_matrix_ptr(gram, i, j) /= fit_length_of(f, i) * fit_length_of(f, j);
		/* columns may be missing in what is left: their power is then 0, not undefined */
		*gsl_matrix_ptr(gram, i, i) += 1e-12;
	}
	nnls(gram, right, x);
	gsl_vector_free(right);
	gsl_matrix_free(gram);
}

double *fit_watts_of(const struct fitting *f, const struct sums *without)
{
	double *watts = g_new0(double, f->fit->quantities);
	gsl_vector *x = gsl_vector_alloc(f->columns);

	solve(f, without, x);
	for (unsigned int quantity = 0; quantity < f->fit->quantities; quantity++) {
		int column = f->fit->columns[quantity];

		if (column >= 0)
			watts[quantity] = gsl_vector_get(x, column) / fit_length_of(f, column);
	}
	gsl_vector_free(x);
	return watts;
}
