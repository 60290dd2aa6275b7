/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at a trace.dat file before libtracecmd gets it.
 *
 * The library of Debian 12 crashes on some damaged files, says little about
 * the others, and has no public call that tells the clock of a trace. This
 * walks the file's table of contents (trace-cmd.dat.v6(5), trace-cmd.dat.v7(5))
 * and nothing else; the events themselves are always read by the library.
 */
#ifndef GVT_STAT_DATFILE_H
#define GVT_STAT_DATFILE_H

#include <stdbool.h>

#define CLOCK_NAME_LEN	32

struct datfile {
	char clock[CLOCK_NAME_LEN];	/* "" when the file does not tell */
	bool tsc_to_ns;			/* libtracecmd converts cycles to nanoseconds */
};

/**
 * datfile_check - see that a file is a whole trace.dat and find its clock
 * @path: the file
 * @info: filled
 *
 * Ends the program with a message that says what is wrong with the file.
 */
void datfile_check(const char *path, struct datfile *info);

#endif
