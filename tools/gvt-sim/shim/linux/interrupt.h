/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_INTERRUPT_H_
#define _GVT_SIM_INTERRUPT_H_

#include <linux/kernel-more.h>

/* i915's submission tasklet is an event of the simulation: it runs after whoever runs now */
struct tasklet_struct {
	int count;
};

#define tasklet_disable_in_atomic(tasklet) ((tasklet)->count++)
#define tasklet_enable(tasklet) ((tasklet)->count--)
#define tasklet_hi_schedule(tasklet) ((void)(tasklet))

#define atomic_read(counter) (*(counter))

#endif
