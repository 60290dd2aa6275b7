// SPDX-License-Identifier: GPL-2.0-only

#include "memory.h"

static const struct sim_beside alone = { 0, MEMORY_ALONE_PPM };

static u64 on_line(const struct sim_beside *from, const struct sim_beside *to, u64 mbps)
{
	/* A measured curve may decrease: clamp to no slowdown */
	s64 rise = (s64)to->ppm - (s64)from->ppm, along = mbps - from->mbps;
	s64 ppm = (s64)from->ppm + rise * along / (s64)(to->mbps - from->mbps);

	return clamp(ppm, (s64)MEMORY_ALONE_PPM, (s64)MEMORY_MOST_PPM);
}

u64 memory_slowdown_ppm(const struct sim_stream *s, u64 beside_mbps)
{
	const struct sim_beside *from = &alone;
	u32 i;

	if (!s || !s->points || !beside_mbps)
		return MEMORY_ALONE_PPM;
	for (i = 0; i + 1 < s->points && s->beside[i].mbps < beside_mbps; i++)
		from = &s->beside[i];

	return on_line(from, &s->beside[i], beside_mbps);
}

u64 memory_takes_ns(u64 work_ns, u64 slowdown_ppm)
{
	u64 rest = work_ns % MEMORY_ALONE_PPM * slowdown_ppm;

	return work_ns / MEMORY_ALONE_PPM * slowdown_ppm +
	       (rest + MEMORY_ALONE_PPM - 1) / MEMORY_ALONE_PPM;
}

u64 memory_does_ns(u64 ns, u64 slowdown_ppm)
{
	return ns / slowdown_ppm * MEMORY_ALONE_PPM +
	       ns % slowdown_ppm * MEMORY_ALONE_PPM / slowdown_ppm;
}
