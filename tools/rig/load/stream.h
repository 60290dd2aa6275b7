/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a stream of workloads submits, and its statistics.
 *
 * Uses neither a GPU nor a clock: callers pass the time in, so that the same
 * code drives the light client, the guest client and the unit tests.
 */
#ifndef RIG_STREAM_H
#define RIG_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "latency.h"
#include "scenario.h"

#define STREAM_MAX_DEPTH 16
#define STREAM_NEVER UINT64_MAX

struct load_stream {
	const struct scenario_stream *params;
	uint64_t begin_ns, end_ns;	/* window in which completions count */
	uint64_t submitted, finished;	/* since the start */
	uint64_t done;			/* inside the window */
	uint64_t failed, hangs;		/* since the start: never hidden */
	uint64_t dropped;		/* by the client's own acts */
	struct latencies latencies;	/* of done */
	uint64_t next_ns;		/* periodic, poisson: next arrival */
	uint64_t rest_ns;		/* closed, in bursts: the next one's begin */
	uint64_t ready_ns[STREAM_MAX_DEPTH];	/* closed: slot may submit again */
	uint64_t from_ns[STREAM_MAX_DEPTH];	/* latency counts from here */
	unsigned short random[3];	/* erand48() */
};

/**
 * load_stream_init - set a stream up; its first workload is due at @start_ns plus the
 * stream's own delay (poisson: one gap later)
 * @params: must outlive the stream
 * @begin_ns, @end_ns: good completions at begin <= t < end are counted
 */
void load_stream_init(struct load_stream *s, const struct scenario_stream *params,
		      uint64_t start_ns, uint64_t begin_ns, uint64_t end_ns);

/**
 * load_stream_next_ns - when the next workload is to be submitted
 *
 * Returns: that time (past: overdue), or STREAM_NEVER while all slots are
 * taken and after the last workload.
 */
uint64_t load_stream_next_ns(const struct load_stream *s);

/**
 * load_stream_submit - the next workload is submitted at @now_ns
 *
 * Latency counts from here in closed loop, and from the arrival otherwise: a
 * workload that had to wait for a slot was late already.
 *
 * Returns: whether this workload is to hang.
 */
bool load_stream_submit(struct load_stream *s, uint64_t now_ns);

/**
 * load_stream_complete - the oldest workload in flight has completed
 * @good: whether its result was right
 *
 * Returns: 0 or -ENOMEM.
 */
int load_stream_complete(struct load_stream *s, uint64_t now_ns, bool good);

/* load_stream_lose - a reset has destroyed everything in flight; it counts as failed */
void load_stream_lose(struct load_stream *s, uint64_t now_ns);

/* load_stream_drop - the client has thrown away everything in flight */
void load_stream_drop(struct load_stream *s, uint64_t now_ns);

/* load_stream_submitted_ns - from when the latency of a workload in flight counts */
uint64_t load_stream_submitted_ns(const struct load_stream *s, uint64_t seqno);

/* load_stream_in_flight - number of workloads submitted and not finished */
uint64_t load_stream_in_flight(const struct load_stream *s);

/**
 * load_stream_print - print the stream's RESULT line
 *
 * Without workloads, latencies are printed as "unknown".
 */
void load_stream_print(struct load_stream *s, const char *vgpu, FILE *out);

void load_stream_free(struct load_stream *s);

#endif
