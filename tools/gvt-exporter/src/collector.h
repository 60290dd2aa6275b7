/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is exported: the counters of all vGPUs, read anew each time, and names of VMs, which are
 * kept, as finding them means looking at every process.
 */
#ifndef GVT_EXPORTER_COLLECTOR_H
#define GVT_EXPORTER_COLLECTOR_H

#include <glib.h>

#include "host/counters.h"
#include "host/sysfs.h"

/* all members are NULL or 0 at first, apart from @sysroot */
struct collector {
	const char *sysroot;		/* directory with sys and proc; "" for the running system */
	struct sysfs *sysfs;
	GPtrArray *now;			/* struct vgpu_counters */
	GPtrArray *old;			/* the same, for rates: at least a second older; NULL: none */
	int64_t named_ns;		/* when all processes were last looked at */
};

/**
 * collector_read - read everything; it stays until the next call
 *
 * Never fails: what cannot be read is unknown, a vGPU that goes away meanwhile is partly so.
 */
void collector_read(struct collector *collector);

/**
 * collector_labels - begin the labels of a vGPU, or of the host on a GPU: pdev, vgpu and uuid
 *
 * The caller frees.
 */
GString *collector_labels(const struct vgpu_counters *vgpu);

#endif
