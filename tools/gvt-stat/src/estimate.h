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

/* an estimated value, NAN if there is nothing to estimate it from */
struct estimate {
	double value;
	double variance;		/* of the estimate; NAN with fewer than two blocks */
	unsigned int blocks;
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
 * Welch and Satterthwaite.
 */
struct contrast contrast_welch(const struct estimate *a, const struct estimate *b);

/* a value and the block that it is from */
struct block_value {
	double value;
	unsigned int block;
};

/**
 * contrast_quantile - difference of a quantile of two samples with an interval
 * @a, @b: arrays of struct block_value; sorted by this
 * @blocks_a, @blocks_b: number of blocks, also of those without a value
 * @q: 0 to 1
 * @value_a, @value_b: set to the quantiles
 *
 * Percentile bootstrap (B. Efron, Ann. Statist. 7, 1979) that draws whole
 * blocks; the random numbers are the same in every run.
 */
struct contrast contrast_quantile(GArray *a, unsigned int blocks_a, GArray *b,
				  unsigned int blocks_b, double q, double *value_a,
				  double *value_b);

#endif
