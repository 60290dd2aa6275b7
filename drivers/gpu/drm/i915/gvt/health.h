/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _GVT_HEALTH_H_
#define _GVT_HEALTH_H_

#include <linux/atomic.h>
#include <linux/types.h>

struct intel_vgpu;

/**
 * enum gvt_health_event - what a guest, or its driver, has done wrong
 * @GVT_HEALTH_ENTRY: has written to a page table what cannot be an entry
 * @GVT_HEALTH_ROOT: has used the memory of an address space for something else
 * @GVT_HEALTH_SUBMIT: has submitted a workload that was refused at once
 * @GVT_HEALTH_DISPATCH: has submitted one that was refused when it was its turn
 * @GVT_HEALTH_HANG: has submitted one that the GPU did not get done
 * @GVT_HEALTH_ENGINE_RESET: has reset engines
 * @GVT_HEALTH_DEVICE_RESET: has been reset as a whole
 * @GVT_HEALTH_FAILSAFE: has been put in failsafe mode, where nothing executes
 * @GVT_HEALTH_EVENTS: how many there are
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

/* Counted since the vGPU was made */
struct intel_vgpu_health {
	atomic_t count[GVT_HEALTH_EVENTS];
	int failsafe_reason;
};

void intel_vgpu_health_note(struct intel_vgpu *vgpu, enum gvt_health_event event);
unsigned int intel_vgpu_health_failsafe(const struct intel_vgpu *vgpu);
ssize_t intel_vgpu_health_print(const struct intel_vgpu *vgpu, char *buf);

#endif
