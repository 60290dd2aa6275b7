/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread of each engine, which gives workloads to i915 and completes them */
#ifndef GVT_SIM_THREAD_H
#define GVT_SIM_THREAD_H

#include "gvt.h"

/**
 * thread_init - make the threads
 */
void thread_init(struct intel_gvt *gvt);

/**
 * thread_follow - from now on threads submit and complete only what they are told
 */
void thread_follow(void);

/**
 * thread_submit - a workload is submitted
 * @workload: one that is queued and not submitted
 *
 * Return: false if the scheduler would not have chosen it; it is submitted in any case.
 */
bool thread_submit(struct intel_vgpu_workload *workload);

/**
 * thread_complete - a workload is complete; frees it
 * @workload: one that has executed
 */
void thread_complete(struct intel_vgpu_workload *workload);

/**
 * thread_has - a thread waits for a workload that was submitted with exclusive dispatch
 */
void thread_has(struct intel_vgpu_workload *workload);

#endif
