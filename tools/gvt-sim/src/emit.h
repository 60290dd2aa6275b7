/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the driver's trace events go: to stdout, as lines of text */
#ifndef GVT_SIM_EMIT_H
#define GVT_SIM_EMIT_H

#include <linux/kernel-more.h>

/**
 * emit_from - emit events from now on; before, none are
 * @zero_ns: the time that is told as 0
 */
void emit_from(u64 zero_ns);

/**
 * emit_knows - does the driver have an event of this name?
 * @len: of the name
 */
bool emit_knows(const char *name, size_t len);

/**
 * emit_only - emit only events whose names are among these
 * @names: separated by commas; kept by reference
 */
void emit_only(const char *names);

/**
 * emit_to - have events given to a function instead
 * @line: told each event as a line of text without its time
 */
void emit_to(void (*line)(u64 now, const char *event));

#endif
