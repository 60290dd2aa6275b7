/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which commands there are, and which of the programs has each: 'gvt-stat COMMAND' runs all.
 */
#ifndef GVT_STAT_CATALOGUE_H
#define GVT_STAT_CATALOGUE_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

enum program {
	PROGRAM_STAT,
	PROGRAM_VIEW,
	PROGRAM_PLAN,
	PROGRAMS,
	PROGRAM_ALL = PROGRAMS,		/* has all commands itself: for tests */
};

struct entry {
	const char *name;
	enum program program;
	const char *help;		/* one line for the list of commands */
	const struct command *command;	/* NULL: this program was linked without it */
};

const char *program_name(enum program program);

/* one sentence for --help */
const char *program_doc(enum program program);

/**
 * catalogue_find - the command of this name, whichever program has it; NULL: there is none
 */
const struct entry *catalogue_find(const char *name);

/**
 * catalogue_nearest - the command that was probably meant; NULL: none is near
 */
const struct entry *catalogue_nearest(const char *name);

/**
 * catalogue_list - list the commands of a program, for its --help; of gvt-stat: all of them
 */
void catalogue_list(enum program program, FILE *out);

#endif
