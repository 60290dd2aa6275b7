/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracing instance of our own, that vanishes whatever happens to us.
 *
 * All that is changed in tracefs is in this one directory, which a second
 * process removes when we end, be it by SIGKILL. No other instance, and nothing
 * of the top one, is touched.
 */
#ifndef GVT_STAT_TRACING_H
#define GVT_STAT_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

struct tracing;

/**
 * tracing_directory - where tracefs is
 * @sysroot: as in struct host_options
 *
 * Ends the program with the reason if it is not mounted or not ours to use. The
 * caller frees.
 */
char *tracing_directory(const char *sysroot);

/**
 * tracing_open - make an instance with these events, not recording yet
 * @directory: of tracefs
 * @events: array of struct preset_event
 * @clock: name of the trace clock
 * @buffer_kb: size of the buffer per CPU
 *
 * Ends the program with the reason on errors.
 */
struct tracing *tracing_open(const char *directory, const GPtrArray *events, const char *clock,
			     int buffer_kb);

/**
 * tracing_close - remove the instance and wait until it is gone; frees
 */
void tracing_close(struct tracing *tracing);

/* record or pause; ends the program on errors */
void tracing_on(struct tracing *tracing, bool on);

/**
 * tracing_mark - write a line of text into the trace, cut to what a mark can hold
 */
void tracing_mark(const struct tracing *tracing, const char *text);

/**
 * tracing_buffers - a descriptor per CPU from which pages of events are read
 * @cpus: set to their number; -1 stands for a CPU without a buffer
 */
const int *tracing_buffers(const struct tracing *tracing, int *cpus);

/**
 * tracing_stats - what the kernel counted of a CPU's buffer, as tracefs has it
 *
 * NULL: it cannot be read. The caller frees with free().
 */
char *tracing_stats(const struct tracing *tracing, int cpu);

struct tracing_counts {
	int64_t events;			/* read from the buffers */
	int64_t lost;			/* overwritten or dropped before they were */
};

struct tracing_counts tracing_count(const struct tracing *tracing);

#endif
