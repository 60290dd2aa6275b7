/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_BENCH_HOLDS_H
#define RIG_BENCH_HOLDS_H

#include <glib.h>

/**
 * holds_read - when the GPU was kept idle on purpose
 * @path: output of "trace-cmd report -R -N"; only lines of gvt_sched_hold count
 *
 * The event is emitted when the hold ends, and has its length.
 *
 * Return: an array of struct interval, merged, or NULL with @error set.
 */
GArray *holds_read(const char *path, GError **error);

#endif
