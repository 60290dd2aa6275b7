/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the GPU's energy counter at a rate, each time when the counter has just been updated.
 *
 * RAPL's counters are updated about 1024 times a second: a read at any other moment belongs to a
 * time of up to a millisecond before, and at 100 Hz energy of one vGPU is taken for another's by
 * per cent. Where the updates are is learnt from the last one seen, so that few reads find the next.
 */
#ifndef GVT_STAT_SAMPLING_SAMPLER_H
#define GVT_STAT_SAMPLING_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu-counters.h"
#include "source.h"

#define ENERGY_DEFAULT_HZ	100
#define ENERGY_MOST_HZ		1000

struct energy_sampler;

/* writes a line into the trace; returns false if it cannot */
typedef bool (*energy_mark_fn)(void *ctx, const char *text);

/* what a sampler did */
struct energy_sampled {
	int64_t samples;		/* that are in the trace */
	int64_t on_edges;		/* of them, at an update that was seen */
	int64_t reads;			/* of the counter, that all took */
	int64_t cpu_ns;			/* CPU time that all took */
	bool failed;			/* a read or a mark failed: there are none after it */
	bool unread;			/* it was a read */
};

/**
 * energy_sampler_start - begin to sample, in a thread of its own
 * @source: must outlive the sampler
 * @gpu: the same; read ten times a second, at most; NULL: none
 * @hz: 1 to ENERGY_MOST_HZ
 * @mark: called in the thread
 *
 * The thread inherits blocked signals. energy_sampler_stop() frees.
 */
struct energy_sampler *energy_sampler_start(const struct energy_source *source, const struct gpu_counters *gpu,
					    unsigned int hz, energy_mark_fn mark, void *ctx);

/**
 * energy_sampler_stop - take a last sample, and end, in 50 ms at most
 */
struct energy_sampled energy_sampler_stop(struct energy_sampler *sampler);

#endif
