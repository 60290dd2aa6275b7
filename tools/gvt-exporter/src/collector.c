// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "host/vm.h"
#include "trace/util.h"
#include "collector.h"
#include "exposition.h"

/* between looks at all processes for the VM of a vGPU that has none yet */
#define NAMES_EVERY_NS	(30 * NSEC_PER_SEC)
/* over less time, rates are mostly noise; as the kernel's exec_percent */
#define RATE_LEAST_NS	NSEC_PER_SEC

static const struct sysfs_vgpu *find(const struct sysfs *sysfs, const struct sysfs_vgpu *vgpu)
{
	for (unsigned int nr = 0; sysfs && nr < sysfs->vgpus->len; nr++) {
		const struct sysfs_vgpu *other = sysfs->vgpus->pdata[nr];

		if (other->id == vgpu->id && !strcmp(other->uuid, vgpu->uuid))
			return other;
	}
	return NULL;
}

/* Returns whether all processes have to be looked at: for new vGPUs at once, for others now and then. */
static bool keep_names(struct collector *collector, const struct sysfs *sysfs, int64_t now_ns)
{
	bool due = now_ns - collector->named_ns >= NAMES_EVERY_NS, look = false;

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];
		const struct sysfs_vgpu *was = find(collector->sysfs, vgpu);

		if (was && known(was->pid) && vm_still_uses(collector->sysroot, was)) {
			vgpu->pid = was->pid;
			vgpu->vm = g_strdup(was->vm);
		} else if (!was || due) {
			look = true;
		}
	}
	return look;
}

/* those that went away since they were listed */
static void drop_gone(GPtrArray *vgpus)
{
	for (unsigned int nr = vgpus->len; nr-- > 0; )
		if (!known(((const struct sysfs_vgpu *)vgpus->pdata[nr])->id))
			g_ptr_array_remove_index(vgpus, nr);
}

static void scan(struct collector *collector)
{
	struct sysfs *sysfs = sysfs_scan(collector->sysroot);
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	drop_gone(sysfs->vgpus);
	if (keep_names(collector, sysfs, now_ns)) {
		vm_find(collector->sysroot, sysfs->vgpus);
		collector->named_ns = now_ns;
	}
	if (collector->sysfs)
		sysfs_free(collector->sysfs);
	collector->sysfs = sysfs;
}

static int64_t age_of(const GPtrArray *counters)
{
	const struct vgpu_counters *first = counters->len ? counters->pdata[0] : NULL;

	return first ? clock_ns(CLOCK_MONOTONIC) - first->at_ns : 0;
}

void collector_read(struct collector *collector)
{
	scan(collector);
	if (collector->now && age_of(collector->now) >= RATE_LEAST_NS) {
		if (collector->old)
			g_ptr_array_free(collector->old, TRUE);
		collector->old = collector->now;
	} else if (collector->now) {
		g_ptr_array_free(collector->now, TRUE);
	}
	collector->now = counters_read(collector->sysfs);
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
