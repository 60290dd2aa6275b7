/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What i915 counts of the GPU's power states: perf's PMU i915 (drivers/gpu/drm/i915/i915_pmu.c).
 */
#ifndef GVT_STAT_SAMPLING_GPU_COUNTERS_H
#define GVT_STAT_SAMPLING_GPU_COUNTERS_H

#include "trace/energy-sample.h"

struct gpu_counters;

/**
 * gpu_counters_open - begin to count what the kernel permits; gpu_counters_close() frees
 * @sysroot: directory with sys, "" for the running system
 * @missing: set: which are missing, why, and how to allow them, in one line; NULL: none; the
 *           caller frees
 *
 * Meanwhile i915 looks at the frequency 200 times a second while the GPU is awake.
 */
struct gpu_counters *gpu_counters_open(const char *sysroot, char **missing);
void gpu_counters_close(struct gpu_counters *counters);

/**
 * gpu_counters_read - read them; those that are missing are UNKNOWN
 */
struct energy_gpu gpu_counters_read(const struct gpu_counters *counters);

#endif
