// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/util.h"
#include "collector.h"
#include "exposition.h"

/* over less time, rates are mostly noise; as the kernel's exec_percent */
#define RATE_LEAST_NS	NSEC_PER_SEC

/* those of a host without vGPUs have none, and are of no use */
static int64_t age_of(const GPtrArray *counters)
{
	const struct vgpu_counters *first = counters->len ? counters->pdata[0] : NULL;

	return first ? clock_ns(CLOCK_MONOTONIC) - first->at_ns : INT64_MAX;
}

void collector_read(struct collector *collector)
{
	watch_scan(&collector->watch);
	g_clear_pointer(&collector->now, g_ptr_array_unref);
	collector->now = counters_read(collector->watch.sysfs);
	/* however often is asked, rates are of the last second or two */
	if (!collector->next || age_of(collector->next) >= RATE_LEAST_NS) {
		g_clear_pointer(&collector->old, g_ptr_array_unref);
		collector->old = collector->next;
		collector->next = g_ptr_array_ref(collector->now);
	}
	sysfs_close_unused();
}

GString *collector_labels(const struct vgpu_counters *vgpu)
{
	GString *labels = g_string_new(NULL);

	label_add(labels, "pdev", vgpu->gpu);
	if (counters_is_host(vgpu))
		return labels;
	label_add_number(labels, "vgpu", vgpu->id);
	label_add(labels, "uuid", vgpu->uuid);
	return labels;
}
