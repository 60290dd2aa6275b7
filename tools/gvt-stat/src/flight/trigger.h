/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a file is written after triggers, and what it is called.
 *
 * A trigger asks for a file that ends a little after it. Those that come meanwhile are in the same
 * file, which they extend, by the kept time at most. At most one file is written in each such time:
 * a trigger that comes sooner waits, and as the history begins anew with each file, nothing between
 * two files is missing.
 */
#ifndef GVT_STAT_TRIGGER_H
#define GVT_STAT_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* times are of CLOCK_MONOTONIC; initialised by triggers_init() */
struct triggers {
	int64_t keep_ns;		/* to keep before the first trigger of a file */
	int64_t after_ns;		/* to record after the last */
	int64_t first_ns, last_ns;	/* of those that wait for a file; UNKNOWN: none does */
	int64_t written_ns;		/* when the last file ended; UNKNOWN: there is none */
	char *cause;			/* of the first; NULL: none */
	unsigned int count;
};

void triggers_init(struct triggers *triggers, int64_t keep_ns, int64_t after_ns);

/**
 * triggers_add - something has happened
 * @cause: what, such as "p99:1>50ms"
 */
void triggers_add(struct triggers *triggers, const char *cause, int64_t now_ns);

/**
 * triggers_due - when a file is to be written; INT64_MAX: nothing has happened
 */
int64_t triggers_due(const struct triggers *triggers);

/**
 * triggers_need - the moment before which no event is needed
 */
int64_t triggers_need(const struct triggers *triggers, int64_t now_ns);

/**
 * triggers_done - the file is written, of events until @now_ns
 */
void triggers_done(struct triggers *triggers, int64_t now_ns);

/**
 * trigger_path - name of a file: "out.dat" becomes "out-20261130-235959-p99-1-50ms.dat"
 * @when: of the first trigger
 *
 * A file that is there is not replaced: the name has a number then. The caller frees.
 */
char *trigger_path(const char *output, GDateTime *when, const char *cause);

#endif
