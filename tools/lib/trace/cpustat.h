/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's counts of each CPU's ring buffer when the recording ended, as saved by
 * trace-cmd in the file (option CPUSTAT: tracefs' per_cpu/cpuN/stats).
 *
 * Private to this room.
 */
#ifndef GVTTRACE_CPUSTAT_H
#define GVTTRACE_CPUSTAT_H

#include <stdint.h>

#include <glib.h>

/* of one CPU in one buffer; UNKNOWN if not in the text */
struct cpustat {
	char *buffer;			/* name of the instance; "": top; owned */
	int cpu;
	int64_t entries;		/* in the ring, unread */
	int64_t read;			/* by the recorder, since the ring was cleared */
	int64_t overrun;		/* overwritten before they were read */
	int64_t dropped;		/* not written: ring full, or commit overrun */
	int64_t oldest_us;		/* time of the oldest of @entries */
};

/**
 * cpustats_new - an empty array of struct cpustat; g_array_unref() frees
 */
GArray *cpustats_new(void);

/**
 * cpustats_add - add the text of one option
 * @buffer: the instance of the following CPUs; the text may change it; owned
 *
 * Ignores text that is not about a CPU.
 */
void cpustats_add(GArray *stats, const char *text, char **buffer);

/**
 * cpustats_find - the counts of a CPU; NULL: none
 */
const struct cpustat *cpustats_find(const GArray *stats, const char *buffer, int cpu);

#endif
