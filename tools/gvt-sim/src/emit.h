/* SPDX-License-Identifier: GPL-2.0-only */
/* Output of the driver's trace events: text lines on stdout */
#ifndef GVT_SIM_EMIT_H
#define GVT_SIM_EMIT_H

#include <linux/kernel-more.h>

/**
 * emit_from - emit events from now on; earlier events are dropped
 * @zero_ns: origin of the printed times
 */
void emit_from(u64 zero_ns);

/**
 * emit_knows - does the driver have an event with this name?
 * @len: of the name
 */
bool emit_knows(const char *name, size_t len);

/**
 * emit_only - restrict the output to events with these names
 * @names: separated by commas; kept by reference
 */
void emit_only(const char *names);

/**
 * emit_to - pass events to a function instead of stdout
 * @line: gets each event as a line of text without its time
 */
void emit_to(void (*line)(u64 now, const char *event));

#endif
