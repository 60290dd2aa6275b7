/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several runs of one thing: their mean, and how sure it is. */
#ifndef RIG_SPREAD_H
#define RIG_SPREAD_H

#include <stddef.h>

/* Means of nothing are NAN; the interval of one value is. */
struct spread {
	size_t n;
	double mean;
	double half;	/* of the 95 % interval of the mean, by Student's t */
};

/**
 * spread_of - the mean of @n values and its interval
 *
 * The half is t(0.975, n - 1) * s / sqrt(n) with the sample's standard deviation s.
 * What is NAN is left out.
 */
struct spread spread_of(const double *values, size_t n);

#endif
