/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times in which CPUs tell nothing: there was nothing to tell, or it is not in the file.
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
 * silences_new - none; an array of struct silence; g_array_unref() frees
 */
GArray *silences_new(void);

/**
 * silences_add - one more, but not of length 0
 */
void silences_add(GArray *silences, int64_t from_ns, int64_t to_ns);

/**
 * silence_holds - was what came at some time between @from_ns and @to_ns rather in it than not?
 */
bool silence_holds(const struct silence *silence, int64_t from_ns, int64_t to_ns);

/* silences in which something may be missing, and those that explain it */
struct silences {
	GArray *doubtful;		/* struct silence: of CPUs of which nothing tells whether they are whole */
	GArray *ends;			/* of these, those of CPUs that tell something before or after */
	GArray *explained;		/* of CPUs that are known not to be whole */
};

/**
 * silences_any - does any of them hold what came between these times?
 */
bool silences_any(const GArray *silences, int64_t from_ns, int64_t to_ns);

/**
 * silences_doubt - may what is missing between these times tell something of the doubtful ones?
 */
bool silences_doubt(const struct silences *silences, int64_t from_ns, int64_t to_ns);

#endif
