/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A private tracing instance that is removed even if the program is killed.
 *
 * All changes in tracefs are within the instance's directory, which a second process removes when
 * the program ends, even by SIGKILL. Other instances and the top-level one remain untouched.
 */
#ifndef GVT_STAT_TRACING_H
#define GVT_STAT_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

struct tracing;

/**
 * tracing_directory - the path of tracefs
 * @sysroot: as in struct host_options
 *
 * Ends the program with a message if tracefs is not mounted or not accessible. The caller frees.
 */
char *tracing_directory(const char *sysroot);

/**
 * tracing_open - create an instance with these events, and do not record yet
 * @directory: of tracefs
 * @events: array of struct preset_event
 * @clock: name of the trace clock
 * @buffer_kb: buffer size per CPU in KiB
 *
 * Ends the program with a message on errors.
 */
struct tracing *tracing_open(const char *directory, const GPtrArray *events, const char *clock,
			     int buffer_kb);

/**
 * tracing_close - remove the instance, wait until it is gone, and free
 */
void tracing_close(struct tracing *tracing);

/* record or pause; ends the program on errors */
void tracing_on(struct tracing *tracing, bool on);

/**
 * tracing_mark - write a line of text into the trace, cut to the maximum size of a mark
 *
 * Returns false after a warning if it cannot.
 */
bool tracing_mark(const struct tracing *tracing, const char *text);

/**
 * tracing_buffers - for each CPU a descriptor to read pages of events from
 * @cpus: set to the number of CPUs; -1 stands for a CPU without a buffer
 */
const int *tracing_buffers(const struct tracing *tracing, int *cpus);

/**
 * tracing_stats - statistics of a CPU's buffer, as in tracefs
 *
 * Returns NULL if they cannot be read. The caller frees with free().
 */
char *tracing_stats(const struct tracing *tracing, int cpu);

/* of one or all buffers, since tracing_open() */
struct tracing_counts {
	int64_t events;			/* read from the buffers */
	int64_t left;			/* not read yet */
	int64_t lost;			/* overwritten or dropped before reading */
};

/**
 * tracing_count - of all CPUs; tracing_count_cpu() - of one
 */
struct tracing_counts tracing_count(const struct tracing *tracing);
struct tracing_counts tracing_count_cpu(const struct tracing *tracing, int cpu);

#endif
