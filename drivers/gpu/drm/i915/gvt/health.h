/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_HEALTH_H_
#define _GVT_HEALTH_H_

#include <linux/atomic.h>
#include <linux/types.h>

struct intel_vgpu;

/**
 * enum gvt_health_event - errors of a guest or its driver, and their consequences
 * @GVT_HEALTH_ENTRY: has written an invalid entry to a page table
 * @GVT_HEALTH_ROOT: has reused the memory of an address space before destroying it
 * @GVT_HEALTH_SUBMIT: has submitted a workload that was refused at once
 * @GVT_HEALTH_DISPATCH: has submitted a workload that was refused when its turn came
 * @GVT_HEALTH_HANG: has submitted a workload that the GPU did not finish
 * @GVT_HEALTH_ENGINE_RESET: has reset engines
 * @GVT_HEALTH_DEVICE_RESET: has been reset as a whole
 * @GVT_HEALTH_FAILSAFE: has been put into failsafe mode, in which nothing executes
 * @GVT_HEALTH_EVENTS: number of events
 */
enum gvt_health_event {
	GVT_HEALTH_ENTRY,
	GVT_HEALTH_ROOT,
	GVT_HEALTH_SUBMIT,
	GVT_HEALTH_DISPATCH,
	GVT_HEALTH_HANG,
	GVT_HEALTH_ENGINE_RESET,
	GVT_HEALTH_DEVICE_RESET,
	GVT_HEALTH_FAILSAFE,
	GVT_HEALTH_EVENTS
};

/* Counts since the creation of the vGPU */
struct intel_vgpu_health {
	atomic_t count[GVT_HEALTH_EVENTS];
	int failsafe_reason;
};

void intel_vgpu_health_note(struct intel_vgpu *vgpu, enum gvt_health_event event);
unsigned int intel_vgpu_health_failsafe(const struct intel_vgpu *vgpu);
ssize_t intel_vgpu_health_print(const struct intel_vgpu *vgpu, char *buf);

#endif
