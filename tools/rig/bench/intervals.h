/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stretches of time in ns, from begin (in) to end (out). */
#ifndef RIG_BENCH_INTERVALS_H
#define RIG_BENCH_INTERVALS_H

#include <glib.h>
#include <stdint.h>

struct interval {
	int64_t begin_ns, end_ns;
};

/* intervals_new - an empty array of struct interval, freed by g_array_free() */
GArray *intervals_new(void);

void intervals_add(GArray *a, int64_t begin_ns, int64_t end_ns);

/* intervals_add_all - append those of @from to @a */
void intervals_add_all(GArray *a, const GArray *from);

/* intervals_merge - sort by time and join overlapping or touching intervals */
void intervals_merge(GArray *a);

/* intervals_covered - how much of @window merged intervals cover, in ns */
int64_t intervals_covered(const GArray *a, const struct interval *window);

#endif
