/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that all commands share that read a trace, or other files.
 */
#ifndef GVT_STAT_OPTIONS_H
#define GVT_STAT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "follow/follow.h"
#include "output/form.h"

struct options {
	struct selection selection;	/* the selected part of the trace */
	struct form form;		/* form of output */
	const struct column *const *tables;	/* of the command, for --list */
	bool in_process;
	bool no_pager;
	bool has_input;			/* the user named the trace */
};

/* argp children; their input is a struct options, initialised by options_init() */
extern const struct argp options_argp;
/* the trace, and the selected part of it */
extern const struct argp options_trace_argp;
/* --vgpu, for commands without their own --vgpu */
extern const struct argp options_vgpu_argp;

/**
 * options_vgpu - "LIST" of --vgpu: select these vGPUs
 */
void options_vgpu(struct options *options, const char *arg, struct argp_state *state);

/**
 * options_input - set the trace to read, unless it is already set
 */
void options_input(struct options *options, char *arg, struct argp_state *state);

void options_init(struct options *options);
void options_clear(struct options *options);

/**
 * options_length - parse the length of time of an option, or end the program with a usage error
 * @option: its name, for the message
 */
int64_t options_length(const char *arg, const char *option, int64_t least_ns, int64_t most_ns,
		       struct argp_state *state);

/**
 * options_number - parse the integer of an option, or end the program with a usage error
 * @option: its name, for the message
 * @most: the range is 1 to @most
 */
unsigned int options_number(const char *arg, const char *option, unsigned int most,
			    struct argp_state *state);

#endif
