/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of a trace file, and counts of its content.
 */
#ifndef GVTTRACE_INFO_H
#define GVTTRACE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

struct hints;

/* properties of the file and, once it was read, of its content */
struct trace_info {
	const char *path;
	const char *clock;
	int64_t tsc_khz;		/* rate of the clock; 0: it counts ns */
	int cpus;
	int buffers;
	uint64_t bytes;			/* of the file */
	int64_t start_ns;		/* first record of any kind */
	int64_t end_ns;			/* last record */
	uint64_t records;
	uint64_t recorded[EVENT_COUNT];
	bool described[EVENT_COUNT];	/* of wanted events: the file has its format */
	uint64_t repeated;		/* known events that were also in another buffer */
	uint64_t lost_events;		/* as far as the kernel counted them */
	uint64_t lost_gaps;
	uint64_t lost_uncounted;	/* gaps of unknown size */
	unsigned int incomplete;	/* buffers that do not cover all of the recording */
	int lost_cpu;			/* of the gap that ended last */
	int64_t lost_count;		/* events lost in it; or UNKNOWN */
	const struct hints *hints;	/* see event_missing() and workloads_left_out() */
	const struct event_map *map;	/* for event_map_fields() */
};

#endif
