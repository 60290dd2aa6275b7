// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Energy over time.
 */
#include <math.h>

#include "result.h"

#define COLUMN(type, member, ...) \
	{ #member, COLUMN_##type, offsetof(struct energy_interval, member), ##__VA_ARGS__ }

const struct column energy_interval_columns[] = {
	COLUMN(INTEGER, from_ns, "FROM-s", UNIT_S),
	COLUMN(INTEGER, to_ns),
	COLUMN(TEXT, kind),
	COLUMN(INTEGER, dev),
	COLUMN(INTEGER, vgpu_id),
	COLUMN(TEXT, vm),
	{ NULL, COLUMN_TEXT, offsetof(struct energy_interval, who), "VGPU" },
	COLUMN(REAL, joules, "JOULES"),
	COLUMN(REAL, watts, "WATTS"),
	{ 0 }
};

static double sum_of(const struct spread *spread, const bool *owns, unsigned int nr)
{
	double nj = 0;

	for (unsigned int whose = 0; whose < spread->shares; whose++)
		if (owns[whose])
			nj += spread->nj[nr * spread->shares + whose];
	return nj;
}

static struct energy_interval make_row(const struct energy_result *result, const struct energy_row *row,
				       const bool *owns, unsigned int nr)
{
	const struct spread *spread = result->spread;
	int64_t from_ns = spread->from_ns + nr * spread->length_ns;
	double covered_ns = spread->covered_ns[nr];
	double nj = covered_ns > 0 && !isnan(row->joules) ? sum_of(spread, owns, nr) : NAN;

	return (struct energy_interval) {
		.from_ns = from_ns, .to_ns = MIN(from_ns + spread->length_ns, result->timeline->follow->window.to_ns),
		.kind = row->kind, .dev = row->dev, .vgpu_id = row->vgpu_id, .vm = row->vm, .who = row->who,
		.joules = nj / NJ_PER_J, .watts = nj / covered_ns,
	};
}

GArray *over_time_rows(const struct energy_result *result)
{
	unsigned int sums = result->sums->len, intervals = result->spread->intervals;
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct energy_interval));

	g_array_set_size(rows, intervals * sums);
	for (guint sum = 0; sum < sums; sum++) {
		const struct energy_row *row = &g_array_index(result->sums, struct energy_row, sum);
		bool *owns = energy_row_owns(result, row);

		for (unsigned int nr = 0; nr < intervals; nr++)
			g_array_index(rows, struct energy_interval, nr * sums + sum) = make_row(result, row, owns, nr);
		g_free(owns);
	}
	return rows;
}
