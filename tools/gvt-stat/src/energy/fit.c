// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include <gsl/gsl_errno.h>

#include "fit-private.h"

struct fit *fit_new(const struct portions *portions)
{
	struct fit *fit = g_new0(struct fit, 1);
	struct fitting f = { .fit = fit, .portions = portions };
	double nj = 0;

	/* what a damaged trace makes singular has no powers, but is no reason to abort */
	gsl_set_error_handler_off();
	fit->quantities = portions->quantities;
	fit->columns = g_new(int, fit->quantities);
	fit->condition = NAN;
	fit->residual = NAN;
	fit_choose_columns(&f);
	for (guint nr = 0; nr < portions->stints->len; nr++)
		nj += portions_stint(portions, nr)->nj;
	/* A counter that does not change shows nothing. Without a group, more intervals than powers have to be left */
	if (nj <= 0 || !f.columns || fit->used < 2 * f.columns + 2) {
		fit->watts = g_new0(double, fit->quantities);
		return fit;
	}
	fit->groups = MIN(FIT_GROUPS, fit->used);
	f.trust = g_new(double, fit->used);
	f.drift = g_new(double, fit->used);
	for (unsigned int nr = 0; nr < fit->used; nr++)
		f.trust[nr] = f.drift[nr] = 1;
	fit_merge_columns(&f);
	fit->powers = f.columns;
	fit_robustly(&f);
	fit->residual = fit_residual(&f);
	fit->unsure_nj = g_new0(double, fit->quantities);
	fit_find_unsure(&f);
	for (unsigned int nr = 0; nr < fit->groups; nr++)
		fit->without[nr] = fit_watts_of(&f, &f.groups[nr]);
	fit_forget_sums(&f);
	gsl_matrix_free(f.scaled);
	g_free(f.trust);
	g_free(f.drift);
	return fit;
}

void fit_free(struct fit *fit)
{
	for (unsigned int nr = 0; nr < fit->groups; nr++)
		g_free(fit->without[nr]);
	g_free(fit->unsure_nj);
	g_free(fit->watts);
	g_free(fit->columns);
	g_free(fit);
}

bool fit_same(const struct fit *fit, unsigned int a, unsigned int b)
{
	return fit->columns[a] >= 0 && fit->columns[a] == fit->columns[b];
}
