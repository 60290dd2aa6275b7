/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory contention between engines: the slowdown of a workload under the others' memory demand, by
 * its stream's sensitivity curve
 */
#ifndef GVT_SIM_MEMORY_H
#define GVT_SIM_MEMORY_H

#include "guest.h"

/* Maximum number of points in a curve */
#define MEMORY_POINTS 64
/* Execution time without contention, in parts per million */
#define MEMORY_ALONE_PPM 1000000ULL
/* Maximum slowdown */
#define MEMORY_MOST_PPM (1000 * MEMORY_ALONE_PPM)

/**
 * memory_slowdown_ppm - execution time under contention, in parts per million of that alone
 * @s: the stream; NULL for work without stream, such as barriers
 * @beside_mbps: the others' memory demand
 *
 * Interpolates linearly between the points of the curve, and extrapolates from the last two.
 */
u64 memory_slowdown_ppm(const struct sim_stream *s, u64 beside_mbps);

/**
 * memory_takes_ns, memory_does_ns - time for an amount of work under a slowdown, and amount of
 * work done in a time
 *
 * The time is rounded up, so that all of the work is done at its end.
 */
u64 memory_takes_ns(u64 work_ns, u64 slowdown_ppm);
u64 memory_does_ns(u64 ns, u64 slowdown_ppm);

#endif
