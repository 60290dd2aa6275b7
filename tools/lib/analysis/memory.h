/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: shadow page tables of each vGPU and GEM objects of the host's driver,
 * from their creation and destruction.
 *
 * Objects from before the trace are unknown until destroyed: an object destroyed
 * without having been created is one. Totals are therefore lower bounds.
 */
#ifndef GVTTRACE_MEMORY_H
#define GVTTRACE_MEMORY_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"

/* one kind of object, over the whole trace */
struct memory_use {
	int64_t created;
	int64_t destroyed;
	int64_t older;			/* destroyed, created before the trace */
	int64_t created_bytes;
	int64_t destroyed_bytes;	/* of those created in the trace */
	int64_t peak_bytes;		/* of those created in the trace */
	GHashTable *alive;		/* created in the trace: key -> bytes */
};

struct memory;

/**
 * memory_new - no events yet; memory_free() frees
 */
struct memory *memory_new(struct follow *follow);
void memory_free(struct memory *memory);

/**
 * memory_of_vgpu - shadow page tables of a vGPU, NULL if it had no event
 * @vgpu_id: the events name no GPU, so ids must be unique over all GPUs
 */
const struct memory_use *memory_of_vgpu(const struct memory *memory, int64_t vgpu_id);

/**
 * memory_of_gem - GEM objects of the host's i915
 */
const struct memory_use *memory_of_gem(const struct memory *memory);

/**
 * memory_alive_bytes - lower bound of the bytes alive at the end
 */
int64_t memory_alive_bytes(const struct memory_use *use);

#endif
