// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdbool.h>

#include <glib.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

#include "nnls.h"

/* of the largest number on the right: what is less is rounding */
#define TOLERANCE	1e-12
/* it ends by itself, but for rounding */
#define STEPS_PER_COLUMN	10

struct problem {
	const gsl_matrix *gram;
	const gsl_vector *right;
	gsl_vector *x;
	gsl_vector *then;		/* without the limit, of the free columns; others are 0 */
	bool *is_free;			/* may be above 0 */
};

/* least squares of the free columns alone; returns false if they are dependent */
static bool solve_free(struct problem *p)
{
	size_t all = p->x->size, count = 0;
	size_t *columns = g_new(size_t, all);
	gsl_matrix *gram;
	gsl_vector *right;
	bool solved;

	for (size_t nr = 0; nr < all; nr++)
		if (p->is_free[nr])
			columns[count++] = nr;
	gsl_vector_set_zero(p->then);
	if (!count) {
		g_free(columns);
		return true;
	}
	gram = gsl_matrix_alloc(count, count);
	right = gsl_vector_alloc(count);
	for (size_t i = 0; i < count; i++) {
		gsl_vector_set(right, i, gsl_vector_get(p->right, columns[i]));
		for (size_t j = 0; j < count; j++)
			gsl_matrix_set(gram, i, j, gsl_matrix_get(p->gram, columns[i], columns[j]));
	}
	solved = !gsl_linalg_cholesky_decomp1(gram) && !gsl_linalg_cholesky_svx(gram, right);
	for (size_t i = 0; solved && i < count; i++)
		gsl_vector_set(p->then, columns[i], gsl_vector_get(right, i));
	gsl_vector_free(right);
	gsl_matrix_free(gram);
	g_free(columns);
	return solved;
}

/* the column that would lower the error most if it were above 0; returns false if there is none */
static bool find_next(const struct problem *p, double least, size_t *next)
{
	gsl_vector *slope = gsl_vector_alloc(p->x->size);
	bool found = false;

	gsl_vector_memcpy(slope, p->right);
	gsl_blas_dgemv(CblasNoTrans, -1, p->gram, p->x, 1, slope);
	for (size_t nr = 0; nr < slope->size; nr++) {
		if (p->is_free[nr] || gsl_vector_get(slope, nr) <= least)
			continue;
		least = gsl_vector_get(slope, nr);
		*next = nr;
		found = true;
	}
	gsl_vector_free(slope);
	return found;
}

/* how far to go from x to what least squares want, until the first one is 0; 1: all the way */
static double way(const struct problem *p)
{
	double least = 1;

	for (size_t nr = 0; nr < p->x->size; nr++) {
		double from = gsl_vector_get(p->x, nr), to = gsl_vector_get(p->then, nr);

		if (p->is_free[nr] && to <= 0)
			least = fmin(least, from > to ? from / (from - to) : 0);
	}
	return least;
}

/* Go there; columns that have become 0 stay so. */
static void go(struct problem *p, double part)
{
	for (size_t nr = 0; nr < p->x->size; nr++) {
		double from = gsl_vector_get(p->x, nr), to = gsl_vector_get(p->then, nr);
		double x = from + part * (to - from);

		if (p->is_free[nr] && to <= 0 && x <= TOLERANCE * from) {
			p->is_free[nr] = false;
			x = 0;
		}
		gsl_vector_set(p->x, nr, p->is_free[nr] ? x : 0);
	}
}

/* returns false if the free columns are dependent; x is then not negative all the same */
static bool settle(struct problem *p)
{
	for (size_t step = 0; step <= p->x->size; step++) {
		double part;

		if (!solve_free(p))
			return false;
		part = way(p);
		go(p, part);
		if (part == 1)
			break;
	}
	return true;
}

/*
 * From all columns at once: most powers are above 0, and one by one would take as many steps as
 * there are columns, each as long as the last. Where they are dependent, none is free.
 */
static void begin(struct problem *p)
{
	for (size_t nr = 0; nr < p->x->size; nr++)
		p->is_free[nr] = true;
	if (settle(p))
		return;
	for (size_t nr = 0; nr < p->x->size; nr++)
		p->is_free[nr] = false;
	gsl_vector_set_zero(p->x);
}

void nnls(const gsl_matrix *gram, const gsl_vector *right, gsl_vector *x)
{
	struct problem p = {
		.gram = gram, .right = right, .x = x, .then = gsl_vector_calloc(x->size),
		.is_free = g_new0(bool, x->size),
	};
	double least = TOLERANCE * fmax(fabs(gsl_vector_max(right)), fabs(gsl_vector_min(right)));
	size_t next;

	gsl_vector_set_zero(x);
	begin(&p);
	for (size_t step = 0; step < STEPS_PER_COLUMN * x->size && find_next(&p, least, &next); step++) {
		p.is_free[next] = true;
		if (!settle(&p))
			break;
	}
	gsl_vector_free(p.then);
	g_free(p.is_free);
}
