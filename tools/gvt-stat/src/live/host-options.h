/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of the commands that observe the running host rather than a trace.
 */
#ifndef GVT_STAT_HOST_OPTIONS_H
#define GVT_STAT_HOST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "trace/util.h"

struct host_options {
	const char *sysroot;		/* "" for the running system */
	char **gpus;			/* NULL: all */
	char **vgpus;			/* NULL: all */
	char **engines;			/* NULL: all; as columns, only of lines_argp */
	char **columns;
	bool csv;
	bool json;
};

/* argp children; the input is a struct host_options, initialised to { .sysroot = "" } */
extern const struct argp host_argp;		/* all options */
extern const struct argp sysroot_argp;		/* only --sysroot */
extern const struct argp lines_argp;		/* for commands that print lines of columns */

/* the range of --interval */
#define LEAST_INTERVAL_NS	(NSEC_PER_SEC / 100)
#define MOST_INTERVAL_NS	(86400 * NSEC_PER_SEC)

void host_options_clear(struct host_options *options);

#endif
