/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows the progress of reading on a terminal.
 */
#ifndef GVT_STAT_PROGRESS_H
#define GVT_STAT_PROGRESS_H

#include "trace/info.h"

/**
 * progress_alive - report progress; call often while reading
 *
 * After one second, shows the progress in a line on stderr, if stderr is a terminal and no other
 * output goes to a terminal.
 */
void progress_alive(const struct trace_info *trace);

/**
 * progress_count - the same for work of which only the part done is known
 * @what: was done so often, in words
 */
void progress_count(const char *what, unsigned int count);

/**
 * progress_done - remove the line after reading
 */
void progress_done(void);

/**
 * progress_silent - show no progress, as the command prints while it reads
 */
void progress_silent(void);

#endif
