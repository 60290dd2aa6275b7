/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens now, from the events of a tracing instance of our own: queues and
 * latencies, which no counter tells.
 *
 * The instance vanishes whatever happens to us, see tracing.h. The model is the one
 * that traces of files are read with.
 */
#ifndef GVT_STAT_LIVE_H
#define GVT_STAT_LIVE_H

#include <stdint.h>

#include <glib.h>

/* what happened in the last interval to a vGPU, or on one of its engines */
struct live_row {
	double exec_percent;		/* of the time; NAN: unknown, as for all below */
	double done_per_second;
	double queue_mean;		/* workloads that waited, weighted by time */
	int64_t queue_max;		/* UNKNOWN */
	double latency_mean_ns;		/* of those that completed, to their completion */
	int64_t latency_max_ns;
	const char *mostly;		/* where most of that time went: "exec"; or NULL */
};

struct live;

/**
 * live_open - begin to trace
 * @sysroot: as in struct host_options
 *
 * Ends the program with the reason if that cannot be. live_close() ends tracing.
 */
struct live *live_open(const char *sysroot);
void live_close(struct live *live);

/**
 * live_read - take what was traced since the last call: this is the interval
 */
void live_read(struct live *live);

/**
 * live_row_of - what happened in it
 * @live: NULL: everything is unknown
 * @uuid: of the vGPU; those of two GPUs may have the same id. NULL: by id alone
 * @engine: "rcs0"; NULL: on all of the vGPU's
 */
struct live_row live_row_of(const struct live *live, const char *uuid, int64_t vgpu_id,
			    const char *engine);

/* events that were lost since the beginning, at least */
uint64_t live_lost(const struct live *live);

#endif
