// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Coefficients of a trace that is to be simulated with them.
 */
#include "trace/util.h"
#include "coef.h"
#include "energy.h"

struct coef *coef_of_trace(const struct selection *selection)
{
	struct selection of = *selection;
	struct energy_session session = { 0 };
	struct coef *coef = NULL;

	energy_open(&session, &of);
	if (session.timeline->levels->len >= 2) {
		session.result = energy_result_new(session.timeline, STATIC_BUSY, 0);
		if (!session.result->powers_known)
			fatal("no powers could be fitted to %s: see 'gvt-stat energy'", of.input);
		coef = coef_of_fit(session.result);
		coef->path = g_strdup(of.input);
	}
	energy_close(&session);
	return coef;
}
