/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What <linux/math64.h> brings since Linux 6.6, in the words of the definition
 * that i915 had before. Not part of the mail series.
 */
#include_next <linux/math64.h>

#ifndef abs_diff
#define abs_diff(a, b) ({			\
	typeof(a) __a = (a);			\
	typeof(b) __b = (b);			\
	(void) (&__a == &__b);			\
	__a > __b ? (__a - __b) : (__b - __a); })
#endif
