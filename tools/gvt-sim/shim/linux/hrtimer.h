/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_HRTIMER_H_
#define _GVT_SIM_HRTIMER_H_

#include <linux/kernel-more.h>

/* The scheduler's only timer */
struct hrtimer {
	u64 expires_ns;
	u64 started;		/* how often */
	bool on;
};

#define HRTIMER_MODE_ABS 0

void hrtimer_start(struct hrtimer *timer, u64 expires_ns, int mode);
void hrtimer_cancel(struct hrtimer *timer);

#endif
