// SPDX-License-Identifier: GPL-2.0-only

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"
#include "scenario.h"

/* 1.25^3 is nearly 2, the ratio of the weights of two types */
#define NICE_OF_TYPE 3

/* The most commands of a workload of the rig */
#define MOST_PIECES 4096ULL

static u64 whole_us(u64 ns)
{
	return max((ns + NSEC_PER_USEC / 2) / NSEC_PER_USEC, 1ULL) * NSEC_PER_USEC;
}

void scenario_plain(struct sched_sim_client *c)
{
	u64 exec_ns = c->exec_ns, other_ns = c->other_ns;
	u32 weight;

	if (c->other_every)
		exec_ns = (exec_ns * (c->other_every - 1) + other_ns) / c->other_every;
	c->exec_ns = whole_us(exec_ns + c->spread_ns / 2);
	c->think_ns += c->burst ? 0 : c->think_spread_ns / 2;
	c->rest_ns += c->burst ? c->think_spread_ns / 2 : 0;
	/* The rig's pause begins when a burst has ended, judge's when its last but DEPTH workloads have */
	if (c->burst) {
		c->think_ns = US(40);
		c->depth = 1;
	}
	c->period_ns += c->jitter_ns / 2;
	if (c->period_ns)
		c->period_ns = max(c->period_ns, NSEC_PER_USEC);
	c->spread_ns = 0;
	c->think_spread_ns = 0;
	c->jitter_ns = 0;
	c->other_every = 0;
	for (weight = 2; weight < c->weight; weight *= 2)
		c->nice -= NICE_OF_TYPE;
	c->weight = 0;
	c->nice = clamp(c->nice, -20, 19);
}

static u64 pieces(const struct sched_sim_client *c)
{
	u64 n = c->piece_ns ? (c->exec_ns + c->piece_ns / 2) / c->piece_ns : MOST_PIECES;

	return clamp(n, 1ULL, min(MOST_PIECES, c->exec_ns / NSEC_PER_USEC));
}

static void write_vgpu(FILE *file, const struct sched_sim_client *c, u32 i)
{
	fprintf(file, "vgpu \"v%u\" {\ntype = V5_8\n", i);
	if (c->nice)
		fprintf(file, "setting \"intel_vgpu/nice\" { value = \"%d\" }\n", c->nice);
	if (c->cap)
		fprintf(file, "setting \"intel_vgpu/cap\" { value = %u }\n", c->cap);
	fprintf(file, "stream \"work\" {\nengine = rcs0\nexec = \"%lluns\"\npieces = %llu\ndepth = %u\n"
		"start = \"%lluns\"\n", c->exec_ns, pieces(c), c->depth, c->start_ns);
	if (c->period_ns)
		fprintf(file, "arrival = periodic\nperiod = \"%lluns\"\n", c->period_ns);
	else if (c->burst)
		fprintf(file, "burst = %u\nthink = \"%lluns\"\n", c->burst, c->rest_ns);
	else
		fprintf(file, "think = \"%lluns\"\n", c->think_ns);
	fprintf(file, "}\n}\n");
}

void scenario_write(const char *path, const struct sched_sim_client *clients, u32 n, u64 seconds)
{
	FILE *file = fopen(path, "w");
	u32 i;

	if (!file) {
		fprintf(stderr, "judge: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	fprintf(file, "description = \"a random mix of judge\"\naperture-mb = 1024\nwarmup = \"%lums\"\n"
		"duration = \"%llus\"\n", PLAY_WARM_UP_NS / NSEC_PER_MSEC, seconds);
	for (i = 0; i < n; i++)
		write_vgpu(file, &clients[i], i);
	if (fclose(file)) {
		fprintf(stderr, "judge: %s: %s\n", path, strerror(errno));
		exit(2);
	}
}
