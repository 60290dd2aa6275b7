/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace.dat file, version 6 (trace-cmd.dat.v6(5)), which all readers support. libtracecmd
 * of Debian 12 has no public function for that.
 */
#ifndef GVT_STAT_DATWRITE_H
#define GVT_STAT_DATWRITE_H

#include <stddef.h>

#include <glib.h>

struct datwrite {
	const char *tracing;		/* directory of tracefs; NULL: use formats.h */
	const GPtrArray *events;	/* of struct preset_event */
	const char *clock;
	const char *uname;		/* system of the recording */
	int cpus;
	const int *pages;		/* for each CPU a file with its pages; -1: none */
	/* for each CPU the statistics of its buffer, as in tracefs; NULL: unknown */
	char *const *stats;
};

/**
 * datwrite_page_size - size of a page of events, from tracefs
 *
 * Ends the program if tracefs does not report it.
 */
size_t datwrite_page_size(const char *tracing);

/**
 * datwrite_buffer - create a nameless file for pages, on the same disk as the trace
 * @output: path of the trace
 *
 * Closing the file deletes it. Ends the program if the file cannot be created.
 */
int datwrite_buffer(const char *output);

/**
 * datwrite - write the whole file
 * @fd: empty file, written from its start
 *
 * Returns 0, or an errno on write errors.
 */
int datwrite(const struct datwrite *trace, int fd);

/**
 * datwrite_file - the same to a path
 *
 * Writes under another name until complete, so that an old trace is replaced only by a whole one.
 */
int datwrite_file(const struct datwrite *trace, const char *path);

#endif
