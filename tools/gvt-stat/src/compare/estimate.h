/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of two samples, with confidence intervals.
 *
 * Successive values in a trace are not independent: a vGPU in debt makes many workloads wait.
 * Blocks of time longer than such effects are nearly independent; therefore all estimates use sums
 * per block.
 */
#ifndef GVT_STAT_ESTIMATE_H
#define GVT_STAT_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* confidence of all intervals */
#define ESTIMATE_CONFIDENCE	0.95

/*
 * Fewer blocks with data give no interval: the few differences between them do not show how far
 * further blocks would differ.
 */
#define ESTIMATE_MIN_BLOCKS	5

/* an estimated value; NAN without data */
struct estimate {
	double value;
	double variance;		/* of the estimate; NAN with fewer than two blocks */
	unsigned int blocks;		/* with x above 0 */
};

/* b - a; @low and @high are NAN if unknown */
struct contrast {
	double difference;
	double low;
	double high;
};

/**
 * estimate_ratio - sum(y) / sum(x) and its variance
 * @y, @x: of each block; x is the length of the block or a number of workloads
 *
 * The variance is that of the linearised ratio, s^2(y - R x) / (n mean(x)^2):
 * W. Cochran, Sampling Techniques, 3rd ed. 1977, (6.13).
 */
struct estimate estimate_ratio(const double *y, const double *x, unsigned int n);

/**
 * contrast_welch - difference of two estimates with an interval
 *
 * B. Welch's t interval (Biometrika 34, 1947), with the degrees of freedom of
 * Welch and Satterthwaite. No interval from fewer than ESTIMATE_MIN_BLOCKS.
 */
struct contrast contrast_welch(const struct estimate *a, const struct estimate *b);

/* a value, its number of occurrences, and the block that contains them */
struct block_value {
	double value;
	unsigned int block;
	unsigned int count;
};

/* a quantile and its confidence interval; NAN if unknown */
struct quantile {
	double value;
	double low;
	double high;
};

/**
 * estimate_quantile - a quantile, as in series_summary()
 * @values: array of struct block_value; sorted by this function
 * @blocks: number of blocks, including those without a value
 * @q: above 0, below 1
 *
 * The interval is R. Woodruff's (J. Amer. Statist. Assoc. 47, 1952): the interval for the part of
 * values not above the quantile, converted back into values. Needs ESTIMATE_MIN_BLOCKS blocks, and
 * enough values for one of them to exceed the true quantile except with half of the error
 * probability (all of n values are below it with probability q^n).
 */
struct quantile estimate_quantile(GArray *values, unsigned int blocks, double q);

/**
 * contrast_quantile - difference of two quantiles with an interval
 *
 * From the intervals of both: G. Zou and A. Donner, Statistics in Medicine 27 (2008),
 * equation (2) for a difference.
 */
struct contrast contrast_quantile(const struct quantile *a, const struct quantile *b);

#endif
