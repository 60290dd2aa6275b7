/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Export formats, for other programs that show a trace.
 */
#ifndef GVT_STAT_EXPORT_H
#define GVT_STAT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "cmd/options.h"
#include "host/newdir.h"

/* what a page is made of */
#define EXPORT_QUANTITIES	(QUANTITY_BIT(QUANTITY_EXECUTION) | QUANTITY_BIT(QUANTITY_WAIT) | \
				 QUANTITY_BIT(QUANTITY_HOST) | QUANTITY_BIT(QUANTITY_ARRIVALS) | \
				 QUANTITY_BIT(QUANTITY_COMPLETIONS) | QUANTITY_BIT(QUANTITY_CANCELLED) | \
				 QUANTITY_BIT(QUANTITY_SLICES) | QUANTITY_BIT(QUANTITY_SPLIT) | \
				 QUANTITY_BIT(QUANTITY_BLAME) | QUANTITY_BIT(QUANTITY_VGPUS) | \
				 QUANTITY_BIT(QUANTITY_SETTINGS))

/* options of an export; each format uses those that concern it */
struct export_how {
	const char *path;		/* of the output, for messages */
	bool compress;			/* Perfetto: gzip the trace, which its tools can read */
	int64_t exact;			/* page: at most this many intervals; others go to bins */
	uint64_t exact_bytes;		/* page: maximum size of these intervals */
	const char *host;		/* Parquet: name of the host; NULL: as the trace tells */
	int64_t begin_ns;		/* Parquet: Unix time of the trace's begin; UNKNOWN: the same */
};

/* more intervals would make a page load for seconds */
#define EXPORT_EXACT	2000000
/* default packed size, which keeps a page below 4 MB */
#define EXPORT_BYTES	2814000

/**
 * export_page - a self-contained HTML page that shows the whole trace
 */
void export_page(const struct options *options, FILE *out, const struct export_how *how);

/**
 * export_perfetto - a trace for https://ui.perfetto.dev and its tools
 */
void export_perfetto(const struct options *options, FILE *out, const struct export_how *how);

/**
 * export_csv - the lanes of lanes/lanes.h, a line for each interval
 *
 * Begins with "# tsc_khz N" if the trace clock counts cycles; times are in ns in any case.
 */
void export_csv(const struct options *options, FILE *out, const struct export_how *how);

/**
 * export_ctf - a trace for babeltrace2 and Trace Compass
 * @path: of its directory, for messages
 * @dir: takes the files
 *
 * Ends the program with a message on write errors.
 */
void export_ctf(const struct options *options, const char *path, struct newdir *dir);

/**
 * export_parquet - rows for SQL, in a file of its own below a directory of many hosts' traces
 * @path: of the directory, which may have others
 *
 * Returns 0, or the errno of an error in making the file; then nothing of it is left.
 */
int export_parquet(const struct options *options, const char *path, const struct export_how *how);

/**
 * export_document - embed a document in a page, escaped so that no text looks like markup
 * @id: of its element
 */
void export_document(const json_t *document, const char *id, FILE *out);

/**
 * export_pair - an HTML page that shows two traces and their differences
 * @options: for both; the input is ignored
 * @paths: of the first and the second trace
 */
void export_pair(const struct options *options, const char *const paths[2], FILE *out);

#endif
