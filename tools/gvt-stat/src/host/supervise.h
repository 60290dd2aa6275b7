/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a command in a child process, so that a damaged trace that makes libtracecmd crash or hang
 * ends in a message rather than a core dump.
 */
#ifndef GVT_STAT_SUPERVISE_H
#define GVT_STAT_SUPERVISE_H

/* CPU seconds without a call of supervise_alive() that count as a hang */
#define SUPERVISE_CPU_SECONDS	10

/**
 * supervise - run @command in a child and return its exit status
 * @path: the trace, for messages
 * @cpu_seconds: SUPERVISE_CPU_SECONDS, except in tests
 * @command: does everything, including output
 * @arg: for @command
 *
 * A crash, or @cpu_seconds of CPU time without a call of supervise_alive(), ends the program with a
 * message and status 1.
 */
int supervise(const char *path, int cpu_seconds, int (*command)(void *arg), void *arg);

/**
 * supervise_allow - raise the child's memory limit for a trace to read
 * @path: of its file
 *
 * The memory for a trace is at most proportional to its size. The initial limit is low, so that a
 * small file that claims to be large causes an error instead of swapping. Does nothing in a program
 * that is not supervised.
 */
void supervise_allow(const char *path);

/* The child reports that it is alive while it reads, and that it has finished reading. */
void supervise_alive(void);
void supervise_done(void);

#endif
