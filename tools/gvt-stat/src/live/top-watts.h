/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the GPU draws now, and what each vGPU does, from the energy counter and the counters of execution.
 *
 * Counters do not tell who executed at the same time as whom, as events do: the powers of the last
 * intervals are fitted, and each vGPU's watts are unknown until they are certain enough. What is left is an
 * estimate, see gvt-stat-top(1); 'gvt-stat energy' knows better.
 */
#ifndef GVT_STAT_TOP_WATTS_H
#define GVT_STAT_TOP_WATTS_H

#include <stdint.h>

#include <glib.h>

struct top_watts;

/**
 * top_watts_new - no interval yet; top_watts_free() frees
 */
struct top_watts *top_watts_new(void);
void top_watts_free(struct top_watts *watts);

/**
 * top_watts_add - add an interval between two samples
 * @nj: what was counted in it
 * @length_ns: above 0
 * @old, @now: struct vgpu_counters, of one GPU
 */
void top_watts_add(struct top_watts *watts, double nj, int64_t length_ns, const GPtrArray *old, const GPtrArray *now);

/**
 * top_watts_skip - an interval in which it is not known what was counted: what vGPUs drew in it is unknown
 */
void top_watts_skip(struct top_watts *watts);

/**
 * top_watts_of - what a vGPU drew in the last interval
 * @uuid: of the vGPU
 *
 * Returns NAN if that is unknown, as loads have hardly changed from interval to interval, or half of the
 * range of 95 % confidence is more than a fifth of what it drew, and more than a twentieth of what the GPU did.
 */
double top_watts_of(const struct top_watts *watts, const char *uuid);

#endif
