/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_SIM_I915_TASKLET_H_
#define _GVT_SIM_I915_TASKLET_H_

#include <linux/interrupt.h>

#define tasklet_lock(tasklet) ((void)(tasklet))
#define tasklet_unlock(tasklet) ((void)(tasklet))
#define __tasklet_is_enabled(tasklet) ((void)(tasklet), true)

#endif
