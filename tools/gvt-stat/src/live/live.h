/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live queues and latencies, which have no counters, from the events of a private tracing instance.
 *
 * The instance is removed even if the program is killed, see tracing.h. Live events and trace files
 * use the same model.
 */
#ifndef GVT_STAT_LIVE_H
#define GVT_STAT_LIVE_H

#include <stdint.h>

#include <glib.h>

/* activity of a vGPU, or on one of its engines, in the last interval */
struct live_row {
	double exec_percent;		/* of the time; NAN: unknown, as for all below */
	double done_per_second;
	double queue_mean;		/* waiting workloads, weighted by time */
	int64_t queue_max;		/* may be UNKNOWN */
	double latency_mean_ns;		/* of completed workloads, until completion */
	int64_t latency_max_ns;
	const char *mostly;		/* largest part of that time, such as "exec"; or NULL */
};

struct live;

/**
 * live_open - begin to trace
 * @sysroot: as in struct host_options
 *
 * Ends the program with a message on errors. live_close() ends tracing.
 */
struct live *live_open(const char *sysroot);
void live_close(struct live *live);

/**
 * live_read - read the events since the last call, which form the interval
 */
void live_read(struct live *live);

/**
 * live_row_of - activity in the last interval
 * @live: NULL: everything is unknown
 * @uuid: of the vGPU, as vGPUs of two GPUs may have the same id. NULL: use only the id
 * @engine: "rcs0"; NULL: all engines of the vGPU
 */
struct live_row live_row_of(const struct live *live, const char *uuid, int64_t vgpu_id,
			    const char *engine);

/* lower bound on the number of lost events since live_open() */
uint64_t live_lost(const struct live *live);

#endif
