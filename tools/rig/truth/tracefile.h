/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_TRACEFILE_H
#define RIG_TRUTH_TRACEFILE_H

#include "hosts.h"

/**
 * tracefile_pieces - read a trace with libgvttrace
 * @path: trace.dat; if unreadable, the program exits with a message
 * @tsc_khz: rate of the clock x86-tsc; 0: from the trace
 * @hosts: receives an array of struct traced_host, which the caller frees, or NULL if the
 *	trace lacks the host's own work
 * @covered: receives the first and the last time of any workload's event
 *
 * Return: an array of struct traced_piece, which the caller frees, or NULL with
 * @error set if there is no workload at all.
 */
GArray *tracefile_pieces(const char *path, int64_t tsc_khz, GArray **hosts,
			 struct covered *covered, GError **error);

#endif
