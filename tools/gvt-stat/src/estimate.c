// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "estimate.h"

/* More draws make the ends of an interval steadier, but cost time. */
#define MAX_DRAWS	2000
#define MIN_DRAWS	400
#define DRAW_BUDGET	200000000.0

#define TAIL		((1 - ESTIMATE_CONFIDENCE) / 2)

static double sum(const double *values, unsigned int n)
{
	double total = 0;

	for (unsigned int nr = 0; nr < n; nr++)
		total += values[nr];
	return total;
}

struct estimate estimate_ratio(const double *y, const double *x, unsigned int n)
{
	double whole = sum(x, n), square = 0;
	struct estimate estimate = { .value = NAN, .variance = NAN, .blocks = n };

	if (!(whole > 0))
		return estimate;
	estimate.value = sum(y, n) / whole;
	if (n < 2)
		return estimate;
	for (unsigned int nr = 0; nr < n; nr++)
		square += pow(y[nr] - estimate.value * x[nr], 2);
	estimate.variance = square / (n - 1) / n / pow(whole / n, 2);
	return estimate;
}

static double degrees_of_freedom(const struct estimate *a, const struct estimate *b)
{
	return pow(a->variance + b->variance, 2) /
	       (pow(a->variance, 2) / (a->blocks - 1) + pow(b->variance, 2) / (b->blocks - 1));
}

struct contrast contrast_welch(const struct estimate *a, const struct estimate *b)
{
	struct contrast contrast = { b->value - a->value, NAN, NAN };
	double half = 0;

	if (isnan(contrast.difference) || isnan(a->variance) || isnan(b->variance))
		return contrast;
	if (a->variance + b->variance > 0)
		half = gsl_cdf_tdist_Pinv(1 - TAIL, degrees_of_freedom(a, b)) *
		       sqrt(a->variance + b->variance);
	contrast.low = contrast.difference - half;
	contrast.high = contrast.difference + half;
	return contrast;
}

static gint compare_values(gconstpointer a, gconstpointer b)
{
	const struct block_value *one = a, *two = b;

	return (one->value > two->value) - (one->value < two->value);
}

/*
 * The smallest value that at least the part @q of all is not above; each value
 * counts as often as its block was drawn.
 */
static double weighted_quantile(const GArray *values, const unsigned int *weights, double q)
{
	double whole = 0, seen = 0;

	for (unsigned int nr = 0; nr < values->len; nr++)
		whole += weights[g_array_index(values, struct block_value, nr).block];
	for (unsigned int nr = 0; nr < values->len; nr++) {
		const struct block_value *value =
			&g_array_index(values, struct block_value, nr);

		seen += weights[value->block];
		if (whole > 0 && seen >= q * whole)
			return value->value;
	}
	return NAN;
}

/* the quantile in each draw of as many blocks as there are */
static void draw(const GArray *values, unsigned int blocks, double q, gsl_rng *rng,
		 double *quantiles, unsigned int draws)
{
	unsigned int *weights = g_new(unsigned int, blocks);

	for (unsigned int nr = 0; nr < draws; nr++) {
		memset(weights, 0, blocks * sizeof(*weights));
		for (unsigned int block = 0; block < blocks; block++)
			weights[gsl_rng_uniform_int(rng, blocks)]++;
		quantiles[nr] = weighted_quantile(values, weights, q);
	}
	g_free(weights);
}

static double plain_quantile(const GArray *values, unsigned int blocks, double q)
{
	unsigned int *ones = g_new(unsigned int, blocks + 1);
	double value;

	for (unsigned int nr = 0; nr < blocks; nr++)
		ones[nr] = 1;
	value = weighted_quantile(values, ones, q);
	g_free(ones);
	return value;
}

/* Draws without any value are no draws. */
static unsigned int differences(double *a, const double *b, unsigned int draws)
{
	unsigned int count = 0;

	for (unsigned int nr = 0; nr < draws; nr++)
		if (!isnan(a[nr]) && !isnan(b[nr]))
			a[count++] = b[nr] - a[nr];
	return count;
}

static void bootstrap(struct contrast *contrast, const GArray *a, unsigned int blocks_a,
		      const GArray *b, unsigned int blocks_b, double q)
{
	unsigned int draws = CLAMP(DRAW_BUDGET / (a->len + b->len + 1), MIN_DRAWS, MAX_DRAWS);
	double *from_a = g_new(double, draws), *from_b = g_new(double, draws);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	unsigned int count;

	gsl_rng_set(rng, 1);
	draw(a, blocks_a, q, rng, from_a, draws);
	draw(b, blocks_b, q, rng, from_b, draws);
	count = differences(from_a, from_b, draws);
	gsl_sort(from_a, 1, count);
	if (count) {
		contrast->low = gsl_stats_quantile_from_sorted_data(from_a, 1, count, TAIL);
		contrast->high = gsl_stats_quantile_from_sorted_data(from_a, 1, count, 1 - TAIL);
	}
	gsl_rng_free(rng);
	g_free(from_b);
	g_free(from_a);
}

struct contrast contrast_quantile(GArray *a, unsigned int blocks_a, GArray *b,
				  unsigned int blocks_b, double q, double *value_a,
				  double *value_b)
{
	struct contrast contrast = { NAN, NAN, NAN };

	g_array_sort(a, compare_values);
	g_array_sort(b, compare_values);
	*value_a = plain_quantile(a, blocks_a, q);
	*value_b = plain_quantile(b, blocks_b, q);
	contrast.difference = *value_b - *value_a;
	if (blocks_a > 1 && blocks_b > 1 && !isnan(contrast.difference))
		bootstrap(&contrast, a, blocks_a, b, blocks_b, q);
	return contrast;
}
