/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each CPU's ring buffer covers of a trace: where it holds less than what was recorded,
 * nothing is known of what that CPU would have told.
 *
 * The kernel's counts (cpustat.h) tell a CPU that had nothing to tell from one whose events are
 * not in the file; without them, workloads of which a step is missing (evidence.h) do.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_COVERAGE_H
#define GVTTRACE_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* what the file holds of one CPU in one buffer */
struct ring {
	int buffer, cpu;
	uint64_t records;
	int64_t first_ns, last_ns;	/* UNKNOWN: it holds nothing */
	/* the same file's end, or where it is not known what was before or behind: */
	bool begins_late, ends_early;
	bool dropped;			/* events were, where a page ends and the next one begins */
};

struct reader;
struct datfile;

/**
 * coverage_asks - may less be known of any CPU? Else all that the trace holds is all that there was.
 */
bool coverage_asks(const struct reader *reader, const struct datfile *file);

/**
 * coverage_find - which rings hold less than there was
 * @reader: of the whole trace
 * @rings: struct ring of all that hold events; taken
 *
 * Returns an array of struct ring, by buffer and CPU, of all that hold events, and of those that
 * hold none although something is missing. The caller frees.
 */
GArray *coverage_find(const struct reader *reader, const struct datfile *file, GArray *rings);

/**
 * coverage_of - the ring of a CPU; NULL: nothing is missing of it
 */
const struct ring *coverage_of(const GArray *rings, int buffer, int cpu);

#endif
