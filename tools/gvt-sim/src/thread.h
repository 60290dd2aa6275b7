/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread of each engine, which gives workloads to i915 and completes them */
#ifndef GVT_SIM_THREAD_H
#define GVT_SIM_THREAD_H

#include "gvt.h"

/**
 * thread_init - make the threads
 */
void thread_init(struct intel_gvt *gvt);

#endif
