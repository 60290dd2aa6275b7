/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All commands, and the program of each; 'gvt-stat COMMAND' runs any command. A name of two words,
 * as "why waits", is that of a command that shows details of another one.
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
	PROGRAM_ALL = PROGRAMS,		/* contains all commands, for tests */
};

struct entry {
	const char *name;
	enum program program;
	const char *help;		/* one line for the list of commands */
	const struct command *command;	/* NULL: not linked into this program */
};

const char *program_name(enum program program);

/* one sentence for --help */
const char *program_doc(enum program program);

/**
 * catalogue_find - the command with this name, of any program; NULL: none
 */
const struct entry *catalogue_find(const char *name);

/**
 * catalogue_detail - the next command that shows details of this one, as "why waits" of "why"; NULL: none
 * @last: the one before; NULL: the first is wanted
 */
const struct entry *catalogue_detail(const char *name, const struct entry *last);

/**
 * catalogue_nearest - the command with the most similar name; NULL: none is similar
 */
const struct entry *catalogue_nearest(const char *name);

/**
 * catalogue_list - list the commands of a program for its --help; gvt-stat lists all
 */
void catalogue_list(enum program program, FILE *out);

#endif
