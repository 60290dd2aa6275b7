/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters that GVT-g keeps per vGPU and engine in sysfs, and what they say
 * of the time between two looks at them.
 */
#ifndef GVT_STAT_COUNTERS_H
#define GVT_STAT_COUNTERS_H

#include <stdint.h>

#include <glib.h>

#include "host/sysfs.h"

/* monotonic but for a vGPU that was made anew; UNKNOWN where the kernel has none */
struct engine_counters {
	char *name;			/* "rcs0" */
	int64_t exec_ns;
	int64_t wait_ns;		/* of workloads, until they were first on the engine */
	int64_t workloads;		/* ended */
	int64_t failed;
	int64_t cancelled;
};

struct vgpu_counters {
	int64_t id;
	char *uuid;
	char *type;
	char *gpu;			/* address; NULL: not known */
	char *vm;			/* NULL: not known, or not looked for yet */
	int64_t at_ns;			/* when they were read, CLOCK_MONOTONIC */
	int64_t weight;
	int64_t exec_ns;		/* at least one engine executed */
	int64_t exec_percent;		/* of the last second or so, which everybody may read */
	int64_t left_ns;		/* a gauge */
	int64_t queued;			/* a gauge */
	int64_t errors;			/* of the guest, since the vGPU was made */
	char *failsafe;			/* "no", or why it is in that mode; NULL: not known */
	GPtrArray *engines;		/* struct engine_counters, by name */
};

/* the name of the host, which has id 0 and no workloads */
#define COUNTERS_HOST	"host"

/**
 * counters_read - read those of all vGPUs, and of each GPU's host
 *
 * Returns an array of struct vgpu_counters that frees them.
 */
GPtrArray *counters_read(const struct sysfs *sysfs);

/**
 * counters_check - end the program with the reason if no vGPU has any
 */
void counters_check(const GPtrArray *vgpus, const char *sysroot);

/**
 * counters_warn_coarse - say why most is unknown to who may not read it
 */
void counters_warn_coarse(const GPtrArray *vgpus);

/**
 * counters_is_host - is it no vGPU, but the host's own work?
 */
bool counters_is_host(const struct vgpu_counters *vgpu);

/**
 * counters_find - those of the vGPU with this UUID, NULL if it is not there
 */
struct vgpu_counters *counters_find(const GPtrArray *vgpus, const char *uuid);

/* what happened to a vGPU, or on one of its engines, between two looks */
struct rate {
	int64_t interval_ns;
	double exec_percent;		/* of the time; NAN: unknown */
	double done_per_second;		/* workloads that ended */
	double wait_mean_ns;		/* of those; NAN if there were none */
	int64_t failed;
	int64_t cancelled;
};

/**
 * rate_of_vgpu, rate_of_engine - the difference of two looks
 * @old: NULL if there was none; everything is unknown then
 *
 * A counter that went down is one of a new vGPU with the same UUID: unknown.
 */
struct rate rate_of_vgpu(const struct vgpu_counters *old, const struct vgpu_counters *now);
struct rate rate_of_engine(const struct vgpu_counters *old, const struct vgpu_counters *now,
			   const struct engine_counters *engine);

#endif
