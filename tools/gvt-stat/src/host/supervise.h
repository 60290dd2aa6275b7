/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run a command in a child process, so that a damaged trace that crashes
 * libtracecmd, or makes it loop for ever, ends in a message and not in a core.
 */
#ifndef GVT_STAT_SUPERVISE_H
#define GVT_STAT_SUPERVISE_H

/* seconds of CPU time without a sign of life that count as a hang */
#define SUPERVISE_CPU_SECONDS	10

/**
 * supervise - run @command in a child and return its exit status
 * @path: the trace, for messages
 * @cpu_seconds: SUPERVISE_CPU_SECONDS, but in tests
 * @command: does everything, output included
 * @arg: for @command
 *
 * A crash, or more than @cpu_seconds of work without a call of
 * supervise_alive(), is told in one line and ends the program with status 1.
 */
int supervise(const char *path, int cpu_seconds, int (*command)(void *arg), void *arg);

/**
 * supervise_allow - let the child use memory for a trace that it is about to read
 * @path: of its file
 *
 * What a trace needs grows at most with what is in it. A child starts with little,
 * so that a small file that claims to be large ends in an error and not in swap.
 * Does nothing in a program that is not supervised.
 */
void supervise_allow(const char *path);

/* The child's sign of life while it reads, and that it is done with reading. */
void supervise_alive(void);
void supervise_done(void);

#endif
