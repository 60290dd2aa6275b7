/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_BENCH_HOLDS_H
#define RIG_BENCH_HOLDS_H

#include <glib.h>

/**
 * holds_read - when the GPU was kept idle on purpose
 * @path: lines of "trace-cmd report -R -N"; those of gvt_sched_hold are taken
 *
 * The event comes when the hold ends and tells how long it was.
 *
 * Return: an array of struct interval, merged, or NULL with @error set.
 */
GArray *holds_read(const char *path, GError **error);

#endif
