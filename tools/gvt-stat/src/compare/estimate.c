// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include "estimate.h"

#define TAIL		((1 - ESTIMATE_CONFIDENCE) / 2)

static double sum(const double *values, unsigned int n)
{
	double total = 0;

	for (unsigned int nr = 0; nr < n; nr++)
		total += values[nr];
	return total;
}

static unsigned int count_filled(const double *x, unsigned int n)
{
	unsigned int filled = 0;

	for (unsigned int nr = 0; nr < n; nr++)
		filled += x[nr] > 0;
	return filled;
}

struct estimate estimate_ratio(const double *y, const double *x, unsigned int n)
{
	double whole = sum(x, n), square = 0;
	struct estimate estimate = {
		.value = NAN, .variance = NAN, .blocks = count_filled(x, n)
	};

	if (!(whole > 0))
		return estimate;
	estimate.value = sum(y, n) / whole;
	if (estimate.blocks < 2)
		return estimate;
	for (unsigned int nr = 0; nr < n; nr++)
		square += x[nr] > 0 ? pow(y[nr] - estimate.value * x[nr], 2) : 0;
	estimate.variance = square / (estimate.blocks - 1) * estimate.blocks / pow(whole, 2);
	return estimate;
}

static bool is_enough(const struct estimate *estimate)
{
	return estimate->blocks >= ESTIMATE_MIN_BLOCKS && !isnan(estimate->variance);
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

	if (isnan(contrast.difference) || !is_enough(a) || !is_enough(b))
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

static double count_values(const GArray *values)
{
	double count = 0;

	for (unsigned int nr = 0; nr < values->len; nr++)
		count += g_array_index(values, struct block_value, nr).count;
	return count;
}

/* @values are sorted; NAN for @q outside of 0 to 1 */
static double quantile_of(const GArray *values, double count, double q)
{
	double seen = 0;

	for (unsigned int nr = 0; q > 0 && q < 1 && nr < values->len; nr++) {
		const struct block_value *value =
			&g_array_index(values, struct block_value, nr);

		seen += value->count;
		/* rounding: q * count may exceed an integer slightly */
		if (seen >= q * count * (1 - 1e-12))
			return value->value;
	}
	return NAN;
}

/* the value at an index, from 0, counting repetitions */
static double value_at(const GArray *values, double place)
{
	double seen = 0;

	for (unsigned int nr = 0; nr < values->len; nr++) {
		const struct block_value *value =
			&g_array_index(values, struct block_value, nr);

		seen += value->count;
		if (seen > place)
			return value->value;
	}
	return values->len ? g_array_index(values, struct block_value, values->len - 1).value : NAN;
}

/* definition 7 of Hyndman and Fan, as in series_summary(), so that 'report' and 'compare' agree */
static double interpolated(const GArray *values, double count, double q)
{
	double place = q * (count - 1), below = floor(place);
	double low = value_at(values, below);

	return low + (place - below) * (value_at(values, below + 1) - low);
}

/* the part of all values that does not exceed @limit */
static struct estimate estimate_part(const GArray *values, unsigned int blocks, double limit)
{
	double *y = g_new0(double, blocks), *x = g_new0(double, blocks);
	struct estimate estimate;

	for (unsigned int nr = 0; nr < values->len; nr++) {
		const struct block_value *value =
			&g_array_index(values, struct block_value, nr);

		x[value->block] += value->count;
		y[value->block] += value->value <= limit ? value->count : 0;
	}
	estimate = estimate_ratio(y, x, blocks);
	g_free(x);
	g_free(y);
	return estimate;
}

struct quantile estimate_quantile(GArray *values, unsigned int blocks, double q)
{
	struct quantile quantile = { NAN, NAN, NAN };
	double count = count_values(values), half;
	struct estimate part;

	g_array_sort(values, compare_values);
	quantile.value = interpolated(values, count, q);
	part = estimate_part(values, blocks, quantile.value);
	if (!is_enough(&part) || pow(q, count) > TAIL || pow(1 - q, count) > TAIL)
		return quantile;
	half = gsl_cdf_tdist_Pinv(1 - TAIL, part.blocks - 1) * sqrt(part.variance);
	quantile.low = quantile_of(values, count, q - half);
	quantile.high = quantile_of(values, count, q + half);
	return quantile;
}

struct contrast contrast_quantile(const struct quantile *a, const struct quantile *b)
{
	double difference = b->value - a->value;

	return (struct contrast) {
		.difference = difference,
		.low = difference - hypot(b->value - b->low, a->high - a->value),
		.high = difference + hypot(b->high - b->value, a->value - a->low),
	};
}
