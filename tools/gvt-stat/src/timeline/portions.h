/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time between two samples of the counter, in portions: who executed for how long, alone or
 * together with whom.
 */
#ifndef GVT_STAT_TIMELINE_PORTIONS_H
#define GVT_STAT_TIMELINE_PORTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "trace/util.h"
#include "timeline.h"

/*
 * Quantities of an interval, in ns. With c consumers:
 *
 *   0                  idle: nobody executes
 *   1                  lost events: it is not known who executes
 *   2                  awake: nobody executes, but somebody has until a moment ago
 *   3 ..               busy: the consumer executes
 *   3 + c ..           fair: 1/n of the time in which it and n - 1 others execute
 *   3 + 2 c ..         together: two consumers execute, 2/n of the time if n do
 *
 * i915 lets the GPU enter RC6 up to a tick of 4 ms after its last request: until then it draws
 * as in RC0.
 *
 * Together, weighted so, sums up to n - 1 over all pairs. That is the number of times that what is
 * drawn in any case (RC0) is in the n powers of consumers once too often: with one coefficient for
 * each pair, that of what is shared by two of them, sums are right for any n.
 */
#define PORTION_IDLE	0
#define PORTION_LOST	1
#define PORTION_AWAKE	2
/* half of a tick, its mean */
#define PORTION_AWAKE_NS	(2 * NSEC_PER_MSEC)

/* a quantity of an interval that is not 0 */
struct portion {
	uint32_t quantity;
	double ns;
};

/* an interval between two samples, whose energy is known */
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
 * portions_empty - no interval yet; portions_free() frees
 */
struct portions *portions_empty(unsigned int consumers);

/**
 * portions_add - add an interval
 * @ns: of each quantity
 */
void portions_add(struct portions *portions, const double *ns, int64_t length_ns, double nj);

/**
 * portions_stint, portions_at - an interval; one of its portions, by numbers below their counts
 */
static inline const struct stint *portions_stint(const struct portions *portions, guint nr)
{
	return &g_array_index(portions->stints, struct stint, nr);
}

static inline const struct portion *portions_at(const struct portions *portions, const struct stint *stint,
						guint nr)
{
	return &g_array_index(portions->all, struct portion, stint->first + nr);
}

/**
 * portions_certain - is it known who executed in all of the interval?
 */
bool portions_certain(const struct portions *portions, const struct stint *stint);

/**
 * portion_is_pair - is the quantity a "together"?
 */
bool portion_is_pair(const struct portions *portions, unsigned int quantity);

/**
 * portion_busy, portion_fair, portion_together - numbers of quantities
 * @a, @b: numbers of consumers, @a < @b
 */
unsigned int portion_busy(const struct portions *portions, unsigned int a);
unsigned int portion_fair(const struct portions *portions, unsigned int a);
unsigned int portion_together(const struct portions *portions, unsigned int a, unsigned int b);

#endif
