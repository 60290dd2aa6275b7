/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tells people at a terminal that reading goes on.
 */
#ifndef GVT_STAT_PROGRESS_H
#define GVT_STAT_PROGRESS_H

#include "trace/info.h"

/**
 * progress_alive - a sign of life, to be called often while reading
 *
 * After a second, a line on stderr shows how far reading has come, if stderr is
 * a terminal and nothing else is being written to one.
 */
void progress_alive(const struct trace_info *trace);

/**
 * progress_done - reading is over: remove the line
 */
void progress_done(void);

/**
 * progress_silent - the command prints while it reads
 */
void progress_silent(void);

#endif
