/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that all commands that read a trace share, and those that read others, too.
 */
#ifndef GVT_STAT_OPTIONS_H
#define GVT_STAT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "follow/follow.h"
#include "output/form.h"

struct options {
	struct selection selection;	/* what is asked for */
	struct form form;		/* and how it is to be shown */
	const struct column *const *tables;	/* of the command, for --list */
	bool in_process;
	bool has_input;			/* the trace was named */
};

/* an argp child; its input is a struct options, initialised by options_init() */
extern const struct argp options_argp;
/* the same: which trace, and what of it */
extern const struct argp options_trace_argp;
/* the same: --vgpu, unless the command has a --vgpu of its own */
extern const struct argp options_vgpu_argp;

/**
 * options_vgpu - "LIST" of --vgpu: only these vGPUs
 */
void options_vgpu(struct options *options, const char *arg, struct argp_state *state);

/**
 * options_input - the trace that is read, unless one was named before
 */
void options_input(struct options *options, char *arg, struct argp_state *state);

void options_init(struct options *options);
void options_clear(struct options *options);

/**
 * options_number - the whole number of an option, or end the program with a usage error
 * @option: its name, to be told
 * @most: it is from 1 to this
 */
unsigned int options_number(const char *arg, const char *option, unsigned int most,
			    struct argp_state *state);

#endif
