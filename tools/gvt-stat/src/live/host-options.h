/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of the commands that observe the running host rather than a trace.
 */
#ifndef GVT_STAT_HOST_OPTIONS_H
#define GVT_STAT_HOST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

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

/* The seconds, 0.01 to 86400, of "--interval @arg"; exits with a usage error for anything else */
double parse_interval(const char *arg, struct argp_state *state);

void host_options_clear(struct host_options *options);

#endif
