/* SPDX-License-Identifier: GPL-2.0-only */
/* The workload thread of each engine, which submits workloads to i915 and completes them */
#ifndef GVT_SIM_THREAD_H
#define GVT_SIM_THREAD_H

#include "gvt.h"

/**
 * thread_init - create the threads
 */
void thread_init(struct intel_gvt *gvt);

#endif
