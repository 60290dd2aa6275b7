/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel counted of each CPU's ring buffer when the recording ended, as trace-cmd
 * keeps it in the file (option CPUSTAT: tracefs' per_cpu/cpuN/stats).
 *
 * Private to this room.
 */
#ifndef GVTTRACE_CPUSTAT_H
#define GVTTRACE_CPUSTAT_H

#include <stdint.h>

#include <glib.h>

/* of one CPU in one buffer; what the text does not tell is UNKNOWN */
struct cpustat {
	char *buffer;			/* name of the instance; "": top; owned */
	int cpu;
	int64_t entries;		/* in the ring, not read yet */
	int64_t read;			/* by the recorder, since the ring was cleared */
	int64_t overrun;		/* overwritten before they were read */
	int64_t dropped;		/* not written, as the ring was full, or wrapped on itself */
	int64_t oldest_us;		/* time of the first of @entries */
};

/**
 * cpustats_new - no CPU told yet; an array of struct cpustat; g_array_unref() frees
 */
GArray *cpustats_new(void);

/**
 * cpustats_add - take the text of one option
 * @buffer: to which instance CPUs belong from here on; the text may name another one; owned
 *
 * Text that is none of a CPU's is ignored.
 */
void cpustats_add(GArray *stats, const char *text, char **buffer);

/**
 * cpustats_find - what was told of a CPU; NULL: nothing
 */
const struct cpustat *cpustats_find(const GArray *stats, const char *buffer, int cpu);

#endif
