/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of gvt-stat that read traces, and what they may say of a damaged one.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

/* main.c's, under another name; see the Makefile */
int gvt_stat_main(int argc, char **argv);

/* copies one after the other are for one command: options stay as they are in a process */
#define COMMAND_BLOCK	64

/**
 * command_of - the command for the @seed-th copy
 */
const char *command_of(uint64_t seed);

/**
 * command_line - the words of a command for a copy at @path
 * @supervised: with a process of its own for what libtracecmd does
 *
 * g_strfreev() frees.
 */
char **command_line(const char *command, const char *path, bool supervised);

/* how a run ended that was not killed */
enum verdict {
	VERDICT_READ,
	VERDICT_REFUSED,
	VERDICT_CAUGHT,			/* a crash or a hang of libtracecmd, told as such */
	VERDICT_BAD_STATUS,
	VERDICT_BAD_MESSAGE,
	VERDICTS
};

/**
 * verdict_of - what to think of an exit status and of what stands on stderr, or NULL
 */
enum verdict verdict_of(int status, const char *err);

#endif
