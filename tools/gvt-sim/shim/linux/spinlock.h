/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_SPINLOCK_H_
#define _GVT_SIM_SPINLOCK_H_

#include <linux/kernel-more.h>

typedef struct {
	char none;
} spinlock_t;

struct mutex {
	char none;
};

#define spin_lock_init(lock) ((void)(lock))
#define spin_lock_irq(lock) ((void)(lock))
#define spin_unlock_irq(lock) ((void)(lock))
#define spin_lock_irqsave(lock, flags) ((void)(lock), (flags) = 0)
#define spin_unlock_irqrestore(lock, flags) ((void)(lock), (void)(flags))
#define mutex_lock(lock) ((void)(lock))
#define mutex_unlock(lock) ((void)(lock))

struct lock_class_key {
	int unused;
};

#define lockdep_set_class_and_name(lock, key, name) ((void)(key))

#endif
