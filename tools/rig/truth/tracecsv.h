/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_TRACECSV_H
#define RIG_TRUTH_TRACECSV_H

#include "piece.h"

/**
 * tracecsv_pieces - read the output of "gvt-stat list workloads --pieces --csv"
 *
 * Columns are found by name; other columns are ignored; an empty field is a time
 * outside the trace.
 *
 * Return: an array of struct traced_piece, which the caller frees, or NULL
 * with @error set.
 */
GArray *tracecsv_pieces(const char *path, GError **error);

/**
 * tracecsv_workloads - read the output of "gvt-stat list workloads --csv"
 *
 * Return: an array of struct traced_workload, which the caller frees, or NULL
 * with @error set.
 */
GArray *tracecsv_workloads(const char *path, GError **error);

/**
 * tracecsv_window - the time that the trace covers
 * @path: the output of "gvt-stat list workloads --csv"
 *
 * Return: true, and in @window the first and the last time of any workload's
 * event but its queueing; false with @error set, also when there is no workload at all.
 */
bool tracecsv_window(const char *path, struct covered *window, GError **error);

#endif
