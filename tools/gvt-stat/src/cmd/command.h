/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of gvt-stat, gvt-view or gvt-plan.
 *
 * To add one:
 *  1. Give what it tells a row in quantities.c, with the events that make it up:
 *     these are read, and said to be missing where a trace lacks them. An event
 *     that nobody has used yet needs a row in events.c.
 *  2. Write NAME.c with a "const struct command NAME_command", give it a row in
 *     catalogue.c, and its object a place in the Makefile's list of the program's
 *     commands. Its run() opens the trace with follow_open(),
 *     adds analyses with follow_add() (follow.h) or listens to the model
 *     (model.h), reads with follow_run(), and prints: tables by table.h between
 *     notes_head() and notes_tail() (notes.h), JSON by document.h, long lists
 *     line by line by list.h.
 *  3. Give it a man page, gvt-stat-NAME.1, with a line in gvt-stat.1, and
 *     tests/NAME.t; tests/docs.t sees that none is forgotten. What completes
 *     command lines asks --help.
 */
#ifndef GVT_STAT_COMMAND_H
#define GVT_STAT_COMMAND_H

#include <argp.h>

#include "trace/quantities.h"
#include "options.h"

/* exit status: a threshold was exceeded, or a rule found something */
#define EXIT_FOUND	2

enum command_flag {
	COMMAND_OWN_COLUMNS = 1 << 0,	/* has others, which depend on the trace */
	COMMAND_OWN_VGPU = 1 << 1,	/* its --vgpu chooses none */
	COMMAND_NO_TRACE = 1 << 2,	/* reads other files, and has no options that are of a trace */
};

struct command {
	const char *name;
	const char *doc;		/* one sentence for its own --help */
	quantity_set quantities;	/* what it tells, from what it can tell */
	unsigned int flags;		/* of enum command_flag */
	const struct column *const *columns;	/* of its lines: tables, ended by NULL */
	/*
	 * Options of its own beside those that all have, or NULL. What they set
	 * is the command's own static data. Its parser gets the struct options as
	 * input, and ARGP_KEY_ARG first, should it take arguments.
	 */
	const struct argp *argp;
	/* returns the exit status */
	int (*run)(const struct options *options);
	/*
	 * Of a command that reads no trace, instead of all of the above but the name:
	 * it parses its own line. Returns the exit status.
	 */
	int (*main)(int argc, char **argv);
};

#endif
