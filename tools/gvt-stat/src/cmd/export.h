/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms in which a trace is exported for other programs to show it.
 */
#ifndef GVT_STAT_EXPORT_H
#define GVT_STAT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "host/newdir.h"
#include "options.h"

/**
 * export_page - one page of HTML, which shows everything and needs nothing else
 * @compress: makes no difference
 */
void export_page(const struct options *options, FILE *out, bool compress);

/**
 * export_perfetto - a trace for https://ui.perfetto.dev and its tools
 * @compress: by gzip, which they read, too
 */
void export_perfetto(const struct options *options, FILE *out, bool compress);

/**
 * export_csv - the lanes of lanes/lanes.h, a line for each interval
 * @compress: makes no difference
 *
 * Begins with "# tsc_khz N" if the clock of the trace counts cycles: times are in ns all the same.
 */
void export_csv(const struct options *options, FILE *out, bool compress);

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
 * @options: of both
 * @paths: of the first and of the second one
 * @document: what 'compare --json' prints, and "titles": of each metric its name and the
 *            factor from its unit to the name's
 * @output: file to write
 *
 * Ends the program with a message if it cannot be written.
 */
void export_pair(const struct options *options, const char *const paths[2],
		 const json_t *document, const char *output);

#endif
