// SPDX-License-Identifier: GPL-2.0-or-later
/* The mean of several runs, and its confidence interval. */
#include "spread.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static size_t keep_known(double *to, const double *values, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i]))
			to[kept++] = values[i];
	return kept;
}

struct spread spread_of(const double *values, size_t n)
{
	struct spread s = { 0, NAN, NAN };
	double *known = g_new(double, n + 1);

	s.n = keep_known(known, values, n);
	if (s.n)
		s.mean = gsl_stats_mean(known, 1, s.n);
	if (s.n > 1)
		s.half = gsl_cdf_tdist_Pinv(0.975, (double)s.n - 1) *
			 gsl_stats_sd_m(known, 1, s.n, s.mean) / sqrt((double)s.n);
	g_free(known);
	return s;
}
