/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequences of numbers that fill a span evenly, independently of each other */
#ifndef GVT_SIM_SEQUENCE_H
#define GVT_SIM_SEQUENCE_H

#include <linux/kernel-more.h>

/**
 * sequence_at - a number of a sequence, in 2^-32
 * @nr: of the number
 * @seed: of the sequence
 *
 * Of the first 2^n numbers of a sequence, one is in each 2^n-th of the span. Multiples of irrational
 * numbers are as even, but there are few of which two are not alike within ten numbers.
 */
u32 sequence_at(u32 nr, u32 seed);

#endif
