/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Engines that share the memory: how much slower a workload is beside what others ask of it, by
 * its stream's sensitivity curve
 */
#ifndef GVT_SIM_MEMORY_H
#define GVT_SIM_MEMORY_H

#include "guest.h"

/* Of a stream's curve */
#define MEMORY_POINTS 64
/* As slow as alone, in parts per million */
#define MEMORY_ALONE_PPM 1000000ULL
/* Nothing is slowed down by more */
#define MEMORY_MOST_PPM (1000 * MEMORY_ALONE_PPM)

/**
 * memory_slowdown_ppm - how many times as long something takes
 * @s: its stream; NULL: of none, as barriers are
 * @beside_mbps: what others ask of the memory
 *
 * Between two points of the curve it is on the line between them, and beyond the last one on that
 * between the last two.
 */
u64 memory_slowdown_ppm(const struct sim_stream *s, u64 beside_mbps);

/**
 * memory_takes_ns, memory_does_ns - how long work takes that is slowed down so, and how much is done
 * in a time
 *
 * What is begun takes a ns more, so that all of it is done when it is over.
 */
u64 memory_takes_ns(u64 work_ns, u64 slowdown_ppm);
u64 memory_does_ns(u64 ns, u64 slowdown_ppm);

#endif
