/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: shadow page tables of each vGPU and GEM objects of the host's driver,
 * from their creation and destruction.
 *
 * What existed before the trace cannot be known; but what is destroyed without
 * having been created must have existed. Totals are therefore lower bounds.
 */
#ifndef GVTTRACE_MEMORY_H
#define GVTTRACE_MEMORY_H

#include <stdint.h>

#include <glib.h>

#include "follow/follow.h"

/* a kind of object, counted over the whole trace */
struct memory_use {
	int64_t created;
	int64_t destroyed;
	int64_t older;			/* destroyed, but created before the trace */
	int64_t created_bytes;
	int64_t destroyed_bytes;	/* of those created in the trace */
	int64_t peak_bytes;		/* of those created in the trace */
	GHashTable *alive;		/* created in the trace: key -> bytes */
};

struct memory;

/**
 * memory_new - nothing alive yet; memory_free() frees
 */
struct memory *memory_new(void);
void memory_free(struct memory *memory);

/**
 * memory_analysis - to be added to the followers of the trace
 */
struct analysis memory_analysis(struct memory *memory);

/**
 * memory_of_vgpu - shadow page tables of a vGPU, NULL if none was touched
 * @vgpu_id: the events name no GPU, so ids must be unique over all GPUs
 */
const struct memory_use *memory_of_vgpu(const struct memory *memory, int64_t vgpu_id);

/**
 * memory_of_gem - GEM objects of the host's i915
 */
const struct memory_use *memory_of_gem(const struct memory *memory);

/**
 * memory_alive_bytes - bytes alive at the end: at least so many
 */
int64_t memory_alive_bytes(const struct memory_use *use);

#endif
