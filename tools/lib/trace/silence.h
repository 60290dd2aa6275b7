/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times without any event of a CPU: nothing happened, or its events are not in the file.
 *
 * Private to this room.
 */
#ifndef GVTTRACE_SILENCE_H
#define GVTTRACE_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

struct silence {
	int64_t from_ns, to_ns;
};

/**
 * silences_new - an empty array of struct silence; g_array_unref() frees
 */
GArray *silences_new(void);

/**
 * silences_add - add a silence, unless its length is 0
 */
void silences_add(GArray *silences, int64_t from_ns, int64_t to_ns);

/**
 * silence_holds - does the silence cover most of the time between @from_ns and @to_ns?
 */
bool silence_holds(const struct silence *silence, int64_t from_ns, int64_t to_ns);

/* silences that may hide events, and those that explain missing ones */
struct silences {
	GArray *doubtful;		/* struct silence: of CPUs that may lack events, or not */
	GArray *ends;			/* of these, before a CPU's first or after its last event */
	GArray *explained;		/* of CPUs that certainly lack events */
};

/**
 * silences_any - does any of them hold (silence_holds()) an event between these times?
 */
bool silences_any(const GArray *silences, int64_t from_ns, int64_t to_ns);

/**
 * silences_doubt - may an event missing between these times be evidence on a doubtful silence?
 */
bool silences_doubt(const struct silences *silences, int64_t from_ns, int64_t to_ns);

#endif
