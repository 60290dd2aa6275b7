/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_INTERRUPT_H_
#define _GVT_SIM_INTERRUPT_H_

#include <linux/kernel-more.h>

/* i915's submission tasklet is an event of the simulation: it runs after whoever runs now */
struct tasklet_struct {
	unsigned long state;
	int count;
};

#define tasklet_hi_schedule(tasklet) ((void)(tasklet))

#define atomic_read(counter) (*(counter))

#endif
