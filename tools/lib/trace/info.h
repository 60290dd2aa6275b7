/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace is, and what was in it.
 */
#ifndef GVTTRACE_INFO_H
#define GVTTRACE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

struct hints;

/* what the file is, and after it was read what was in it */
struct trace_info {
	const char *path;
	const char *clock;
	int64_t tsc_khz;		/* what it counts; 0: ns */
	int cpus;
	int buffers;
	uint64_t bytes;			/* of the file */
	int64_t start_ns;		/* first record of any kind */
	int64_t end_ns;			/* last record */
	uint64_t records;
	uint64_t recorded[EVENT_COUNT];
	bool described[EVENT_COUNT];	/* of those asked for: the file has its format */
	uint64_t repeated;		/* known events that another buffer had, too */
	uint64_t lost_events;		/* as far as they were counted */
	uint64_t lost_gaps;
	uint64_t lost_uncounted;	/* gaps of which the kernel did not tell the size */
	unsigned int incomplete;	/* CPUs' buffers that do not hold all of the recording */
	int lost_cpu;			/* of the gap that ended last */
	int64_t lost_count;		/* events in it; or UNKNOWN */
	const struct hints *hints;	/* see event_missing() and workloads_left_out() */
	const struct event_map *map;	/* for event_map_fields() */
};

#endif
