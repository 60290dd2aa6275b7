/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which part of a trace each CPU's ring buffer covers: outside of it, nothing is known of that
 * CPU's events.
 *
 * The kernel's counts (cpustat.h) distinguish a CPU without events from one whose events are not
 * in the file; without these counts, workloads that lack a step (evidence.h) do.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_COVERAGE_H
#define GVTTRACE_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* the file's content of one CPU's buffer */
struct ring {
	int buffer, cpu;
	uint64_t records;
	int64_t first_ns, last_ns;	/* UNKNOWN: it is empty */
	/* the ring may lack events at its beginning or end: */
	bool begins_late, ends_early;
	bool dropped;			/* events may be lost between pages */
};

struct reader;
struct datfile;

/**
 * coverage_asks - may any ring lack events? If not, the trace holds all that was recorded.
 */
bool coverage_asks(const struct reader *reader, const struct datfile *file);

/**
 * coverage_find - find the rings that lack events
 * @reader: of the whole trace
 * @rings: struct ring of all rings with events; takes ownership
 *
 * Returns an array of struct ring, by buffer and CPU, of all rings with events, and of empty
 * rings that lack some. The caller frees.
 */
GArray *coverage_find(const struct reader *reader, const struct datfile *file, GArray *rings);

/**
 * coverage_of - the ring of a CPU; NULL: it lacks nothing
 */
const struct ring *coverage_of(const GArray *rings, int buffer, int cpu);

#endif
