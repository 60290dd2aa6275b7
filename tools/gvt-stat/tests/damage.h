/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged copies of trace files: of any bytes, and of what has a meaning, so that what
 * reads them gets further.
 */
#ifndef DAMAGE_H
#define DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

struct tracecmd_input;

/* a file to be damaged, and where in it something is */
struct original {
	char *data;
	gsize size;
	GArray *tables;			/* struct part: sizes and places, before the events */
	GArray *pages;			/* of events */
	GArray *records;		/* events, without their headers */
	struct tracecmd_input *handle;	/* NULL: it is not open; see opened.h */
};

/**
 * original_read - read a trace to be damaged, a good one
 *
 * Ends the program if it cannot be read. What is compressed, or of another version, has no
 * parts that are known.
 */
struct original original_read(const char *path);

/**
 * damage - a copy of @original with some changes
 * @seed: which; the same on every machine
 *
 * The caller frees.
 */
GString *damage(const struct original *original, uint64_t seed);

/**
 * is_damaged_in_events - is all of @copy as it was but for pages of events?
 */
bool is_damaged_in_events(const struct original *original, const GString *copy);

#endif
