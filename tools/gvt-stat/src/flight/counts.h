/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What conditions are about: the driver's counters of all vGPUs at one moment.
 */
#ifndef GVT_STAT_COUNTS_H
#define GVT_STAT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "host/watch.h"
#include "waits.h"

/* what is read, as each costs time */
enum counts_part {
	COUNTS_FAULTS = 1,
	COUNTS_WAITS = 2,
	COUNTS_IDLE = 4,
};

struct vgpu_counts {
	int64_t id;
	char *uuid;
	char *vm;			/* NULL: unknown */
	int64_t faults;			/* hangs, resets of engines and failsafe modes; UNKNOWN */
	bool has_waits;
	struct waits waits;
};

struct gpu_counts {
	char *gpu;			/* address */
	int64_t looks;			/* how often it was looked at */
	int64_t idle;			/* of them, how often no engine executed although work was queued */
};

struct counts {
	GArray *vgpus;			/* struct vgpu_counts */
	GArray *gpus;			/* struct gpu_counts */
};

/* takes samples of a host; all members are NULL or 0 at first, apart from @parts and that of @watch */
struct counter {
	unsigned int parts;		/* of enum counts_part */
	struct watch watch;
	GArray *gpus;			/* struct gpu_counts */
	unsigned int samples;		/* taken so far */
};

void counter_clear(struct counter *counter);

/**
 * counter_look - is a GPU idle although work is queued? For COUNTS_IDLE, some times a second
 */
void counter_look(struct counter *counter);

/**
 * counts_take - read the counters; counts_free() frees
 *
 * New vGPUs are there after five samples at most.
 */
struct counts *counts_take(struct counter *counter);
void counts_free(struct counts *sample);

/**
 * counts_vgpu - the vGPU with this id and UUID; NULL: none
 */
const struct vgpu_counts *counts_vgpu(const struct counts *sample, const struct vgpu_counts *vgpu);

/**
 * counts_is - is it the vGPU of this id or UUID, or one of the VM of this name?
 */
bool counts_is(const struct vgpu_counts *vgpu, const char *item);

#endif
