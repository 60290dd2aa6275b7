/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SCHED_USER_AVERAGE_H_
#define _GVT_SCHED_USER_AVERAGE_H_

#include <linux/kernel.h>

/* Exponentially weighted moving average: see the kernel's header of this name */
#define DECLARE_EWMA(name, precision, weight_rcp)				\
	struct ewma_##name {							\
		unsigned long internal;						\
	};									\
	static inline __maybe_unused void ewma_##name##_init(struct ewma_##name *e) \
	{									\
		e->internal = 0;						\
	}									\
	static inline __maybe_unused unsigned long				\
	ewma_##name##_read(struct ewma_##name *e)				\
	{									\
		return e->internal >> (precision);				\
	}									\
	static inline __maybe_unused void					\
	ewma_##name##_add(struct ewma_##name *e, unsigned long val)		\
	{									\
		unsigned long new = val << (precision);				\
										\
		e->internal = e->internal ?					\
			(e->internal * ((weight_rcp) - 1) + new) / (weight_rcp) : new; \
	}

#endif /* _GVT_SCHED_USER_AVERAGE_H_ */
