/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By how much two samples differ, with confidence intervals.
 *
 * What is measured in a trace one after the other is not independent: a vGPU in
 * debt makes many workloads wait. Blocks of time that are longer than that are
 * nearly so; therefore all estimates are made of sums per block.
 */
#ifndef GVT_STAT_ESTIMATE_H
#define GVT_STAT_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* confidence of all intervals */
#define ESTIMATE_CONFIDENCE	0.95

/*
 * From fewer blocks with something in them, no interval is told: the few differences
 * between them are no measure of how far others would be off.
 */
#define ESTIMATE_MIN_BLOCKS	5

/* an estimated value, NAN if there is nothing to estimate it from */
struct estimate {
	double value;
	double variance;		/* of the estimate; NAN with fewer than two blocks */
	unsigned int blocks;		/* with x above 0 */
};

/* b - a; @low and @high are NAN when they cannot be told */
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

/* a value, how many there are of it, and the block that they are from */
struct block_value {
	double value;
	unsigned int block;
	unsigned int count;
};

/* a quantile and the interval that holds the true one; NAN when it cannot be told */
struct quantile {
	double value;
	double low;
	double high;
};

/**
 * estimate_quantile - a quantile, as series_summary() has it
 * @values: array of struct block_value; sorted by this
 * @blocks: number of blocks, also of those without a value
 * @q: above 0, below 1
 *
 * The interval is R. Woodruff's (J. Amer. Statist. Assoc. 47, 1952): of the part that
 * is not above the quantile, turned into values. It takes as many values that one of
 * them lies behind the true quantile but for half of the confidence (n values
 * are all below it with probability q^n), and ESTIMATE_MIN_BLOCKS blocks.
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
