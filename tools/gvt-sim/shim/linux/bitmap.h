/* SPDX-License-Identifier: GPL-2.0-only */
/* Bitmaps of one word, which is enough for vGPUs */
#ifndef _GVT_SIM_BITMAP_H_
#define _GVT_SIM_BITMAP_H_

#include <linux/kernel-more.h>

#define DECLARE_BITMAP(name, bits)					\
	unsigned long name[1];						\
	static_assert((bits) <= 8 * sizeof(long), "one word holds it")

#define bitmap_empty(bitmap, bits) (!*(bitmap))
#define bitmap_weight(bitmap, bits) ((u32)__builtin_popcountl(*(bitmap)))

#endif
