// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "energy/result.h"
#include "sample.h"

/* a block with samples for less of it has no energy: what is scaled from a small part is anything */
#define LEAST_COUNTED	0.5

static bool has_consumer(const struct sample_row *row, const struct consumer *consumer)
{
	if (consumer->engine != row->engine)
		return false;
	return known(row->vgpu_id) ? (consumer->vgpu ? consumer->vgpu->id : 0) == row->vgpu_id : consumer->vgpu != NULL;
}

/* the consumers of a row; returns their number */
static unsigned int list_consumers(const struct sample *sample, const struct sample_row *row, unsigned int *of)
{
	const GArray *consumers = sample->timeline->consumers;
	unsigned int count = 0;

	for (guint who = 0; who < consumers->len; who++)
		if (has_consumer(row, &g_array_index(consumers, struct consumer, who)))
			of[count++] = who;
	return count;
}

static void add_energies(const struct sample *sample, const struct spread *spread, struct sample_row *row,
			 const unsigned int *of, unsigned int count)
{
	g_array_set_size(row->blocks, MAX(row->blocks->len, spread->intervals));
	for (unsigned int nr = 0; nr < spread->intervals; nr++) {
		struct sample_block *block = &g_array_index(row->blocks, struct sample_block, nr);
		double counted = spread->covered_ns[nr] / sample->block_ns;

		if (counted < LEAST_COUNTED)
			continue;
		for (unsigned int i = 0; i < count; i++)
			block->nj += spread->nj[nr * spread->shares + of[i]] / counted;
		block->counted_ns = sample->block_ns;
		block->counted_done = block->done;
	}
}

static void add_row(const struct sample *sample, const struct energy_result *result, struct sample_row *row)
{
	unsigned int *of = g_new(unsigned int, sample->timeline->consumers->len);
	unsigned int count = list_consumers(sample, row, of);
	double nj = 0;

	for (unsigned int nr = 0; nr < count; nr++)
		nj += result->shares->nj[of[nr]];
	row->energy_error = nj > 0 ? energy_bound_nj(result, of, count) / ENERGY_SIGMAS / nj : 0;
	if (energy_is_known(result, of, count))
		add_energies(sample, result->spread, row, of, count);
	g_free(of);
}

/* One counter is of one GPU: as for 'gvt-stat energy', which reports what is wrong. */
static bool is_divisible(const struct timeline *timeline)
{
	const GArray *consumers = timeline->consumers;

	for (guint nr = 1; nr < consumers->len; nr++)
		if (g_array_index(consumers, struct consumer, nr).engine->gpu !=
		    g_array_index(consumers, struct consumer, 0).engine->gpu)
			return false;
	return timeline->levels->len >= 2 && consumers->len && consumers->len <= TIMELINE_CONSUMERS_MAX;
}

void sample_energy(struct sample *sample)
{
	struct energy_result *result;

	if (!is_divisible(sample->timeline))
		return;
	result = energy_result_new(sample->timeline, STATIC_BUSY, sample->block_ns);
	sample->has_energy = result->powers_known;
	for (guint nr = 0; sample->has_energy && nr < sample->rows->len; nr++)
		add_row(sample, result, sample->rows->pdata[nr]);
	energy_result_free(result);
}
