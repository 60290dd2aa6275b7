/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of gvt-stat, gvt-view or gvt-plan.
 *
 * To add one:
 *  1. Add a row for each new quantity to quantities.c, with the events that it needs:
 *     these events are read, and reported as missing if a trace lacks them. An event
 *     without users so far also needs a row in events.c.
 *  2. Write NAME.c with a "const struct command NAME_command", add a row to
 *     catalogue.c, and add the object to the Makefile's list of the program's
 *     commands. Its run() opens the trace with follow_open(),
 *     adds analyses with follow_add() (follow.h) or listens to the model
 *     (model.h), reads with follow_run(), and prints: tables with table.h between
 *     notes_head() and notes_tail() (notes.h), JSON with document.h, long lists
 *     line by line with list.h.
 *  3. Write a man page, gvt-stat-NAME.1, with a line in gvt-stat.1, and
 *     tests/NAME.t; tests/docs.t checks that none is missing. Shell completion
 *     uses --help.
 */
#ifndef GVT_STAT_COMMAND_H
#define GVT_STAT_COMMAND_H

#include <argp.h>

#include "trace/quantities.h"
#include "options.h"

/* exit status: a threshold was exceeded, or a rule has a finding */
#define EXIT_FOUND	2

enum command_flag {
	COMMAND_OWN_VGPU = 1 << 0,	/* --vgpu does not select vGPUs */
	COMMAND_NO_TRACE = 1 << 1,	/* reads other files, and has no options for traces */
};

/* struct command's @columns; NULL: none */
#define TABLES(...)	((const struct column *const []) { __VA_ARGS__, NULL })

struct command {
	const char *name;
	const char *doc;		/* one sentence for the command's --help */
	quantity_set quantities;	/* reported if the trace has them */
	unsigned int flags;		/* of enum command_flag */
	const struct column *const *columns;	/* of its lines: tables, ended by NULL */
	/*
	 * Options besides the common ones, or NULL. The parser sets static data of the command,
	 * gets the struct options as input, and gets ARGP_KEY_ARG first if the command takes
	 * arguments.
	 */
	const struct argp *argp;
	/* returns the exit status */
	int (*run)(const struct options *options);
	/*
	 * For a command that reads no trace, in place of all members above except the name:
	 * parses its own command line. Returns the exit status.
	 */
	int (*main)(int argc, char **argv);
};

#endif
