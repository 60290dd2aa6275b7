// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "energy.h"

/* so many percent of the energy unexplained are worth a hint at what may help */
#define MUCH_RESIDUAL	5
/* so many percent of a VM's energy may be another one's */
#define MUCH_UNSURE	5

static void each_coef_note(const struct energy_session *session, void (*note)(const char *text))
{
	const struct energy_result *result = session->result;

	for (guint nr = 0; nr < result->engines->len; nr++) {
		const struct energy_row *row = &g_array_index(result->engines, struct energy_row, nr);
		char *text;

		if (!row->engine || !isnan(row->joules))
			continue;
		text = g_strdup_printf("%s has no power of %s%s on %s: record that with --energy, and make coefficients of it by --save-coef",
				       session->coef->path, row->vgpu_id ? "vGPU " : "", row->who, row->engine);
		note(text);
		g_free(text);
	}
	if (isnan(result->shares->nj[SHARE_UNKNOWN(result->portions)]))
		note("Events were lost: who executed meanwhile is unknown, and so is the total; use larger buffers (gvt-stat record -b)");
}

/* is more than a few percent of somebody's energy not known, as it may be of those beside it? */
static bool is_unsure(const struct energy_result *result)
{
	const struct portions *portions = result->portions;

	for (unsigned int b = 0; result->fit->unsure_nj && b < portions->consumers; b++)
		for (unsigned int a = 0; a < b; a++)
			if (result->fit->unsure_nj[portion_together(portions, a, b)] >
			    MUCH_UNSURE / 100.0 * fmin(result->shares->nj[a], result->shares->nj[b]) + result->timeline->counter.unit_nj)
				return true;
	return false;
}

bool energy_knows_works(const struct energy_result *result)
{
	for (guint nr = 0; nr < result->sums->len; nr++)
		if (g_array_index(result->sums, struct energy_row, nr).costs.priced > 0)
			return true;
	return false;
}

void energy_notes(const struct energy_session *session, void (*note)(const char *text))
{
	const struct energy_result *result = session->result;
	const struct fit *fit = result->fit;
	char *text;

	if (session->coef) {
		each_coef_note(session, note);
		return;
	}
	if (result->shares->total_nj <= 0)
		note("The counter did not change between samples: it does not count on this processor, or samples are too close together; nobody's energy is known");
	else if (!fit->groups)
		note("Who used how much is unknown: there are too few intervals between samples in which no event was lost; record for longer, or sample more often (gvt-stat record --energy=HZ)");
	for (guint nr = 0; nr < result->same->len; nr++) {
		text = g_strdup_printf("Indistinguishable, as they always execute in the same proportion: %s; their energy is divided by time. Sample more often (gvt-stat record --energy=HZ), or let each engine have its own turns (gvt-stat policy dispatch=per-engine)",
				       (const char *)result->same->pdata[nr]);
		note(text);
		g_free(text);
	}
	if (is_unsure(result))
		note("Some are hardly ever seen alone: what they need beside others is known within their ranges only. Let dispatch be exclusive for some seconds of the recording (gvt-stat policy dispatch=exclusive), or predict with coefficients of another one (--coef)");
	if (result->shares->nj[SHARE_UNKNOWN(result->portions)] > 0 && fit->groups &&
	    fit->used < result->portions->stints->len)
		note("Events were lost: what was drawn meanwhile beyond the known work is unknown, and may be anybody's; use larger buffers (gvt-stat record -b)");
	if (fit->residual > MUCH_RESIDUAL / 100.0)
		note("Who executes does not explain much of the power: the GPU may have changed its frequency, or samples are not at updates of the counter; such intervals count less in the fit");
	if (session->wanted->workloads && !energy_knows_works(result))
		note("No workload's energy is known: samples have to be around all of its execution, and the powers have to explain it");
	if (session->timeline->broken) {
		text = g_strdup_printf("The counter began anew %" PRId64 " times, as after suspend: what was drawn meanwhile is not known, and not in the total",
				       session->timeline->broken);
		note(text);
		g_free(text);
	}
	if (session->timeline->bad) {
		text = g_strdup_printf("%" PRId64 " marks '" ENERGY_PREFIX "...' are of another counter or damaged; they were not used",
				       session->timeline->bad);
		note(text);
		g_free(text);
	}
}
