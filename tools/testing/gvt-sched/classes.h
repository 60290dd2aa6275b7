/* SPDX-License-Identifier: GPL-2.0-only */
/* Ratios by class: how they are spread, and which mixes have the worst ones */

#ifndef GVT_SCHED_CLASSES_H
#define GVT_SCHED_CLASSES_H

#include <linux/types.h>

/* A ratio above this is worse */
#define CLASSES_WORSE 1.05

/**
 * classes_add - one more ratio
 * @name: the class; kept by reference
 * @what: what is compared; kept by reference
 * @ratio: 1 for as good as the other one, more for worse
 * @certain: it is above %CLASSES_WORSE beyond what may be chance
 * @seed: of the mix that it was seen in
 */
void classes_add(const char *name, const char *what, double ratio, bool certain, u64 seed);

/**
 * classes_print - print a line for each class and what was compared
 *
 * They come in the order in which they were first seen, and are forgotten afterwards.
 */
void classes_print(void);

#endif
