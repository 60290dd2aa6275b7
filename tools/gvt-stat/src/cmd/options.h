/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that all commands that read a trace share.
 */
#ifndef GVT_STAT_OPTIONS_H
#define GVT_STAT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "follow/selection.h"
#include "output/form.h"

struct options {
	struct selection selection;	/* what is asked for */
	struct form form;		/* and how it is to be shown */
	const struct column *const *tables;	/* of the command, for --list */
	bool in_process;
};

/* an argp child; its input is a struct options, initialised by options_init() */
extern const struct argp options_argp;

void options_init(struct options *options);
void options_clear(struct options *options);

#endif
