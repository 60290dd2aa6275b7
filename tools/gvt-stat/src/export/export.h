/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms in which a trace is exported for other programs to show it.
 */
#ifndef GVT_STAT_EXPORT_H
#define GVT_STAT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "cmd/options.h"
#include "host/newdir.h"

/* for what it needs of a trace */
extern const struct command export_command;

/* what a form of output is asked for; each looks at what concerns it */
struct export_how {
	const char *path;		/* of the output, for messages */
	bool compress;			/* a trace of Perfetto: by gzip, which its tools read, too */
	int64_t exact;			/* a page: so many intervals at most, the others in bins of time */
	uint64_t exact_bytes;		/* nor more than this many bytes of them */
};

/* more of them, and a page would take seconds to load */
#define EXPORT_EXACT	2000000
/* by default; packed, of a page of 4 MB, with room for what else is in it */
#define EXPORT_BYTES	2814000

/**
 * export_page - one page of HTML, which shows everything and needs nothing else
 */
void export_page(const struct options *options, FILE *out, const struct export_how *how);

/**
 * export_perfetto - a trace for https://ui.perfetto.dev and its tools
 */
void export_perfetto(const struct options *options, FILE *out, const struct export_how *how);

/**
 * export_csv - the lanes of lanes/lanes.h, a line for each interval
 *
 * Begins with "# tsc_khz N" if the clock of the trace counts cycles: times are in ns all the same.
 */
void export_csv(const struct options *options, FILE *out, const struct export_how *how);

/**
 * export_ctf - a trace for babeltrace2 and Trace Compass
 * @path: of its directory, for messages
 * @dir: to write it to
 *
 * Ends the program with a message if it cannot be written.
 */
void export_ctf(const struct options *options, const char *path, struct newdir *dir);

/**
 * export_document - write a document into a page, so that no text in it looks like markup
 * @id: of its element
 */
void export_document(const json_t *document, const char *id, FILE *out);

/**
 * export_pair - one page of HTML that shows two traces and how they differ
 * @options: of both; its input is not looked at
 * @paths: of the first and of the second one
 */
void export_pair(const struct options *options, const char *const paths[2], FILE *out);

#endif
