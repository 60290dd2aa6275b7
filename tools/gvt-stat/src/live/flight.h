/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight recorder: record into memory, and keep in files what was before a moment that matters.
 */
#ifndef GVT_STAT_FLIGHT_H
#define GVT_STAT_FLIGHT_H

#include <stdint.h>

#include <glib.h>

#include "flight/cause.h"
#include "tracing.h"

struct flight_options {
	int64_t keep_ns;		/* 0: no flight recorder */
	int64_t after_ns;
	GPtrArray *causes;		/* struct cause */
	const char *listen;		/* ADDRESS:PORT; NULL: none, but systemd's */
	unsigned int most_mb;		/* of memory */
	unsigned int most_files;	/* before the oldest of them is removed */
};

/* what is recorded */
struct flight_events {
	const char *sysroot;
	const char *directory;		/* of tracefs */
	const GPtrArray *events;	/* struct preset_event */
	const char *preset, *clock;
	const char *output;		/* whose name the files' names are made from */
	int64_t tsc_khz;		/* as in struct metadata */
	double seconds;			/* NAN: until a signal comes */
	int signals;			/* of signals_open(): those that end it, SIGCHLD and SIGUSR1 */
};

/**
 * flight_run - record until a signal comes or the time is over
 * @tracing: is off
 *
 * Ends the program on errors, but goes on if a file cannot be written.
 */
void flight_run(const struct flight_options *options, const struct flight_events *events, struct tracing *tracing);

#endif
