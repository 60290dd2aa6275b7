// SPDX-License-Identifier: GPL-2.0-or-later
/* Small changes to a scenario, to measure the effect of insignificant differences. */
#include "perturb.h"

#include <stdlib.h>

#define SEED_BITS 48

static void perturb_stream(struct scenario_stream *st, unsigned short random[3])
{
	st->start_ns += (uint64_t)(erand48(random) * PERTURB_START_NS);
	st->seed = (st->seed + (uint64_t)nrand48(random)) & ((1ull << SEED_BITS) - 1);
}

void perturb(struct scenario *s, uint64_t number)
{
	unsigned short random[3] = {
		(unsigned short)number, (unsigned short)(number >> 16), (unsigned short)(number >> 32),
	};

	for (size_t i = 0; number && i < s->n_vgpus; i++)
		for (size_t j = 0; j < s->vgpus[i].n_streams; j++)
			perturb_stream(&s->vgpus[i].streams[j], random);
}
