/* SPDX-License-Identifier: GPL-2.0-only */
/* Ratios by class: their distribution, and the mixes with the worst */

#ifndef GVT_SCHED_CLASSES_H
#define GVT_SCHED_CLASSES_H

#include <linux/types.h>

/* A ratio above this is worse */
#define CLASSES_WORSE 1.05

/**
 * classes_add - add a ratio
 * @name: the class; kept by reference
 * @what: the compared measure; kept by reference
 * @ratio: 1 for as good as the other mode, more for worse
 * @certain: the ratio is significantly above %CLASSES_WORSE
 * @seed: seed of the mix
 */
void classes_add(const char *name, const char *what, double ratio, bool certain, u64 seed);

/**
 * classes_print - print a line for each class and measure, and forget all ratios
 *
 * Classes are printed in the order in which they were first added.
 */
void classes_print(void);

#endif
