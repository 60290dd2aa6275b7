/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time between two samples of the counter, in portions: who executed for how long, alone or
 * together with whom.
 */
#ifndef GVT_STAT_ENERGY_PORTIONS_H
#define GVT_STAT_ENERGY_PORTIONS_H

#include <stdint.h>

#include <glib.h>

#include "timeline.h"

/*
 * Quantities of an interval, in ns. With c consumers:
 *
 *   0                  idle: nobody executes
 *   1                  lost events: it is not known who executes
 *   2 ..               busy: the consumer executes
 *   2 + c ..           fair: 1/n of the time in which it and n - 1 others execute
 *   2 + 2 c ..         together: two consumers execute, 2/n of the time if n do
 *
 * Together, weighted so, sums up to n - 1 over all pairs. That is the number of times that what is
 * drawn in any case (RC0) is in the n powers of consumers once too often: with one coefficient for
 * each pair, that of what is shared by two of them, sums are right for any n.
 */
#define PORTION_IDLE	0
#define PORTION_LOST	1

/* a quantity of an interval that is not 0 */
struct portion {
	uint32_t quantity;
	double ns;
};

/* an interval between two samples of which the counter tells the energy */
struct stint {
	guint first, count;		/* of its portions */
	int64_t length_ns;
	double nj;
};

struct portions {
	unsigned int consumers;
	unsigned int quantities;
	GArray *all;			/* struct portion, stint by stint */
	GArray *stints;			/* struct stint */
};

/**
 * portions_new - cut the timeline at its samples; portions_free() frees
 * @timeline: complete
 */
struct portions *portions_new(const struct timeline *timeline);
void portions_free(struct portions *portions);

/**
 * portion_busy, portion_fair, portion_together - numbers of quantities
 * @a, @b: numbers of consumers, @a < @b
 */
unsigned int portion_busy(const struct portions *portions, unsigned int a);
unsigned int portion_fair(const struct portions *portions, unsigned int a);
unsigned int portion_together(const struct portions *portions, unsigned int a, unsigned int b);

#endif
