/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_TRACEFILE_H
#define RIG_TRUTH_TRACEFILE_H

#include "hosts.h"

/**
 * tracefile_pieces - read a trace as libgvttrace has it
 * @path: trace.dat; the program ends with a message if it cannot be read
 * @tsc_khz: rate of the clock x86-tsc; 0: as the trace tells
 * @hosts: set to an array of struct traced_host, which the caller frees, or to NULL if the
 *	trace does not tell of the host's own work
 * @covered: filled with the first and the last time of any workload's event
 *
 * Return: an array of struct traced_piece, which the caller frees, or NULL with
 * @error set if there is no workload at all.
 */
GArray *tracefile_pieces(const char *path, int64_t tsc_khz, GArray **hosts,
			 struct covered *covered, GError **error);

#endif
