/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The driver's histogram of the waits of a vGPU's workloads, from debugfs: the time from queueing
 * until first on an engine, by powers of two, of finished workloads.
 *
 * Private to this room.
 */
#ifndef GVT_STAT_WAITS_H
#define GVT_STAT_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/sysfs.h"

/* as the driver's GVT_STATS_BINS; the last one has all that is longer */
#define WAITS_BINS	24

/* of all engines, since the vGPU was created */
struct waits {
	uint64_t count[WAITS_BINS];
};

/**
 * waits_bin_ns - the shortest wait that a bin counts: 0, 1 us, 2 us, 4 us and so on
 */
int64_t waits_bin_ns(unsigned int bin);

/**
 * waits_read - read a vGPU's histogram; returns false if there is none
 */
bool waits_read(const char *sysroot, const struct sysfs_vgpu *vgpu, struct waits *waits);

/**
 * waits_need - end the program with a message if debugfs cannot be read
 */
void waits_need(const char *sysroot);

/**
 * waits_p99 - a bound below the 99th percentile of the waits between two readings
 *
 * It is the limit of a bin that more than 1 % of them reach, in ns. NAN: there were none, or the
 * histogram began anew.
 */
double waits_p99(const struct waits *old, const struct waits *now);

#endif
