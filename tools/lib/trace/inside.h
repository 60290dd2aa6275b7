/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions on marks, windows, policies, pages and events for other rooms and tests, not programs.
 *
 * Private to the library.
 */
#ifndef GVTTRACE_TRACE_INSIDE_H
#define GVTTRACE_TRACE_INSIDE_H

#include "events.h"
#include "pages.h"
#include "recorded.h"
#include "timespan.h"

/**
 * recorded_new - no marks yet; recorded_free() frees
 */
struct recorded *recorded_new(void);
void recorded_free(struct recorded *recorded);

/**
 * recorded_mark - add a mark of the trace; ignores marks of other programs
 * @ts_ns: its time
 * @text: of the event ftrace:print; NULL: unreadable
 */
void recorded_mark(struct recorded *recorded, int64_t ts_ns, const char *text);

/**
 * recorded_vm - name of the VM of a process, NULL if not recorded
 */
const char *recorded_vm(const struct recorded *recorded, int64_t pid);

/**
 * timespan_resolve - turn a span into a window of a given trace
 * @span: as parsed
 * @trace: first and last moment of the trace
 *
 * The window is clipped to the trace: nothing was observed outside of it. Returns
 * a window with @from_ns > @to_ns if nothing is left.
 */
struct window timespan_resolve(const struct timespan *span, struct window trace);

/* events of the host's own work */
#define HOST_EVENTS	(EVENT_BIT(EVENT_HOST_START) | EVENT_BIT(EVENT_HOST_STOP) | \
			 EVENT_BIT(EVENT_HOST_STATE))

/**
 * sched_policy_lends - may a vGPU run without a slice when no other vGPU wants to run?
 */
bool sched_policy_lends(const char *policy);

/**
 * pages_end_page - let the next record begin a new page; its time may be earlier
 */
void pages_end_page(struct pages *pages);

/**
 * pages_mark_lost - events were lost before the next record
 * @count: how many, 0 if that is unknown
 */
void pages_mark_lost(struct pages *pages, uint64_t count);

/**
 * pages_set_number - write a number of @size bytes in the given byte order
 */
void pages_set_number(void *to, uint64_t value, size_t size, bool big_endian);

#endif
