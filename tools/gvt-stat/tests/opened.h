/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libtracecmd does to open a trace, mostly to parse the formats of events, takes ten
 * times as long as all that gvt-stat does with a short one. It is the same for all copies
 * in which no more than pages of events differ, which libtracecmd does not read: for these,
 * tracecmd_open() gives what it gave for the original.
 */
#ifndef OPENED_H
#define OPENED_H

#include "damage.h"

/**
 * opened_keep - open an original, for all copies of it
 * @path: of its file
 */
void opened_keep(struct original *original, const char *path);

/**
 * opened_begin - what comes is a run on @copy of @original, up to opened_end()
 */
void opened_begin(const struct original *original, const GString *copy);
void opened_end(void);

#endif
