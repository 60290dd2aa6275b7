// SPDX-License-Identifier: GPL-2.0-only

#include <linux/sysfs.h>

#include "i915_drv.h"
#include "gvt.h"
#include "health.h"

static const struct {
	const char *name;
	const char *message;	/* for the first one; NULL: nothing to worry about */
} events[GVT_HEALTH_EVENTS] = {
	[GVT_HEALTH_ENTRY] = { "bad_entries", "writes to a page table what is no entry" },
	[GVT_HEALTH_ROOT] = { "reused_roots", "uses a page table's memory before it has said so" },
	[GVT_HEALTH_SUBMIT] = { "refused_submits", "submits what is refused" },
	[GVT_HEALTH_DISPATCH] = { "refused_workloads", "submits what cannot be executed" },
	[GVT_HEALTH_HANG] = { "hangs", "submits what hangs the GPU" },
	[GVT_HEALTH_ENGINE_RESET] = { "engine_resets" },
	[GVT_HEALTH_DEVICE_RESET] = { "device_resets" },
	[GVT_HEALTH_FAILSAFE] = { "failsafe_entries" },	/* enter_failsafe_mode() says why */
};

static const char * const failsafe_reasons[] = {
	[GVT_FAILSAFE_UNSUPPORTED_GUEST] = "unsupported_guest",
	[GVT_FAILSAFE_INSUFFICIENT_RESOURCE] = "insufficient_resource",
	[GVT_FAILSAFE_GUEST_ERR] = "guest_error",
};

/**
 * intel_vgpu_health_note - count what has happened to a vGPU
 * @vgpu: a vGPU
 * @event: what it was
 *
 * The kernel's log has the first one of each kind.
 */
void intel_vgpu_health_note(struct intel_vgpu *vgpu, enum gvt_health_event event)
{
	if (atomic_inc_return(&vgpu->health.count[event]) == 1 && events[event].message)
		pr_warn_ratelimited("gvt: vgpu %d: the guest %s; intel_vgpu/health counts how often\n",
				    vgpu->id, events[event].message);
}

/**
 * intel_vgpu_health_print - all that is known of a vGPU's health
 * @vgpu: a vGPU
 * @buf: a page of sysfs
 *
 * Returns: how much has been printed, lines of a name and a value
 */
ssize_t intel_vgpu_health_print(const struct intel_vgpu *vgpu, char *buf)
{
	const char *failsafe = "no";
	ssize_t n = 0;
	int i;

	for (i = 0; i < GVT_HEALTH_EVENTS; i++)
		n += sysfs_emit_at(buf, n, "%s %u\n", events[i].name,
				   (unsigned int)atomic_read(&vgpu->health.count[i]));

	if (READ_ONCE(vgpu->failsafe))
		failsafe = failsafe_reasons[READ_ONCE(vgpu->health.failsafe_reason)];
	n += sysfs_emit_at(buf, n, "failsafe %s\n", failsafe);

	return n;
}
