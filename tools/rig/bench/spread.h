/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean of several runs, and its confidence interval. */
#ifndef RIG_SPREAD_H
#define RIG_SPREAD_H

#include <stddef.h>

/* The mean is NAN without values, the interval with fewer than two. */
struct spread {
	size_t n;
	double mean;
	double half;	/* of the 95 % interval of the mean, by Student's t */
};

/**
 * spread_of - the mean of @n values and its interval
 *
 * The half is t(0.975, n - 1) * s / sqrt(n) with the sample's standard deviation s.
 * NAN values are left out.
 */
struct spread spread_of(const double *values, size_t n);

#endif
