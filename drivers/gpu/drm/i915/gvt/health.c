// SPDX-License-Identifier: GPL-2.0-only

#include <linux/sysfs.h>

#include "i915_drv.h"
#include "gvt.h"
#include "health.h"
#include "health_trace.h"

static const struct {
	const char *name;
	const char *message;	/* logged for the first event; NULL for none */
} events[GVT_HEALTH_EVENTS] = {
	[GVT_HEALTH_ENTRY] = { "bad_entries", "writes invalid page table entries" },
	[GVT_HEALTH_ROOT] = { "reused_roots", "reuses memory of live address spaces" },
	[GVT_HEALTH_SUBMIT] = { "refused_submits", "submits workloads that are refused" },
	[GVT_HEALTH_DISPATCH] = { "refused_workloads", "submits workloads that cannot execute" },
	[GVT_HEALTH_HANG] = { "hangs", "submits workloads that hang the GPU" },
	[GVT_HEALTH_ENGINE_RESET] = { "engine_resets" },
	[GVT_HEALTH_DEVICE_RESET] = { "device_resets" },
	[GVT_HEALTH_FAILSAFE] = { "failsafe_entries" },	/* enter_failsafe_mode() logs the reason */
};

static const char * const failsafe_names[] = {
	[0] = "no",
	[GVT_FAILSAFE_UNSUPPORTED_GUEST + 1] = "unsupported_guest",
	[GVT_FAILSAFE_INSUFFICIENT_RESOURCE + 1] = "insufficient_resource",
	[GVT_FAILSAFE_GUEST_ERR + 1] = "guest_error",
};

/*
 * Trace each of the first 128 events of a kind, then one for each increase of the count by at
 * most 1.6 %: a guest decides how often events happen, and must not fill the trace buffers.
 */
static bool is_traced(unsigned int count)
{
	return !(count & (BIT(max(fls(count) - 7, 0)) - 1));
}

/**
 * intel_vgpu_health_failsafe - whether a vGPU is in failsafe mode
 * @vgpu: a vGPU
 *
 * Return: 0 if not, else one more than the reason, GVT_FAILSAFE_...
 */
unsigned int intel_vgpu_health_failsafe(const struct intel_vgpu *vgpu)
{
	return READ_ONCE(vgpu->failsafe) ? READ_ONCE(vgpu->health.failsafe_reason) + 1 : 0;
}

/**
 * intel_vgpu_health_note - count a health event of a vGPU
 * @vgpu: a vGPU
 * @event: the event
 *
 * Logs the first event of each kind that has a message.
 */
void intel_vgpu_health_note(struct intel_vgpu *vgpu, enum gvt_health_event event)
{
	unsigned int count = atomic_inc_return(&vgpu->health.count[event]);

	if (is_traced(count))
		trace_gvt_vgpu_health(vgpu);
	if (count == 1 && events[event].message)
		pr_warn_ratelimited("gvt: vgpu %d: the guest %s; intel_vgpu/health counts how often\n",
				    vgpu->id, events[event].message);
}

/**
 * intel_vgpu_health_print - print all health data of a vGPU
 * @vgpu: a vGPU
 * @buf: a sysfs page
 *
 * Return: the number of bytes printed, in lines of a name and a value
 */
ssize_t intel_vgpu_health_print(const struct intel_vgpu *vgpu, char *buf)
{
	ssize_t n = 0;
	int i;

	for (i = 0; i < GVT_HEALTH_EVENTS; i++)
		n += sysfs_emit_at(buf, n, "%s %u\n", events[i].name,
				   (unsigned int)atomic_read(&vgpu->health.count[i]));

	n += sysfs_emit_at(buf, n, "failsafe %s\n",
			   failsafe_names[intel_vgpu_health_failsafe(vgpu)]);

	return n;
}
