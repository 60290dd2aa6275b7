/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write a trace.dat file, version 6 (trace-cmd.dat.v6(5)), which every reader
 * takes. The libtracecmd of Debian 12 has no public call that writes one.
 */
#ifndef GVT_STAT_DATWRITE_H
#define GVT_STAT_DATWRITE_H

#include <stddef.h>

#include <glib.h>

struct datwrite {
	const char *tracing;		/* directory of tracefs; NULL: as formats.h has them */
	const GPtrArray *events;	/* of struct preset_event */
	const char *clock;
	const char *uname;		/* system it was recorded on */
	int cpus;
	const int *pages;		/* a file per CPU with its pages; -1: none */
	/* what the kernel counted of each CPU's buffer, as tracefs has it; NULL: not known */
	char *const *stats;
};

/**
 * datwrite_page_size - size of a page of events, as tracefs tells it
 *
 * Ends the program if it does not.
 */
size_t datwrite_page_size(const char *tracing);

/**
 * datwrite_buffer - a file for pages: without a name, on the disk of the trace
 * @output: path of the trace
 *
 * Nothing of it is left when it is closed. Ends the program if there can be none.
 */
int datwrite_buffer(const char *output);

/**
 * datwrite - write the whole file
 * @fd: empty file, written from its start
 *
 * Returns 0, or an errno when it cannot be written.
 */
int datwrite(const struct datwrite *trace, int fd);

#endif
