/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is exported: the counters of all vGPUs, read anew each time.
 */
#ifndef GVT_EXPORTER_COLLECTOR_H
#define GVT_EXPORTER_COLLECTOR_H

#include <glib.h>

#include "host/counters.h"
#include "host/watch.h"

/* all members are NULL or 0 at first, apart from that of @watch */
struct collector {
	struct watch watch;
	const char *powercap;		/* directory with joules of VMs; NULL: none */
	GPtrArray *now;			/* struct vgpu_counters */
	GPtrArray *old;			/* the same, for rates: at least a second older; NULL: none */
	GPtrArray *next;		/* the same, which will be old */
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
