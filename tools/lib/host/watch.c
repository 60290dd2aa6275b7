// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "trace/util.h"
#include "counters.h"
#include "vm.h"
#include "watch.h"

/* between looks at all processes for the VM of a vGPU that has none yet */
#define NAMES_EVERY_NS	(30 * NSEC_PER_SEC)

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
static bool keep_names(struct watch *watch, const struct sysfs *sysfs, int64_t now_ns)
{
	bool due = now_ns - watch->named_ns >= NAMES_EVERY_NS, look = false;

	for (unsigned int nr = 0; nr < sysfs->vgpus->len; nr++) {
		struct sysfs_vgpu *vgpu = sysfs->vgpus->pdata[nr];
		const struct sysfs_vgpu *was = find(watch->sysfs, vgpu);

		if (was && known(was->pid) && vm_still_uses(watch->sysroot, was)) {
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

void watch_clear(struct watch *watch)
{
	if (watch->sysfs)
		sysfs_free(watch->sysfs);
	watch->sysfs = NULL;
}

void watch_scan(struct watch *watch)
{
	struct sysfs *sysfs = sysfs_scan(watch->sysroot);
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	drop_gone(sysfs->vgpus);
	if (keep_names(watch, sysfs, now_ns)) {
		vm_find(watch->sysroot, sysfs->vgpus);
		watch->named_ns = now_ns;
	}
	watch_clear(watch);
	watch->sysfs = sysfs;
}
