/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a trace.dat file to one stream of known events in the order of time,
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

/* what a consumer of the stream is told; all pointers may be NULL but @event */
struct reader_ops {
	void (*event)(void *ctx, const struct event *event);
	/*
	 * A CPU's buffer overflowed, or holds less than the trace: what happened on it from now
	 * until the matching gap_end() is not known. Gaps of several CPUs may overlap, and those
	 * that last to the end of the trace do not end.
	 * @events are those that the buffer carries: no others can be lost in it.
	 */
	void (*gap_begin)(void *ctx, int64_t ts_ns, event_set events);
	void (*gap_end)(void *ctx, int64_t ts_ns, event_set events);
	/* asked after every event; true ends reading */
	bool (*enough)(void *ctx);
};

/* how to read a trace */
struct reader_options {
	const char *path;
	int64_t tsc_khz;		/* 0: as the trace tells */
	bool any_rate;			/* times do not matter */
	bool any_events;		/* nor does it matter which events there are */
	event_set events;		/* to be delivered; all others are passed over */
	event_set beside;		/* these are, too, but are of no use alone */
	bool complete;			/* take it that each CPU's buffer holds all that there was */
	/* called now and then while reading; may be NULL */
	void (*alive)(const struct trace_info *trace);
	/*
	 * Called by reader_open() for each gvt_vgpu_info, in the order of time: who is told all of
	 * them before anything else need not read the trace once more. May be NULL.
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
 * reader_again - read a trace that is open from its beginning, beside its reader
 * @first: must outlive the new one
 * @options: path and rate are those of @first
 *
 * To open it costs more than to read a short trace; what only libtracecmd reads has one place
 * for all, and is opened again. reader_close() frees.
 */
struct reader *reader_again(const struct reader *first, const struct reader_options *options);

/**
 * reader_run - read the trace from where it stands to its end
 *
 * Where reader_ops.enough ended it, it can go on: the last record comes again, and so do
 * beginnings of gaps that are open.
 */
void reader_run(struct reader *reader, const struct reader_ops *ops, void *ctx);

/**
 * reader_leap - go on with what is at or after a time, and leave out what is before it
 *
 * For one whose reader_run() has ended, or has not begun.
 */
void reader_leap(struct reader *reader, int64_t ts_ns);

/**
 * reader_scan - deliver what is wanted from where the reader stands to the end, in any order
 * @found: gets an event without its time, and which buffer it is in; one that is in two
 *         buffers comes twice
 *
 * To put the events of all CPUs in order costs more than to read them. Nothing tells of losses.
 */
void reader_scan(struct reader *reader,
		 void (*found)(void *ctx, int buffer, const struct event *event), void *ctx);

/**
 * reader_alive - what its options have to be called now and then
 */
void (*reader_alive(const struct reader *reader))(const struct trace_info *trace);

/**
 * reader_info - what is known of the trace so far
 *
 * Valid as long as @reader; @end_ns and all counts are final after reader_run().
 */
const struct trace_info *reader_info(const struct reader *reader);

#endif
