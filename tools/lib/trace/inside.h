/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other rooms ask of marks and windows, and no program does.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_TRACE_INSIDE_H
#define GVTTRACE_TRACE_INSIDE_H

#include "recorded.h"
#include "timespan.h"

/**
 * recorded_new - nothing told yet; recorded_free() frees
 */
struct recorded *recorded_new(void);
void recorded_free(struct recorded *recorded);

/**
 * recorded_mark - take a mark of the trace; others than ours are ignored
 * @text: of the event ftrace:print; NULL: unreadable
 */
void recorded_mark(struct recorded *recorded, const char *text);

/**
 * recorded_vm - name of the VM of a process, NULL if it was not told
 */
const char *recorded_vm(const struct recorded *recorded, int64_t pid);

/**
 * timespan_resolve - turn a span into a window of a given trace
 * @span: as parsed
 * @trace: first and last moment of the trace
 *
 * The window is never larger than the trace: what lies outside was not
 * observed. Returns a window with @from_ns > @to_ns when nothing is left.
 */
struct window timespan_resolve(const struct timespan *span, struct window trace);

#endif
