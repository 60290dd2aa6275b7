/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_BENCH_LOADLOG_H
#define RIG_BENCH_LOADLOG_H

#include <glib.h>
#include <stdint.h>

#include "intervals.h"

#define LATENCY_UNKNOWN (-1)

/* Results of one stream from rig-load */
struct stream_result {
	char vgpu[32], stream[32], engine[8];
	int64_t done, failed;		/* workloads */
	int64_t hangs;			/* resets */
	int64_t latency_mean_ns, latency_p99_ns, latency_max_ns;	/* or LATENCY_UNKNOWN */
};

struct load_log {
	struct interval window;	/* of the time stamp counter, on the rig ns */
	GArray *streams;	/* struct stream_result, in the order of the file */
};

/**
 * loadlog_read - read the output of rig-load
 *
 * Lines other than WINDOW and RESULT are skipped.
 *
 * Return: true, and the caller frees @log->streams; false with @error set.
 */
gboolean loadlog_read(struct load_log *log, const char *path, GError **error);

#endif
