// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose energy is whose, whether it is known, and how far off it may be. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "trace/util.h"
#include "result.h"

double energy_busy_ns(const struct energy_result *result, unsigned int who)
{
	double ns = 0;

	for (guint nr = 0; nr < result->portions->all->len; nr++) {
		const struct portion *portion = &g_array_index(result->portions->all, struct portion, nr);

		if (portion->quantity == portion_busy(result->portions, who))
			ns += portion->ns;
	}
	return ns;
}

static bool has(const unsigned int *of, unsigned int count, unsigned int whose)
{
	for (unsigned int nr = 0; nr < count; nr++)
		if (of[nr] == whose)
			return true;
	return false;
}

/* energy of others that is indistinguishable from these: all of both may be either's */
static double exchangeable_nj(const struct energy_result *result, const unsigned int *of, unsigned int count)
{
	double own = 0, others = 0;

	for (unsigned int other = 0; other < SHARE_UNKNOWN(result->portions); other++) {
		for (unsigned int nr = 0; nr < count; nr++) {
			if (has(of, count, other) || of[nr] >= SHARE_UNKNOWN(result->portions) ||
			    !fit_same(result->fit, energy_quantity(result, other), energy_quantity(result, of[nr])))
				continue;
			others += result->shares->nj[other];
			own += result->shares->nj[of[nr]];
		}
	}
	return fmax(own, others);
}

/* what two need less together is not always known: it may be more, and more of either's */
static double unsure_nj(const struct energy_result *result, const unsigned int *of, unsigned int count)
{
	const struct portions *portions = result->portions;
	double nj = 0;

	for (unsigned int b = 0; result->fit->unsure_nj && b < portions->consumers; b++)
		for (unsigned int a = 0; a < b; a++)
			if (has(of, count, a) != has(of, count, b))
				nj += result->fit->unsure_nj[portion_together(portions, a, b)];
	return nj;
}

double energy_powers_bound_nj(const struct energy_result *result, const unsigned int *of, unsigned int count)
{
	double bound = fmax(shares_bound(result->shares, of, count), exchangeable_nj(result, of, count));

	return bound + unsure_nj(result, of, count);
}

/* What is unknown may be anybody's; the first and the last sample are of whole counts. */
double energy_bound_nj(const struct energy_result *result, const unsigned int *of, unsigned int count)
{
	return energy_powers_bound_nj(result, of, count) + result->shares->nj[SHARE_UNKNOWN(result->portions)] +
	       result->timeline->counter.unit_nj;
}

/* Who executed only while events were lost has no power: all its energy is among what is unknown. */
static bool has_power(const struct energy_result *result, const unsigned int *of, unsigned int count)
{
	bool executed = false;

	for (unsigned int nr = 0; nr < count; nr++) {
		if (result->fit->columns[portion_busy(result->portions, of[nr])] >= 0)
			return true;
		executed = executed || energy_busy_ns(result, of[nr]) > 0;
	}
	return !executed;
}

bool energy_is_known(const struct energy_result *result, const unsigned int *of, unsigned int count)
{
	return result->powers_known && has_power(result, of, count);
}

bool energy_is_selected(const struct energy_result *result, unsigned int who)
{
	const struct selection *selection = result->timeline->follow->selection;
	const struct consumer *consumer = energy_consumer(result, who);

	return selection_engine(selection, consumer->engine) &&
	       (consumer->vgpu ? selection_vgpu(selection, consumer->vgpu) : !selection->vgpus);
}

static bool row_has(const struct energy_result *result, const struct energy_row *row, unsigned int whose)
{
	const struct consumer *consumer;

	if (!strcmp(row->kind, "total"))
		return true;
	if (!known(row->vgpu_id))
		return whose == (strcmp(row->kind, "idle") ? SHARE_UNKNOWN(result->portions) : SHARE_IDLE(result->portions));
	if (whose >= result->portions->consumers || !energy_is_selected(result, whose))
		return false;
	consumer = energy_consumer(result, whose);
	return (consumer->vgpu ? consumer->vgpu->id : 0) == row->vgpu_id && consumer->engine->dev == row->dev &&
	       (!row->engine || !strcmp(consumer->engine->name, row->engine));
}

bool *energy_row_owns(const struct energy_result *result, const struct energy_row *row)
{
	bool *owns = g_new(bool, SHARES(result->portions));

	for (unsigned int whose = 0; whose < SHARES(result->portions); whose++)
		owns[whose] = row_has(result, row, whose);
	return owns;
}
