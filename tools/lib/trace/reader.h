/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a trace.dat file into one stream of known events in chronological order,
 * over all buffer instances and CPUs, with the places where events were lost.
 * Memory does not grow with the length of the trace.
 *
 * Private to the library: programs follow a trace, see follow/follow.h.
 */
#ifndef GVTTRACE_READER_H
#define GVTTRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "info.h"

/* callbacks of a consumer of the stream; all but @event may be NULL */
struct reader_ops {
	void (*event)(void *ctx, const struct event *event);
	/*
	 * A CPU's buffer overflowed, or covers less than the trace: the CPU's events from now
	 * until the matching gap_end() are lost. Gaps of several CPUs may overlap, and those
	 * that last to the end of the trace get no gap_end().
	 * @events are those that the buffer carries: no others can be lost in it.
	 */
	void (*gap_begin)(void *ctx, int64_t ts_ns, event_set events);
	void (*gap_end)(void *ctx, int64_t ts_ns, event_set events);
	/* called after every event; true stops reading */
	bool (*enough)(void *ctx);
};

/* how to read a trace */
struct reader_options {
	const char *path;
	int64_t tsc_khz;		/* 0: as recorded in the trace */
	bool any_rate;			/* do not require a known clock rate */
	bool any_events;		/* nor that any events are present */
	event_set events;		/* to deliver; all others are skipped */
	event_set beside;		/* delivered, too, but no use alone */
	bool complete;			/* assume complete buffers of all CPUs */
	/* called from time to time while reading; may be NULL */
	void (*alive)(const struct trace_info *trace);
	/*
	 * Called by reader_open() for each gvt_vgpu_info, in chronological order, so that consumers
	 * that need all of them first do not read the trace twice. May be NULL.
	 */
	void (*told)(void *ctx, const struct event *event);
	void *told_ctx;
};

struct reader;

/**
 * reader_open - open a trace and find its events
 * @options: which file and how to take its clock
 *
 * Ends the program with a message on any error. reader_close() frees.
 */
struct reader *reader_open(const struct reader_options *options);
void reader_close(struct reader *reader);

/**
 * reader_again - read a trace once more from its beginning, independently of @first
 * @first: must outlive the new reader
 * @options: path and rate are those of @first
 *
 * Opening a trace costs more than reading a short one. A file that only libtracecmd can read is
 * opened again, as its handle has a single position. reader_close() frees.
 */
struct reader *reader_again(const struct reader *first, const struct reader_options *options);

/**
 * reader_run - read the trace from the current position to its end
 *
 * After reader_ops.enough stopped it, a new call continues: it repeats the last record and the
 * gap_begin() of open gaps.
 */
void reader_run(struct reader *reader, const struct reader_ops *ops, void *ctx);

/**
 * reader_leap - skip events before a time
 *
 * Only before the first reader_run() or after one has returned.
 */
void reader_leap(struct reader *reader, int64_t ts_ns);

/**
 * reader_scan - deliver the wanted events from the current position to the end, in any order
 * @found: called with an event without its time, and the number of its buffer; an event in two
 *         buffers comes twice
 *
 * Cheaper than reader_run(), which has to merge the events of all CPUs. Does not report losses.
 */
void reader_scan(struct reader *reader,
		 void (*found)(void *ctx, int buffer, const struct event *event), void *ctx);

/**
 * reader_alive - the alive callback of its options
 */
void (*reader_alive(const struct reader *reader))(const struct trace_info *trace);

/**
 * reader_info - the trace's data so far
 *
 * Valid as long as @reader; @end_ns and all counts are final after reader_run().
 */
const struct trace_info *reader_info(const struct reader *reader);

#endif
